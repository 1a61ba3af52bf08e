// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The kernels of a device that sweep over packs, pairs and single columns. Without a device their
// threads run one after the other on the host: their arithmetic is then tested, too.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/grids/impl/PackTables.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <helmholtz/HelmholtzCase.hpp>
#include <helmholtz/MeshNeighbours.hpp>
#include <helmholtz/SweepRun.hpp>

#include <cstddef>

namespace LaminaTest {

namespace Impl = Lamina::Impl;

/// A thread of a device.
struct SimulatedThread {
  int team, teams, rank;
  int league_rank() const { return team; }
  int league_size() const { return teams; }
  int team_rank() const { return rank; }
  static int team_size() { return Impl::StencilTuning::threads; }
};

/// Calls take(thread) for all threads of a few teams, so that each has several pieces.
template <class Take>
void for_all_threads(const Take& take) {
  constexpr int teams = 3;
  for (int team = 0; team < teams; ++team) {
    for (int rank = 0; rank < Impl::StencilTuning::threads; ++rank) {
      take(SimulatedThread{team, teams, rank});
    }
  }
}

/// The system of an operator with the tables that devices have.
template <class Scalar>
Lamina::TensorSystem<Scalar, Memory> system_with_tables(const HelmholtzCase<Scalar>& mesh,
                                                        const Lamina::ColumnGraph& graph) {
  auto system = mesh.op.system();
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    auto& own = system.coefficients;
    const Impl::PackTables<Scalar, Memory> tables(neighbours_of(graph));
    own.packs = tables.packs;
    own.edges = tables.edges;
    const Kokkos::View<Lamina::LevelCoefficients<Scalar>*, Memory> levels("levels",
                                                                          own.mass.extent(0));
    for (std::size_t k = 0; k < levels.extent(0); ++k) {
      levels(k) = {own.above(k), own.below(k), own.scale(k), own.inverse_scale(k)};
    }
    own.levels = levels;
  }
  return system;
}

template <class Scalar, bool InPairs>
using Items = Impl::PacksAndColumns<Scalar, Memory, InPairs>;
template <class Scalar>
using AnyColumn = Impl::ColumnStencil<Lamina::TensorCoefficients<Scalar, Memory>, Impl::many_slots>;

/// Adds the sums of a sweep to their entries. `take`: of one thread.
template <class Sweep, class Take>
void sweep_on_host(const Sweep& sweep, const Take& take) {
  Impl::SweepSums<double, Impl::SinkOf<Sweep>> sums;
  for_all_threads([&](const SimulatedThread& thread) { sums += take(thread); });
  for (int n = 0; n < sums.count; ++n) Impl::sums_of(sweep)[n] = sums[n];
}

/// A sweep over single columns.
template <class System, class Sweep>
void sweep_columns(const System& system, const Sweep& sweep) {
  using Stencil = AnyColumn<typename System::scalar_type>;
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    Impl::StencilChunks chunks{system.topology.num_owned, system.topology.num_levels};
    chunks.levels = system.topology.num_levels;
    const Impl::SweepShare<System, Stencil, Sweep> share{system, chunks};
    sweep_on_host(sweep, [&](const SimulatedThread& thread) {
      return share.take(thread, sweep.begin(false), Stencil());
    });
  } else {
    const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
    Impl::traverse_on_device<Stencil>("LaminaTest::columns", TEST_SPACE(), system, sweep, scratch);
    Kokkos::fence();
  }
}

/// The pieces of packs and columns: `levels` to a chunk.
template <class ItemsOf, class System>
Impl::ColumnAndPackChunks chunks_of(const System& system, int levels) {
  const int num_levels = system.topology.num_levels, count = (num_levels + levels - 1) / levels;
  const Impl::StencilChunks columns{ItemsOf::num_columns(system), num_levels, count, levels},
      packs{ItemsOf::num_packs(system), num_levels, count, levels};
  return {columns, packs};
}

/// A sweep over packs or pairs, and over the other columns.
template <bool InPairs, class System, class Sweep>
void sweep_mixed(const System& system, const Sweep& sweep) {
  using Mesh = Items<typename System::scalar_type, InPairs>;
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    const Impl::MixedTraversal<Mesh, Sweep> kernel{
        system, sweep, chunks_of<Mesh>(system, 3), {}, nullptr};
    sweep_on_host(sweep, [&](const SimulatedThread& thread) {
      return kernel.take(thread, sweep.begin(false));
    });
  } else {
    const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
    constexpr int own_teams = Impl::pair_teams<Sweep>, pair_teams = own_teams > 0 ? own_teams : 2;
    constexpr int teams = InPairs ? pair_teams : Impl::StencilTuning::least_teams;
    Impl::traverse_mixed<Mesh, teams>("LaminaTest::mixed", TEST_SPACE(), system, sweep, scratch);
    Kokkos::fence();
  }
}

/// <z, A z> over the edges that packs or pairs and the other columns list.
template <bool InPairs, class System, class Sweep>
void measure_mixed(const System& system, const Sweep& sweep) {
  using Mesh = Items<typename System::scalar_type, InPairs>;
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    const Impl::MixedEdgeSums<Mesh, Sweep> kernel{
        system, sweep, chunks_of<Mesh>(system, 3), {}, nullptr};
    double sum = 0;
    for_all_threads(
        [&](const SimulatedThread& thread) { sum += kernel.take(thread, sweep.begin(false)); });
    *sweep.sums() = sum;
  } else {
    const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
    Impl::sum_edges_mixed<Mesh>("LaminaTest::mixed", TEST_SPACE(), system, sweep, scratch);
    Kokkos::fence();
  }
}

/// <z, A z> over the edges that all columns list.
template <class System, class Sweep>
void measure_columns(const System& system, const Sweep& sweep) {
  using Scalar = typename System::scalar_type;
  using Sides = Impl::FewSides<Scalar, Memory, true>;
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    Impl::StencilChunks chunks{system.topology.num_owned, system.topology.num_levels};
    chunks.levels = system.topology.num_levels;
    const Impl::EdgeSumsShare<Scalar, Memory, Sides> share{system, chunks};
    const auto pass = sweep.begin(false);
    const Scalar unit = sweep.unit(sweep.energy());
    double sum = 0;
    for_all_threads([&](const SimulatedThread& thread) {
      sum += share.take(thread, pass.source, unit, share.prepare(thread));
    });
    *sweep.sums() = sum;
  } else {
    const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
    Impl::sum_edges_on_device<Sides>("LaminaTest::edges", TEST_SPACE(), system, sweep, scratch);
    Kokkos::fence();
  }
}

}  // namespace LaminaTest
