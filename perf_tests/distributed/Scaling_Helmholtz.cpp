// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Time per iteration of the anisotropic elliptic problem over ranks:
//
//   for n in 1 2 4; do mpirun -np $n lamina_scaling_helmholtz --json strong_$n.json; done
//   for n in 1 2 4; do mpirun -np $n lamina_scaling_helmholtz --weak; done
//
// Each rank has a strip of the panel; with --weak of a plane of square cells, as more ranks would make those of the
// panel longer than wide, which is another problem for a cycle. Rank 0 prints.

#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "../support/WriteJson.hpp"
#include "Scaling.hpp"

namespace Lamina::Perf {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

struct Settings {
  int num_x = 256, num_y = 256, num_levels = 128, iterations = 50, repetitions = 5;
  int gathered = HierarchyParameters().gathered_columns;
  bool weak = false, single = false;
  std::string solver = "fused";
  bool right = runs_on_host<Space>;  // the layout
  std::string json;
};

Setters<Settings> setters() {
  constexpr int most = 1 << 20;
  return {
      {"--columns",
       [](auto& s, const auto& o, auto& v) {
         s.num_x = v.number(o, 1, most);
         s.num_y = v.number(o, 1, most);
       }},
      {"--levels", [](auto& s, const auto& o, auto& v) { s.num_levels = v.number(o, 1, most); }},
      {"--iterations",
       [](auto& s, const auto& o, auto& v) { s.iterations = v.number(o, 1, most); }},
      {"--repetitions",
       [](auto& s, const auto& o, auto& v) { s.repetitions = v.number(o, 1, most); }},
      {"--gathered", [](auto& s, const auto& o, auto& v) { s.gathered = v.number(o, 0, most); }},
      {"--weak", [](auto& s, const auto&, auto&) { s.weak = true; }},
      {"--solver", [](auto& s, const auto& o, auto& v) { s.solver = v.text(o); }},
      {"--single", [](auto& s, const auto&, auto&) { s.single = true; }},
      {"--level-fastest", [](auto& s, const auto&, auto&) { s.right = true; }},
      {"--column-fastest", [](auto& s, const auto&, auto&) { s.right = false; }},
      {"--json", [](auto& s, const auto& o, auto& v) { s.json = v.text(o); }}};
}

void print_usage() {
  std::printf(
      "Usage: mpirun -np N lamina_scaling_helmholtz [options]\n"
      "  --columns NX NY    of the panel [256 256]\n"
      "  --levels N         [128]\n"
      "  --gathered N       most columns of the first level of a cycle that each rank has [1024]\n"
      "  --weak             NX is that of each rank, on a plane of square cells\n"
      "  --solver NAME      fused, plain (Pcg) or multigrid (FusedPcg with a cycle) [fused]\n"
      "  --single           single precision\n"
      "  --level-fastest    LayoutRight [of CPU cores]\n"
      "  --column-fastest   LayoutLeft [of devices]\n"
      "  --iterations N     of a solve [50]\n"
      "  --repetitions N    of the solve; the median counts [5]\n"
      "  --json FILE\n");
}

/// What a solve took, on the slowest rank.
struct Measured {
  double seconds_per_iteration = 0;
  double residual = 0;  // relative, at the end
  std::int64_t halo_columns = 0;
};

template <class Scalar, class Layout>
class Subject {
 public:
  Subject(const Settings& settings, const Transport& transport)
      : m_settings(settings),
        m_transport(transport),
        m_num_x(settings.weak ? settings.num_x * transport.size() : settings.num_x),
        m_local(columns_of_rank()),
        m_ranks(transport, m_local.halo,
                static_cast<std::size_t>(settings.num_levels) * sizeof(Scalar)),
        m_operator(ColumnMesh<Memory>(m_local.graph), grid(), parameters()),
        m_b("Lamina::Perf::rhs", m_local.graph.areas.size(), levels()),
        m_x("Lamina::Perf::solution", m_local.graph.areas.size(), levels()) {
    const auto host = Kokkos::create_mirror_view(m_b);
    for (std::size_t column = 0; column < m_b.extent(0); ++column) {
      const std::int64_t number = m_local.columns[column];
      for (std::size_t k = 0; k < levels(); ++k) {
        host(column, k) =
            static_cast<Scalar>(Impl::unit_hash(static_cast<std::uint64_t>(number) * levels() + k));
      }
    }
    Kokkos::deep_copy(m_b, host);
  }

