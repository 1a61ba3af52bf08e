// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {

namespace Impl {
namespace {

/// A View in `Memory` with values of the host.
template <class Memory, class Value>
Kokkos::View<const Value*, Memory> view_of(const char* label, const std::vector<Value>& values) {
  const Kokkos::View<Value*, Memory> view(
      Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                values.data(), values.size()));
  return view;
}
template <class Memory, class Value, class Rows>
Kokkos::View<const Value**, Kokkos::LayoutLeft, Memory> table_of(const char* label,
                                                                 const Rows& rows) {
  const Kokkos::View<Value**, Kokkos::LayoutLeft, Memory> table(
      Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), rows.size(),
      static_cast<std::size_t>(ColumnTransfer::max_entries));
  const auto host = Kokkos::create_mirror_view(table);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t n = 0; n < rows[c].size(); ++n) host(c, n) = static_cast<Value>(rows[c][n]);
  }
  Kokkos::deep_copy(table, host);
  return table;
}

}  // namespace

template <class Scalar, class Memory>
TransferTables<Scalar, Memory>::TransferTables(const ColumnTransfer& transfer, int num_coarse)
    : columns(table_of<Memory, int>("Lamina::MultigridPreconditioner::columns", transfer.columns)),
      weights(
          table_of<Memory, Scalar>("Lamina::MultigridPreconditioner::weights", transfer.weights)) {
  std::vector<int> first(static_cast<std::size_t>(num_coarse) + 1, 0);
  const auto for_each_entry = [&](const auto& visit) {
    for (std::size_t c = 0; c < transfer.columns.size(); ++c) {
      for (std::size_t n = 0; n < transfer.columns[c].size(); ++n) {
        if (transfer.weights[c][n] == 0) continue;
        visit(static_cast<std::size_t>(transfer.columns[c][n]), static_cast<int>(c),
              static_cast<Scalar>(transfer.weights[c][n]));
      }
    }
  };
  for_each_entry([&](std::size_t coarse, int, Scalar) { ++first[coarse + 1]; });
  for (std::size_t c = 0; c + 1 < first.size(); ++c) first[c + 1] += first[c];
  std::vector<int> next(first.begin(), first.end() - 1),
      columns_of(static_cast<std::size_t>(first.back()));
  std::vector<Scalar> weights_of(columns_of.size());
  for_each_entry([&](std::size_t coarse, int fine, Scalar weight) {
    const auto place = static_cast<std::size_t>(next[coarse]++);
    columns_of[place] = fine;
    weights_of[place] = weight;
  });
  begin = view_of<Memory>("Lamina::MultigridPreconditioner::begin", first);
  fine_columns = view_of<Memory>("Lamina::MultigridPreconditioner::fine_columns", columns_of);
  fine_weights = view_of<Memory>("Lamina::MultigridPreconditioner::fine_weights", weights_of);
}

#define LAMINA_INSTANTIATE_TABLES(Scalar, Memory) template struct TransferTables<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE_TABLES)

}  // namespace Impl

template <FieldScalar Scalar, MemorySpace Memory>
auto MultigridPreconditioner<Scalar, Memory>::counted_kernels() const
    -> std::vector<CountedKernel> {
  constexpr bool on_device = !std::is_same_v<Memory, Kokkos::HostSpace>;
  enum { first_step, step, residual, restriction, prolongation, add, count };
  std::vector<CountedKernel> kernels(count);
  const std::array<const char*, count> names{"first_step", "step",    "residual",
                                             "restrict",   "prolong", "add"};
  for (std::size_t n = 0; n < count; ++n) {
    kernels[n].total.label = std::string("Lamina::MultigridPreconditioner::") + names[n];
  }
  const auto take = [&](std::size_t n, double calls, double fields, double more, double flops) {
    kernels[n].calls += calls;
    kernels[n].total.bytes += calls * (fields * sizeof(Scalar) + more);
    kernels[n].total.flops += calls * flops;
  };
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    const auto& [system, lines, transfer] = m_levels[l].data;
    const double cells = system.topology.cells(), stencil = system.coefficients.stencil_bytes(),
                 line = system.coefficients.line_bytes();
    const bool coarsest = l + 1 == m_levels.size();
    const double steps = coarsest ? static_cast<double>(m_coarsest_weights.size()) - 1
                                  : 2 * static_cast<double>(m_weights.size()) - 1;
    take(first_step, 1, 2 * cells, line, 12 * cells);
    take(step, steps, (on_device ? 2 : 3) * cells, on_device ? line : stencil + line,
         (on_device ? 13 : 35) * cells);
    take(add, on_device ? steps : 0, 3 * cells, 0, cells);
    take(residual, (coarsest ? 0 : 1) + (on_device ? steps : 0), 3 * cells, stencil, 22 * cells);
    if (coarsest) continue;
    const double coarse = static_cast<double>(transfer.num_coarse()) * system.topology.num_levels;
    take(restriction, 1, cells + coarse, transfer.bytes(), 6 * cells);
    take(prolongation, 1, 2 * cells + coarse, transfer.bytes(), 7 * cells);
  }
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> MultigridPreconditioner<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  for (const auto& [calls, total] : counted_kernels()) {
    if (calls > 0) costs.push_back({total.label, total.bytes / calls, total.flops / calls});
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost MultigridPreconditioner<Scalar, Memory>::cycle_cost() const {
  KernelCost cost{"Lamina::MultigridPreconditioner::solve"};
  for (const auto& [calls, total] : counted_kernels()) {
    cost.bytes += total.bytes;
    cost.flops += total.flops;
  }
  return cost;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class MultigridPreconditioner<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
