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

template <FieldScalar Scalar, MemorySpace Memory>
Impl::CountedKernels MultigridPreconditioner<Scalar, Memory>::counted_kernels(int first) const {
  Impl::CountedKernels kernels;
  const auto take = [&](const std::string& label, double calls, double fields, double more,
                        double flops) {
    kernels.push_back({calls, {label, fields * sizeof(Scalar) + more, flops}});
  };
  for (auto l = static_cast<std::size_t>(first); l < m_levels.size(); ++l) {
    const Impl::CycleLabels& labels = m_levels[l].labels;
    const auto& [system, lines, prolongation, restriction, residuals] = m_levels[l].data;
    const double cells = system.topology.cells(), stencil = system.coefficients.stencil_bytes(),
                 line = system.coefficients.line_bytes();
    const bool coarsest = l + 1 == m_levels.size();
    const double steps = coarsest ? static_cast<double>(m_coarsest_weights.size()) - 1
                                  : 2 * static_cast<double>(m_weights.size()) - 1;
    take(labels.first_step, 1, (2 + lines.values_off_chip()) * cells, line, 12 * cells);
    const bool on_the_way = !coarsest && Impl::prolongs_in_step(m_levels[l].data);
    const double coarse =
        coarsest ? 0 : static_cast<double>(restriction.num_coarse()) * system.topology.num_levels;
    // One of the steps adds P c: of a column, of its neighbours, and again for the sum.
    const double more = on_the_way ? 1 / steps : 0;
    take(labels.step, steps, (3 + lines.values_off_chip()) * cells + more * coarse,
         stencil + line + more * prolongation.bytes(),
         (35 + more * 6 * (2 + Impl::few_slots)) * cells);
    if (coarsest) continue;
    take(labels.restriction, 1, 2 * cells + coarse, stencil + restriction.bytes(),
         (6 + 22 * restriction.repetition(system.topology.num_owned)) * cells);
    if (m_levels[l].is_shared) {
      const auto& sums = m_levels[l].rows;
      const double rows = static_cast<double>(sums.rows.extent(0)),
                   columns = static_cast<double>(sums.columns.extent(0)),
                   levels = system.topology.num_levels;
      take(labels.sum_rows, 1, (rows + columns) * levels, (rows + 2 * columns) * sizeof(int),
           (rows - columns) * levels);
    }
    if (!on_the_way) {
      take(labels.prolongation, 1, 2 * cells + coarse, prolongation.bytes(), 6 * cells);
    }
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
void MultigridPreconditioner<Scalar, Memory>::connect_ranks(const Transport& transport,
                                                            const ColumnHierarchy& hierarchy) {
  const auto num_levels = static_cast<std::size_t>(finest().num_levels());
  m_ranks = Decomposition<Memory>(transport, hierarchy.levels().front().halo,
                                  num_levels * sizeof(double));
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    const HierarchyLevel& from = hierarchy.levels()[l];
    Level& level = m_levels[l];
    if (!from.is_shared) break;
    const std::size_t bytes = num_levels * sizeof(Scalar);
    level.halo = l == 0 ? m_ranks.halo : HaloExchange<Memory>(transport, from.halo, bytes);
    if (l + 1 == m_levels.size()) break;
    const bool in_place = m_levels[l + 1].is_shared;
    level.rows = Impl::RankRows<Memory>(transport, from.rows, in_place, bytes);
    if (in_place) continue;
    Impl::run_agreed(transport, [&] {
      level.row_values = Storage(
          Kokkos::view_alloc("Lamina::MultigridPreconditioner::rows", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(level.rows.num_rows) * num_levels);
    });
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
void MultigridPreconditioner<Scalar, Memory>::find_resident_levels() {
  using Coarse = Impl::CoarseLevel<Scalar, Memory>;
  std::vector<Coarse> found;
  for (int l = 1; l < num_used_levels(); ++l) {
    const Level& level = m_levels[static_cast<std::size_t>(l)];
    const auto& [system, lines, prolongation, restriction, residuals] = level.data;
    if (level.is_shared || system.topology.num_owned > Impl::CycleTuning::resident_columns ||
        !lines.on_chip() || system.topology.neighbours.extent(1) > Impl::few_slots) {
      continue;
    }
    if (m_first_resident < 0) {
      m_first_resident = l;
      m_resident.num_columns = system.topology.num_owned;
      m_resident.cut = lines.carries().cut;
    }
    m_resident.most_fine = std::max(m_resident.most_fine, restriction.most_fine);
    found.push_back({system, lines.carries().values, prolongation, restriction, level.rhs.data(),
                     level.solution.data(), level.other.data()});
  }
  if (m_first_resident + static_cast<int>(found.size()) != num_used_levels()) {
    m_first_resident = -1;
    return;
  }
  // As bytes: these objects refer to memory that the levels hold.
  const Kokkos::View<unsigned char*, Memory> bytes(
      Kokkos::view_alloc("Lamina::MultigridPreconditioner::levels", Kokkos::WithoutInitializing),
      found.size() * sizeof(Coarse));
  Kokkos::deep_copy(bytes, Kokkos::View<const unsigned char*, Kokkos::HostSpace,
                                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                               reinterpret_cast<const unsigned char*>(found.data()), bytes.size()));
  m_resident_levels = bytes;
  m_resident.levels = reinterpret_cast<const Coarse*>(bytes.data());
  m_resident.count = static_cast<int>(found.size());
  m_resident.num_steps = static_cast<int>(m_weights.size());
  m_resident.num_coarsest_steps = static_cast<int>(m_coarsest_weights.size());
  std::copy(m_weights.begin(), m_weights.end(), m_resident.weights);
  std::copy(m_coarsest_weights.begin(), m_coarsest_weights.end(), m_resident.coarsest_weights);
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> MultigridPreconditioner<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  Impl::append_costs(counted_kernels(0), costs);
  if (m_first_resident > 0) {
    const KernelCost resident = cost_from(m_first_resident);
    costs.push_back(
        {"Lamina::MultigridPreconditioner::coarse_levels", resident.bytes, resident.flops});
  }
  if (std::is_same_v<Memory, Kokkos::HostSpace>) {
    costs.push_back({"Lamina::MultigridPreconditioner::turn",
                     2 * finest().system().topology.cells() * sizeof(Scalar)});
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost MultigridPreconditioner<Scalar, Memory>::cost_from(int level) const {
  KernelCost cost{"Lamina::MultigridPreconditioner::solve"};
  Impl::add_calls(counted_kernels(level), cost);
  return cost;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost MultigridPreconditioner<Scalar, Memory>::cycle_cost() const {
  return cost_from(0);
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class MultigridPreconditioner<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
