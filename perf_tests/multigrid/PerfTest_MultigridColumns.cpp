// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time to a residual of 1e-5 of conjugate gradients with multigrid cycles on real grids: the model problem on
// polygons, and an ocean with islands, a rough bottom and stratification, whose coefficients are stored in single
// precision; in double and in mixed precision.

#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/GraphCase.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// The model problem on polygons.
template <class Space, class LayoutType, bool IsMixed>
struct PolygonCase : GraphCase<Polygons, Space, double, LayoutType> {
  using Base = GraphCase<Polygons, Space, double, LayoutType>;
  using Memory = typename Space::memory_space;
  using VectorScalar = std::conditional_t<IsMixed, float, double>;
  using Base::Base;

  auto model(const PanelSize& size) const {
    const MultigridPreconditioner<VectorScalar, Memory> multigrid(
        this->space, ColumnHierarchy(Polygons::graph(size)), this->grid, this->parameters);
    using Model = MultigridHelmholtz<double, Memory, VectorScalar>;
    if constexpr (IsMixed) {
      return Model(this->space, this->op, multigrid);
    } else {
      return Model(this->space, multigrid);
    }
  }
};

/// An ocean on polygons: vertical couplings of a cell are around 1000 times the horizontal ones, and 45 % of the cells
/// are dry.
template <class Space, class LayoutType, bool IsMixed>
struct OceanCase {
  using execution_space = Space;
  using Scalar = double;
  using Layout = LayoutType;
  using Memory = typename Space::memory_space;
  using Field = Kokkos::View<double**, Layout, Memory>;
  using Values = Kokkos::View<float**, Layout, Memory>;
  using VectorScalar = std::conditional_t<IsMixed, float, double>;
  template <class Value>
  using Stored = StoredCoefficients<Value, Memory, Layout, float>;

  explicit OceanCase(const PanelSize& size)
      : graph(Polygons::graph(size)),
        mesh(graph),
        num_levels(size.num_levels),
        mass(make_values("mass", graph.areas.size())),
        vertical(make_values("vertical", graph.areas.size())),
        horizontal(make_values("horizontal", graph.edges.size())) {
    for (std::size_t c = 0; c < graph.areas.size(); ++c) {
      const auto& [x, y, z] = graph.centres.points[c];
      const double depth =
          0.55 + 0.5 * std::sin(9 * x + 2) * std::cos(7 * y) + 0.15 * Impl::unit_hash(c);
      bottoms.push_back(std::clamp(static_cast<int>(num_levels * depth), 0, num_levels));
    }
    fill();
  }
  static std::string type_names() {
    return "ocean-stored-float," + PanelCase<Space, double, Layout>::type_names();
  }
  Field make_field(const std::string& label) const {
    return Field(label, graph.areas.size(), static_cast<std::size_t>(num_levels));
  }
  /// 0 in dry cells.
  Field right_hand_side() const {
    const Field field = make_field("Lamina::Perf::rhs");
    const auto host = Kokkos::create_mirror_view(field);
    std::uint64_t cell = 0;
    for (std::size_t c = 0; c < graph.areas.size(); ++c) {
      for (int k = 0; k < bottoms[c]; ++k) {
        host(c, static_cast<std::size_t>(k)) = Impl::unit_hash(cell++) * graph.areas[c];
      }
    }
    Kokkos::deep_copy(field, host);
    return field;
  }
  template <class Value>
  ColumnOperator<Stored<Value>> operator_in() const {
    return {mesh, num_levels, Stored<Value>(space, mesh, mass, vertical, horizontal)};
  }
  auto model(const PanelSize&) const {
    const auto op = operator_in<VectorScalar>();
    const ColumnMultigrid<Stored<VectorScalar>, Layout> multigrid(space, graph, op);
    if constexpr (IsMixed) {
      return MultigridColumns(MixedColumns(space, operator_in<double>(), op), multigrid);
    } else {
      return MultigridColumns(FusedColumns(space, op), multigrid);
    }
  }

  Space space{};
  ColumnGraph graph;
  ColumnMesh<Memory> mesh;
  int num_levels;
  std::vector<int> bottoms{};
  Values mass, vertical, horizontal;