  Measured measure() {
    if (m_settings.solver == "plain") {
      const LinePreconditioner<Scalar, Memory> lines(m_space, m_operator);
      Pcg pcg(m_space, m_operator, lines, m_ranks);
      return measure(pcg);
    }
    if (m_settings.solver == "multigrid") {
      const ColumnHierarchy hierarchy(m_transport, m_local,
                                      {.gathered_columns = m_settings.gathered});
      const MultigridPreconditioner<Scalar, Memory> multigrid(m_space, m_transport, hierarchy,
                                                              grid(), parameters());
      FusedPcg pcg(m_space, MultigridHelmholtz<Scalar, Memory>(m_space, multigrid));
      return measure(pcg);
    }
    FusedPcg pcg(m_space, FusedHelmholtz<Scalar, Memory>(m_space, m_operator, m_ranks));
    return measure(pcg);
  }

 private:
  LocalColumns columns_of_rank() const {
    const int num_y = m_settings.num_y, rank = m_transport.rank();
    const auto partition = Partition::grid({m_num_x, num_y}, {m_transport.size(), 1}, {1, 16});
    if (!m_settings.weak) return CubedSpherePanel(m_num_x, num_y).local(partition, rank);
    constexpr double width_of_panel = 2;
    const double cell = width_of_panel / m_settings.num_x;
    return local_plane(m_num_x, num_y, partition, rank, PlaneSides::all(PlaneSide::zero_flux),
                       cell * m_num_x, cell * num_y);
  }
  std::size_t levels() const { return static_cast<std::size_t>(m_settings.num_levels); }
  VerticalGrid grid() const { return VerticalGrid::graded(m_settings.num_levels, 0.0157); }
  HelmholtzParameters parameters() const {
    const double cells_of_paper = 256.0 / (m_settings.weak ? m_settings.num_x : m_num_x);
    return {.omega2 = 6.71e-4 * cells_of_paper * cells_of_paper, .lambda2 = 3.32e-2};
  }

  template <class Plan>
  Measured measure(Plan& plan) {
    Measured measured;
    const double seconds = median_over_ranks(
        m_space, m_transport, m_settings.repetitions,
        [&] { Kokkos::deep_copy(m_space, m_x, Scalar(0)); },
        [&] {
          measured.residual =
              plan.solve(m_space, m_b, m_x, StoppingCriteria::iterations(m_settings.iterations))
                  .relative_residual();
        });
    measured.seconds_per_iteration = seconds / m_settings.iterations;
    for (const auto& peer : m_local.halo.peers) {
      measured.halo_columns += static_cast<std::int64_t>(peer.receive.size());
    }
    return measured;
  }

  const Settings& m_settings;
  const Transport& m_transport;
  Space m_space{};
  int m_num_x;
  LocalColumns m_local;
  Decomposition<Memory> m_ranks;
  HelmholtzOperator<Scalar, Memory> m_operator;
  Kokkos::View<Scalar**, Layout, Memory> m_b, m_x;
};

template <class Scalar>
Measured measure(const Settings& settings, const Transport& transport) {
  return settings.right ? Subject<Scalar, Kokkos::LayoutRight>(settings, transport).measure()
                        : Subject<Scalar, Kokkos::LayoutLeft>(settings, transport).measure();
}

int run(const Settings& settings) {
  const std::string& solver = settings.solver;
  if (solver != "fused" && solver != "plain" && solver != "multigrid") {
    throw std::runtime_error("--solver: expected fused, plain or multigrid, got " + solver);
  }
  const auto transport = make_transport(MPI_COMM_WORLD, Space());
  const Measured measured = settings.single ? measure<float>(settings, *transport)
                                            : measure<double>(settings, *transport);
  const auto report = transport->report();
  if (transport->rank() != 0) return 0;
  const int ranks = transport->size();
  const double milliseconds = measured.seconds_per_iteration * 1e3;
  std::printf("%s, %d ranks, %d x %d x %d%s: %.4f ms per iteration, residual %.3e\n",
              settings.solver.c_str(), ranks, settings.num_x, settings.num_y, settings.num_levels,
              settings.weak ? " per rank" : "", milliseconds, measured.residual);
  if (!settings.json.empty()) {
    write_json(settings.json, {{"program", "lamina_scaling_helmholtz"},
                               {"space", Space::name()},
                               {"threads", Space().concurrency()},
                               {"ranks", ranks},
                               {"transport", report.name},
                               {"library", report.library},
                               {"solver", settings.solver},
                               {"precision", settings.single ? "single" : "double"},
                               {"layout", settings.right ? "LayoutRight" : "LayoutLeft"},
                               {"weak", settings.weak},
                               {"columns", {settings.num_x, settings.num_y}},
                               {"levels", settings.num_levels},
                               {"iterations", settings.iterations},
                               {"milliseconds_per_iteration", milliseconds},
                               {"relative_residual", measured.residual},
                               {"halo_columns_of_rank_0", measured.halo_columns}});
  }
  return 0;
}

}  // namespace
}  // namespace Lamina::Perf

int main(int argc, char* argv[]) {
  using namespace Lamina::Perf;
  return run_mpi_program("lamina_scaling_helmholtz", argc, argv, setters(), print_usage, run);
}
