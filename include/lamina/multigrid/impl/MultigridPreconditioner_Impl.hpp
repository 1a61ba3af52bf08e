// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/krylov/impl/OwnedColumns.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace Lamina {

namespace Impl {

template <class Scalar>
std::vector<Scalar> rounded_weights(const std::vector<double>& weights) {
  std::vector<Scalar> result;
  result.reserve(weights.size());
  for (const double weight : weights) result.push_back(static_cast<Scalar>(weight));
  return result;
}

/// How many tiles of coarse columns a restriction should have, see `compact_tiles`.
template <class Space>
int least_tiles(const Space& space) {
  // Devices restrict from memory, a coarse column at a time.
  if (!runs_on_host<Space>) return std::numeric_limits<int>::max();
  return 2 * static_cast<int>(space.concurrency());
}

/// The transfers of a level, and what they need for `space`.
/// \param transfer    that is prolonged with
/// \param restricted  the same with what is restricted to in the place of coarse columns
/// \param tiles       of `Restriction` or `TiledRestriction`
template <class Space, class Scalar, class Memory>
void make_transfers(const Space& space, const ColumnTransfer& transfer,
                    const ColumnTransfer& restricted, const std::vector<int>& tiles,
                    CycleLevel<Scalar, Memory>& level) {
  using Restricts = decltype(level.restriction);
  if constexpr (!runs_on_host<Space>) {
    if (!level.packs.empty()) {
      level.packs.prolongation = PackedProlongation<Scalar, Memory>(transfer);
      level.packs.restriction = PackedRestriction<Scalar, Memory>(restricted, tiles);
      return;
    }
  }
  level.prolongation = Prolongation<Scalar, Memory>(transfer);
  level.restriction = Restricts(restricted, tiles);
  if constexpr (runs_on_host<Space>) {
    level.residuals = Kokkos::View<Scalar*, Memory>(
        Kokkos::view_alloc("Lamina::MultigridPreconditioner::residuals",
                           Kokkos::WithoutInitializing),
        static_cast<std::size_t>(space.concurrency()) *
            static_cast<std::size_t>(level.restriction.most_fine) *
            static_cast<std::size_t>(level.system.topology.num_levels));
  }
}

}  // namespace Impl

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> MultigridPreconditioner<Scalar, Memory>::MultigridPreconditioner(
    const Space& space, const ColumnHierarchy& hierarchy, const VerticalGrid& grid,
    const HelmholtzParameters& equation, const MultigridParameters& parameters) {
  LAMINA_REQUIRE(!hierarchy.levels().front().is_shared, "MultigridPreconditioner",
                 "hierarchy: expected one of one process, or a transport");
  make_levels(space, nullptr, hierarchy, grid, equation, parameters);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> MultigridPreconditioner<Scalar, Memory>::MultigridPreconditioner(
    const Space& space, const Transport& transport, const ColumnHierarchy& hierarchy,
    const VerticalGrid& grid, const HelmholtzParameters& equation,
    const MultigridParameters& parameters) {
  const bool several = transport.size() > 1;
  Impl::run_agreed(transport, [&] {
    LAMINA_REQUIRE(several == hierarchy.levels().front().is_shared, "MultigridPreconditioner",
                   "hierarchy: expected one of the ranks of the transport");
  });
  require_same_cycle(transport, hierarchy, grid, equation, parameters);
  make_levels(space, several ? &transport : nullptr, hierarchy, grid, equation, parameters);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void MultigridPreconditioner<Scalar, Memory>::make_levels(const Space& space,
                                                          const Transport* transport,
                                                          const ColumnHierarchy& hierarchy,
                                                          const VerticalGrid& grid,
                                                          const HelmholtzParameters& equation,
                                                          const MultigridParameters& parameters) {
  const std::vector<double> stiffness = find_stiffness(transport, hierarchy, equation.omega2);
  int count = 0, num_shared = 0;
  Impl::run_agreed(transport, [&] {
    m_weights = Impl::rounded_weights<Scalar>(Impl::smoothing_weights(parameters.steps));
    m_reversed_weights.assign(m_weights.rbegin(), m_weights.rend());
    count = Impl::count_used_levels(stiffness, parameters);
    m_coarsest_weights = Impl::rounded_weights<Scalar>(
        Impl::coarsest_weights(stiffness[static_cast<std::size_t>(count - 1)]));
  });
  const auto& levels = hierarchy.levels();
  while (num_shared < count && levels[static_cast<std::size_t>(num_shared)].is_shared) ++num_shared;
  std::vector<Impl::LevelRings> rings;
  if (num_shared > 0) {
    rings = Impl::find_rings(*transport, levels, static_cast<std::size_t>(num_shared) - 1,
                             Impl::rings_of_steps(parameters.steps));
  }
  std::optional<HelmholtzOperator<Scalar, Memory>> first;
  Impl::run_agreed(transport, [&] {
    first = HelmholtzOperator<Scalar, Memory>::on_level(hierarchy.finest_mesh(), grid, equation);
  });
  if (wants_packs<Space>(transport, *first)) {
    m_packed_levels = Impl::packed_levels(first->num_levels());
  }
  Impl::run_agreed(transport, [&] {
    if (m_packed_levels > 0) {
      m_ends = Kokkos::View<int*, Memory>(
          Kokkos::view_alloc("Lamina::MultigridPreconditioner::ends", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(first->num_owned()));
      Kokkos::deep_copy(m_ends, first->num_levels());
    }
    for (int l = 0; l < count; ++l) {
      const auto n = static_cast<std::size_t>(l);
      const bool is_shared = l < num_shared, has_rings = is_shared && l > 0;
      const ColumnGraph& graph = has_rings ? rings[n].graph : levels[n].graph;
      const auto op =
          l == 0 ? *first : finest().on_coarser_level(ColumnMesh<Kokkos::HostSpace>(graph));
      const std::size_t num_rows = has_rings && l == 1 ? levels[0].rows.columns.size() : 0;
      m_levels.push_back(make_level(space, op, l, num_rows, is_shared));
      if (has_rings) m_levels.back().ring_ends = rings[n].ends;
      if (l + 1 < count) make_transfers(space, hierarchy, rings, l);
    }
  });
  if (transport != nullptr) connect_ranks(*transport, hierarchy, rings);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void MultigridPreconditioner<Scalar, Memory>::make_transfers(
    const Space& space, const ColumnHierarchy& hierarchy,
    const std::vector<Impl::LevelRings>& rings, int l) {
  const auto n = static_cast<std::size_t>(l);
  Impl::CycleLevel<Scalar, Memory>& level = m_levels[n].data;
  const int least_tiles = Impl::least_tiles(space);
  const ColumnTransfer& transfer =
      n < rings.size() ? rings[n].transfer : hierarchy.levels()[n].transfer;
  if (n < rings.size() && (l == 0 || n + 1 == rings.size())) {
    const Impl::RowTransfer rows = Impl::row_transfer(hierarchy, l, least_tiles);
    return Impl::make_transfers(space, transfer, rows.transfer, rows.tiles, level);
  }
  auto tiles = Impl::compact_tiles(hierarchy, l + 1, least_tiles);
  if (n + 1 < rings.size()) tiles.resize(rings[n + 1].graph.areas.size(), -1);
  Impl::make_transfers(space, transfer, transfer, tiles, level);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
bool MultigridPreconditioner<Scalar, Memory>::wants_packs(
    const Transport* transport, const HelmholtzOperator<Scalar, Memory>& op) const {
  if constexpr (runs_on_host<Space>) return false;
  const bool mine = op.system().coefficients.packs.empty();
  if (transport == nullptr) return mine;
  const auto all = Impl::gather_values(*transport, mine ? 1.0 : 0.0);
  return std::find(all.begin(), all.end(), 0.0) == all.end();
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
Impl::CycleLevel<Scalar, Memory> MultigridPreconditioner<Scalar, Memory>::make_data(
    const Space& space, const HelmholtzOperator<Scalar, Memory>& op) const {
  Impl::CycleLevel<Scalar, Memory> data{};
  if constexpr (!runs_on_host<Space>) {
    if (m_packed_levels > 0) {
      data.system = op.with_levels(m_packed_levels).system();
      data.packs = Impl::make_tensor_tables(space, data.system);
      return data;
    }
  }
  data.system = op.system();
  data.lines =
      op.make_line_workspace(space, Impl::plain_helmholtz_segments<Scalar>(op.num_levels()));
  return data;
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
auto MultigridPreconditioner<Scalar, Memory>::make_level(
    const Space& space, const HelmholtzOperator<Scalar, Memory>& op, int l, std::size_t num_rows,
    bool is_shared) const -> Level {
  auto data = make_data(space, op);
  const auto columns = static_cast<std::size_t>(op.num_columns()),
             levels = static_cast<std::size_t>(data.system.topology.num_levels);
  const auto allocate = [&](const char* name, std::size_t rows) {
    const std::string label = std::string("Lamina::MultigridPreconditioner::") + name;
    // Kernels read places that no message fills: unused ones, and those after the last ring. Nothing of them gets
    // into owned columns, but they must be numbers.
    if (is_shared) return Storage(label, rows * levels);
    return Storage(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), rows * levels);
  };
  const bool has_all = l > 0 || runs_on_host<Space> || m_packed_levels > 0;
  const std::size_t coarser = has_all ? columns : 0;
  const std::size_t rhs_rows = std::max(coarser, num_rows);
  return {.labels = Impl::CycleLabels(l),
          .op = op,
          .data = std::move(data),
          .rhs = allocate("rhs", rhs_rows),
          .solution = allocate("solution", coarser),
          .other = allocate("other", columns),
          .rhs_rows = static_cast<int>(rhs_rows),
          .is_shared = is_shared};
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
double MultigridPreconditioner<Scalar, Memory>::required_bytes(
    const Space& space, const ColumnGridSize& size, const MultigridParameters& parameters) {
  // Entries of P and of its transpose; fine columns of tiles, some of them in several ones.
  constexpr double of_row =
      ColumnTransfer::max_entries * 2 * (sizeof(int) + sizeof(Scalar)) + 4 * sizeof(int);
  constexpr std::int64_t of_tile = 400;  // fine columns of 9 x 9 coarse ones and around them
  const double workers = runs_on_host<Space> ? static_cast<double>(space.concurrency()) : 0;
  const auto half = [](std::int64_t count) { return count > 1 ? count / 2 : 1; };
  const bool in_packs = Impl::may_cycle_in_packs<Space>(size);  // with pivots and links
  const std::int64_t num_levels = in_packs ? Impl::packed_levels(size.num_levels) : size.num_levels;
  // Enough small arrays for all levels together
  double bytes =
      Impl::small_arrays_bytes + Impl::level_table_bytes<Scalar, Memory>(size.num_levels);
  ColumnGridSize level = size;
  for (int l = 0; l < parameters.max_levels; ++l) {
    const std::int64_t columns = level.num_columns();
    const auto segments = Impl::plain_helmholtz_segments<Scalar>(size.num_levels);
    const double fields = in_packs ? 4 : (l == 0 && !runs_on_host<Space> ? 1 : 3);
    bytes += static_cast<double>(columns * level.max_neighbours) * sizeof(int) +
             Impl::column_table_bytes<Scalar, Memory>(columns, level.max_neighbours) +
             Impl::LineWorkspace<Scalar, Memory>::required_bytes(space, columns, size.num_levels,
                                                                 segments) +
             static_cast<double>(columns) * of_row +
             workers * static_cast<double>(std::min(columns, of_tile) * size.num_levels) *
                 sizeof(Scalar) +
             fields * static_cast<double>(columns * num_levels) * sizeof(Scalar);
    if (in_packs) {
      bytes += static_cast<double>(columns) * (level.max_neighbours + 8) *
               sizeof(Impl::WeightedRow<Scalar>);
    }
    if (columns <= 1) break;
    level.num_rows = half(level.num_rows);
    level.row_length = half(level.row_length);
  }
  return bytes;
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out>
void MultigridPreconditioner<Scalar, Memory>::smooth(
    const Space& space, const Impl::CycleGuard<Memory>& guard, const Impl::TeamParts<Memory>& parts,
    const Level& level, const std::vector<Scalar>& weights, std::size_t first, const In& f,
    const In& coarse, Impl::KnownRings& known, Out& x, Out& other, double* energy) const {
  using Kernels = Impl::CycleKernels<Space, Scalar, typename Out::array_layout>;
  for (std::size_t k = first; k < weights.size(); ++k) {
    Impl::need_rings(space, level.halo, 1, x, known);
    const bool prolongs = k == first && coarse.data() != nullptr;
    if (prolongs) known.prolong();
    double* const sum = k + 1 == weights.size() ? energy : nullptr;
    // After the first step M^-1 f is x / weights[0]: the second one need not read f.
    const bool reads_f = first != 1 || k != 1 || sum != nullptr;
    const Scalar of_f = reads_f ? 0 : weights[k] / weights[0];
    Kernels::step(level.labels, space, level.data, guard, parts,
                  {.keep = 1 - weights[k] + of_f,
                   .weight = weights[k],
                   .f = reads_f ? f : In(),
                   .x = x,
                   .to = other,
                   .c = prolongs ? coarse : In(),
                   .energy = sum,
                   .num_columns = known.columns_after_step()});
    known.step();
    std::swap(x, other);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out>
void MultigridPreconditioner<Scalar, Memory>::restrict_to(const Space& space,
                                                          const Impl::CycleGuard<Memory>& guard,
                                                          const Level& level, const Level& coarser,
                                                          const In& f, const In& x, const Out& r,
                                                          const Out& coarse_f) const {
  using Layout = typename Out::array_layout;
  using Kernels = Impl::CycleKernels<Space, Scalar, Layout>;
  if (level.rows.exchange.empty()) {
    Kernels::restrict_residual(level.labels, space, level.data, guard, f, x, r, coarse_f);
  } else {
    const auto rows = Impl::first_columns(
        coarser.is_shared ? field<Layout>(coarser, coarser.rhs, coarser.rhs_rows)
                          : field<Layout>(level, level.row_values, level.rows.num_rows),
        level.rows.num_rows);
    Kernels::restrict_residual(level.labels, space, level.data, guard, f, x, r, rows);
    Impl::exchange_halo(space, level.rows.exchange, rows);
    Impl::sum_rank_rows(level.labels.sum_rows, space, guard, level.rows, Impl::as_const_field(rows),
                        coarse_f);
  }
  Impl::exchange_halo(space, coarser.halo, coarse_f);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out>
void MultigridPreconditioner<Scalar, Memory>::descend(const Space& space,
                                                      const Impl::CycleGuard<Memory>& guard,
                                                      const Impl::TeamParts<Memory>& parts, int l,
                                                      const In& f, const Out& x) const {
  using Layout = typename Out::array_layout;
  using Kernels = Impl::CycleKernels<Space, Scalar, Layout>;
  const Level& level = m_levels[static_cast<std::size_t>(l)];
  const bool coarsest = l + 1 == num_used_levels();
  double* const energy =
      l == 0 && guard.guarded ? guard.step.now + FusedStep<Memory>::energy : nullptr;
  const auto& before = coarsest ? m_coarsest_weights : m_weights;
  // Each step leaves its result in the other field, the last one in x.
  const std::size_t steps = before.size() + (coarsest ? 0 : m_reversed_weights.size());
  Out now = x, other = field<Layout>(level, level.other);
  if ((steps - 1) % 2 == 1) std::swap(now, other);

  Impl::KnownRings known(level.ring_ends, level.op.num_owned());
  Kernels::first_step(level.labels, space, level.data, guard, before[0], f, now);
  smooth(space, guard, parts, level, before, 1, f, In(), known, now, other,
         coarsest ? energy : nullptr);
  if (coarsest) return;
  const Level& coarser = m_levels[static_cast<std::size_t>(l) + 1];
  const auto coarse_f = rhs_field<Layout>(coarser),
             coarse_x = field<Layout>(coarser, coarser.solution);
  // Where no rows are exchanged, what is restricted takes residuals of the first ring.
  Impl::need_rings(space, level.halo, level.rows.exchange.empty() ? 2 : 1, now, known);
  restrict_to(space, guard, level, coarser, f, Impl::as_const_field(now), other, coarse_f);
  descend(space, guard, parts, l + 1, Impl::as_const_field(coarse_f), coarse_x);
  Impl::exchange_halo(space, coarser.halo, coarse_x);
  smooth(space, guard, parts, level, m_reversed_weights, 0, f, Impl::as_const_field(coarse_x),
         known, now, other, energy);
}

}  // namespace Lamina