 private:
  Values make_values(const char* label, std::size_t count) const {
    return Values(std::string("Lamina::Perf::") + label, count,
                  static_cast<std::size_t>(num_levels));
  }
  /// Couplings relative to the mass are those of the model problem; stratification takes two decades off the
  /// vertical ones with depth, and edges differ by up to a decade.
  void fill() const {
    const double cell = graph.areas[0], stiffness = 80.0 / 6 * cell, height = 1e-3;
    const auto host_mass = Kokkos::create_mirror_view(mass),
               host_vertical = Kokkos::create_mirror_view(vertical),
               host_horizontal = Kokkos::create_mirror_view(horizontal);
    for (std::size_t c = 0; c < graph.areas.size(); ++c) {
      const auto& point = graph.centres.points[c];
      const double above = stiffness * graph.areas[c] / (height * cell) *
                           std::exp(2 * std::sin(5 * point[0]) * point[1]);
      for (int k = 0; k < bottoms[c]; ++k) {
        const auto level = static_cast<std::size_t>(k);
        host_mass(c, level) = static_cast<float>(graph.areas[c]);
        if (k + 1 < bottoms[c]) {
          host_vertical(c, level) =
              static_cast<float>(above * std::pow(100, -static_cast<double>(k) / num_levels));
        }
      }
    }
    std::uint64_t next = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const auto& edge = graph.edges[e];
      const int end = std::min(bottoms[static_cast<std::size_t>(edge.first)],
                               bottoms[static_cast<std::size_t>(edge.second)]);
      for (int k = 0; k < end; ++k) {
        const double rough = std::pow(10, 0.5 * Impl::unit_hash(next++));
        host_horizontal(e, static_cast<std::size_t>(k)) =
            static_cast<float>(stiffness * rough * edge.length / edge.distance);
      }
    }
    Kokkos::deep_copy(mass, host_mass);
    Kokkos::deep_copy(vertical, host_vertical);
    Kokkos::deep_copy(horizontal, host_horizontal);
  }
};

/// A solve from zero.
template <class Case>
struct SolveToTolerance : Case {
  using Model = decltype(std::declval<const Case&>().model(PanelSize()));
  static constexpr int steps = 1;

  explicit SolveToTolerance(const PanelSize& size)
      : Case(size),
        m_model(this->model(size)),
        m_pcg(this->space, m_model),
        m_rhs(this->right_hand_side()),
        m_solution(this->make_field("Lamina::Perf::solution")) {
    const KernelRecorder recorder;
    run();
    for (const KernelRecord& record : recorder.records(m_model.kernel_costs())) {
      m_cost.bytes += record.bytes;
      m_cost.flops += record.flops;
    }
  }
  static std::string name() {
    constexpr bool is_mixed = !std::is_same_v<typename Case::VectorScalar, double>;
    return std::string("MultigridColumns/to_1e-5<") + (is_mixed ? "mixed-" : "") + "multigrid," +
           Case::type_names() + '>';
  }
  void prepare() { Kokkos::deep_copy(this->space, m_solution, 0.0); }
  void run() { m_report = m_pcg.solve(this->space, m_rhs, m_solution, {.tolerance = 1e-5}); }
  /// Of all kernels of a solve.
  KernelCost cost() const { return m_cost; }
  std::string error() const {
    return m_report.converged() ? "" : "wrong result: " + std::string(to_string(m_report.status));
  }

 private:
  Model m_model;
  FusedPcg<Model> m_pcg;
  typename Case::Field m_rhs, m_solution;
  SolveReport m_report;
  KernelCost m_cost{"solve", 0, 0};
};

template <class Space, class Layout>
void register_space() {
  const auto sizes = graph_sizes();
  register_subject<SolveToTolerance<PolygonCase<Space, Layout, false>>>(sizes);
  register_subject<SolveToTolerance<PolygonCase<Space, Layout, true>>>(sizes);
  register_subject<SolveToTolerance<OceanCase<Space, Layout, false>>>(sizes);
  register_subject<SolveToTolerance<OceanCase<Space, Layout, true>>>(sizes);
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space)                 \
  register_space<Space, Kokkos::LayoutLeft>(); \
  register_space<Space, Kokkos::LayoutRight>();
  LAMINA_FOR_EACH_SPACE(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
