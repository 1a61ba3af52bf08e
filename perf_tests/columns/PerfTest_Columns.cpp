// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An iteration of fused conjugate gradients for one equation, whose coefficients are the tensor product of
// `HelmholtzOperator`, profiles, profiles with bottoms, and stored in double or float; on a panel and on
// polygons.

#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../support/GraphCase.hpp"
#include "../support/MeasuredSpaces.hpp"
#include "../support/Runner.hpp"

namespace Lamina::Perf {
namespace {

/// The profiles of the Helmholtz equation; factors of columns are the areas.
template <class Case>
ColumnProfiles profiles_of(const Case& c) {
  ColumnProfiles profiles;
  const auto& h = c.grid.thicknesses();
  const double omega2 = c.parameters.omega2, lambda2 = c.parameters.lambda2;
  for (int k = 0; k < c.grid.num_levels(); ++k) {
    profiles.mass.push_back(c.grid.volume(k));
    profiles.horizontal.push_back(omega2 * c.grid.volume(k));
    if (k == 0) continue;
    const auto level = static_cast<std::size_t>(k);
    profiles.vertical.push_back(omega2 * lambda2 * c.grid.interface_area(k) /
                                ((h[level - 1] + h[level]) / 2));
  }
  return profiles;
}

template <class Case>
struct TensorKind {
  static constexpr const char* name = "tensor";
  static constexpr const char* labels = "Lamina::FusedHelmholtz::";
  static auto model(const Case& c) {
    return FusedHelmholtz<typename Case::Scalar, typename Case::Memory>(c.space, c.op);
  }
};
/// Sweeps over the columns of a case.
template <class Case, class Coefficients>
FusedColumns<Coefficients> columns_of(const Case& c, const Coefficients& coefficients) {
  return {c.space, ColumnOperator<Coefficients>(c.mesh, c.grid.num_levels(), coefficients)};
}
template <class Case>
struct ProfileKind {
  static constexpr const char* name = "profiles";
  static constexpr const char* labels = "Lamina::FusedColumns::";
  static auto model(const Case& c) {
    return columns_of(c, ProfileCoefficients<typename Case::Scalar, typename Case::Memory>(
                             c.mesh, profiles_of(c)));
  }
};
/// All cells are wet, so that times are those of as many cells.
template <class Case>
struct BottomKind {
  static constexpr const char* name = "bottoms";
  static constexpr const char* labels = "Lamina::FusedColumns::";
  static auto model(const Case& c) {
    const Kokkos::View<int*, typename Case::Memory> bottoms(
        "Lamina::Perf::bottoms", static_cast<std::size_t>(c.mesh.num_columns()));
    Kokkos::deep_copy(bottoms, c.grid.num_levels());
    return columns_of(c, SteppedCoefficients<typename Case::Scalar, typename Case::Memory>(
                             c.mesh, profiles_of(c), bottoms));
  }
};
template <class Case, class Value>
struct StoredKind {
  using Values = Kokkos::View<Value**, typename Case::Layout, typename Case::Memory>;
  static constexpr const char* labels = "Lamina::FusedColumns::";

  static auto model(const Case& c) {
    const auto columns = static_cast<std::size_t>(c.mesh.num_columns()),
               edges = static_cast<std::size_t>(c.mesh.num_edges()),
               levels = static_cast<std::size_t>(c.grid.num_levels());
    const Values mass("Lamina::Perf::mass", columns, levels),
        vertical("Lamina::Perf::vertical", columns, levels),
        horizontal("Lamina::Perf::horizontal", edges, levels);
    fill(c, mass, vertical, horizontal);
    using Stored = StoredCoefficients<typename Case::Scalar, typename Case::Memory,
                                      typename Case::Layout, Value>;
    return columns_of(c, Stored(c.space, c.mesh, mass, vertical, horizontal));
  }

