// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {
namespace {

/// Columns that steps of a level work on, all together, but for the first step.
/// \param before, after  steps before and after the coarser level
double columns_of_steps(const std::vector<int>& ring_ends, int num_owned, std::size_t before,
                        std::size_t after) {
  Impl::KnownRings known(ring_ends, num_owned);
  double columns = 0;
  const auto take = [&](std::size_t steps) {
    for (std::size_t n = 0; n < steps; ++n) {
      if (known.lacks(1)) known.exchanged();
      columns += known.columns_after_step();
      known.step();
    }
  };
  take(before - 1);
  if (after > 0) known.prolong();
  take(after);
  return columns;
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
Impl::CountedKernels MultigridPreconditioner<Scalar, Memory>::counted_kernels() const {
  Impl::CountedKernels kernels;
  const auto take = [&](const std::string& label, double calls, double fields, double more,
                        double flops) {
    kernels.push_back({calls, {label, fields * sizeof(Scalar) + more, flops}});
  };
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    const Impl::CycleLabels& labels = m_levels[l].labels;
    const auto& [system, packs, lines, prolongation, restriction, residuals] = m_levels[l].data;
    const double cells = system.topology.cells(), stencil = system.coefficients.stencil_bytes(),
                 line = system.coefficients.line_bytes(),
                 kept =
                     packs.empty() ? lines.values_off_chip() : 1;  // fields that line solves read
    const bool coarsest = l + 1 == m_levels.size();
    const std::size_t before = (coarsest ? m_coarsest_weights : m_weights).size(),
                      after = coarsest ? 0 : m_reversed_weights.size();
    const int num_owned = system.topology.num_owned;
    const double steps = static_cast<double>(before + after) - 1,
                 part = columns_of_steps(m_levels[l].ring_ends, num_owned, before, after) /
                        std::max(1.0, steps * num_owned);
    take(labels.first_step, 1, (2 + kept) * cells, line, 12 * cells);
    // The second one does not read the right-hand side, unless it is the last one of the finest level: that may
    // add up an energy.
    const double without = before > (l == 0 && coarsest ? 2 : 1) ? 1 / steps : 0;
    take(labels.step, steps, part * (3 - without + kept) * cells, part * (stencil + line),
         part * (24 - 2 * without) * cells);
    if (coarsest) continue;
    double coarse = static_cast<double>(restriction.num_coarse()) * system.topology.num_levels,
           of_restriction = restriction.bytes(), of_prolongation = prolongation.bytes();
    if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
      if (!packs.empty()) {
        coarse = static_cast<double>(packs.restriction.num_rows()) * system.topology.num_levels;
        of_restriction = packs.restriction.bytes();
        of_prolongation = packs.prolongation.bytes();
      }
    }
    if constexpr (std::is_same_v<Memory, Kokkos::HostSpace>) {
      take(labels.restriction, 1, 2 * cells + coarse, stencil + of_restriction,
           (6 + 22 * restriction.repetition(system.topology.num_owned)) * cells);
    } else {
      take(labels.residual, 1, 3 * cells, stencil, 22 * cells);
      take(labels.restriction, 1, cells + coarse, of_restriction, 6 * cells);
    }
    if (!m_levels[l].rows.exchange.empty()) {
      const auto& sums = m_levels[l].rows;
      const double rows = static_cast<double>(sums.rows.extent(0)),
                   columns = static_cast<double>(sums.columns.extent(0)),
                   levels = system.topology.num_levels;
      take(labels.sum_rows, 1, (rows + columns) * levels, (rows + 2 * columns) * sizeof(int),
           (rows - columns) * levels);
    }
    take(labels.prolongation, 1, 2 * cells + coarse, of_prolongation, 6 * cells);
  }
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
void MultigridPreconditioner<Scalar, Memory>::require_same_cycle(
    const Transport& transport, const ColumnHierarchy& hierarchy, const VerticalGrid& grid,
    const HelmholtzParameters& equation, const MultigridParameters& parameters) {
  const auto& levels = hierarchy.levels();
  const auto num_shared = std::count_if(levels.begin(), levels.end(),
                                        [](const auto& level) { return level.is_shared; });
  Impl::require_same("MultigridPreconditioner", transport,
                     {{"steps", static_cast<double>(parameters.steps)},
                      {"max_levels", static_cast<double>(parameters.max_levels)},
                      {"omega2", equation.omega2},
                      {"lambda2", equation.lambda2},
                      {"levels of the grid", static_cast<double>(grid.num_levels())},
                      {"levels of the hierarchy", static_cast<double>(hierarchy.num_levels())},
                      {"shared levels of the hierarchy", static_cast<double>(num_shared)}});
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<double> MultigridPreconditioner<Scalar, Memory>::find_stiffness(
    const Transport* transport, const ColumnHierarchy& hierarchy, double omega2) {
  std::vector<double> stiffness;
  for (const HierarchyLevel& level : hierarchy.levels()) {
    const double mine = Impl::largest_stiffness(level.graph, omega2);
    double largest = mine;
    if (level.is_shared) {
      for (const double other : Impl::gather_values(*transport, mine)) {
        largest = std::max(largest, other);
      }
    }
    stiffness.push_back(largest);
  }
  return stiffness;
}

template <FieldScalar Scalar, MemorySpace Memory>
void MultigridPreconditioner<Scalar, Memory>::connect_ranks(
    const Transport& transport, const ColumnHierarchy& hierarchy,
    const std::vector<Impl::LevelRings>& rings) {
  const auto num_levels = static_cast<std::size_t>(cycle_levels());
  const std::size_t bytes = num_levels * sizeof(Scalar);
  m_ranks = Decomposition<Memory>(transport, hierarchy.levels().front().halo,
                                  num_levels * sizeof(double));
  for (std::size_t l = 0; l < rings.size(); ++l) {
    Level& level = m_levels[l];
    level.halo = l == 0 ? m_ranks.halo : HaloExchange<Memory>(transport, rings[l].halo, bytes);
    const bool is_last = l + 1 == rings.size();
    if (l + 1 == m_levels.size() || (l > 0 && !is_last)) continue;
    level.rows = Impl::RankRows<Memory>(transport, hierarchy.levels()[l].rows, !is_last, bytes);
    if (!is_last) continue;
    Impl::run_agreed(transport, [&] {
      level.row_values = Storage(
          Kokkos::view_alloc("Lamina::MultigridPreconditioner::rows", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(level.rows.num_rows) * num_levels);
    });
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> MultigridPreconditioner<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  Impl::append_costs(counted_kernels(), costs);
  const double copy = 2 * finest().system().topology.cells() * sizeof(Scalar);
  if (std::is_same_v<Memory, Kokkos::HostSpace>) {
    costs.push_back({"Lamina::MultigridPreconditioner::turn", copy});
  }
  if (m_packed_levels > 0) {
    for (const char* label : {Impl::turn_r_label, Impl::turn_z_label}) {
      costs.push_back({label, copy});
    }
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost MultigridPreconditioner<Scalar, Memory>::cycle_cost() const {
  KernelCost cost{"Lamina::MultigridPreconditioner::solve"};
  Impl::add_calls(counted_kernels(), cost);
  return cost;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class MultigridPreconditioner<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