 private:
  static void fill(const Case& c, const Values& mass, const Values& vertical,
                   const Values& horizontal) {
    const ColumnProfiles profiles = profiles_of(c);
    const auto areas = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c.mesh.areas());
    const auto couplings =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c.mesh.couplings());
    const auto edges = c.mesh.edges();
    const auto host_mass = Kokkos::create_mirror_view(mass),
               host_vertical = Kokkos::create_mirror_view(vertical),
               host_horizontal = Kokkos::create_mirror_view(horizontal);
    for (std::size_t column = 0; column < mass.extent(0); ++column) {
      for (std::size_t k = 0; k < mass.extent(1); ++k) {
        host_mass(column, k) = static_cast<Value>(areas(column) * profiles.mass[k]);
        host_vertical(column, k) = k < profiles.vertical.size()
                                       ? static_cast<Value>(areas(column) * profiles.vertical[k])
                                       : Value(0);
        for (std::size_t n = 0; n < edges.extent(1); ++n) {
          if (edges(column, n) < 0) continue;
          host_horizontal(edges(column, n), k) =
              static_cast<Value>(couplings(column, n) * profiles.horizontal[k]);
        }
      }
    }
    Kokkos::deep_copy(mass, host_mass);
    Kokkos::deep_copy(vertical, host_vertical);
    Kokkos::deep_copy(horizontal, host_horizontal);
  }
};
template <class Case>
struct StoredInDouble : StoredKind<Case, double> {
  static constexpr const char* name = "stored-double";
};
template <class Case>
struct StoredInFloat : StoredKind<Case, float> {
  static constexpr const char* name = "stored-float";
};

/// Iterations, of which every other one updates the solution.
template <class Case, template <class> class KindOf>
struct Iteration : Case {
  using Kind = KindOf<Case>;
  using Model = decltype(Kind::model(std::declval<const Case&>()));
  static constexpr int steps = 40;

  explicit Iteration(const PanelSize& size)
      : Case(size),
        model(Kind::model(*this)),
        pcg(this->space, model),
        rhs(this->right_hand_side()),
        solution(this->make_field("Lamina::Perf::solution")) {}
  static std::string name() {
    return std::string("Columns/iteration<") + Kind::name + ',' + Case::type_names() + '>';
  }
  void prepare() { Kokkos::deep_copy(this->space, solution, typename Case::Scalar(0)); }
  void run() {
    report = pcg.solve(this->space, rhs, solution, StoppingCriteria::iterations(steps));
  }
  KernelCost cost() const {
    const auto costs = model.kernel_costs();
    const auto of = [&](const char* sweep) {
      return cost_of(costs, std::string(Kind::labels) + sweep);
    };
    const KernelCost both = sum_of({of("advance"), of("advance_and_update")});
    return sum_of(
        {of("precondition"), of("measure"), {both.label, both.bytes / 2, both.flops / 2}});
  }
  std::string error() const {
    return report.succeeded() ? "" : "wrong result: " + std::string(to_string(report.status));
  }

  Model model;
  FusedPcg<Model> pcg;
  typename Case::Field rhs, solution;
  SolveReport report;
};

template <class Case>
void register_case(const std::vector<PanelSize>& sizes) {
  register_subject<Iteration<Case, TensorKind>>(sizes);
  register_subject<Iteration<Case, ProfileKind>>(sizes);
  register_subject<Iteration<Case, BottomKind>>(sizes);
  register_subject<Iteration<Case, StoredInDouble>>(sizes);
  register_subject<Iteration<Case, StoredInFloat>>(sizes);
}

}  // namespace

void register_benchmarks() {
#define LAMINA_REGISTER(Space, Layout)                            \
  register_case<PanelCase<Space, double, Layout>>(panel_sizes()); \
  register_case<GraphCase<Polygons, Space, double, Layout>>(graph_sizes());
  LAMINA_FOR_EACH_LAYOUT(LAMINA_REGISTER)
#undef LAMINA_REGISTER
}

}  // namespace Lamina::Perf
