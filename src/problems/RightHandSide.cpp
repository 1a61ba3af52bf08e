// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/problems/RightHandSide.hpp>

#include <cmath>
#include <cstddef>

namespace Lamina::Impl {
namespace {

constexpr double pi = 3.14159265358979323846;

/// value(0), ..., value(size - 1)
template <class Memory, class Number = double, class Value>
Kokkos::View<const Number*, Memory> table(int size, const Value& value) {
  const Kokkos::View<Number*, Memory> view(
      Kokkos::view_alloc("Lamina::fill_rhs::table", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(size));
  const auto host = Kokkos::create_mirror_view(view);
  for (int i = 0; i < size; ++i) host(i) = value(i);
  Kokkos::deep_copy(view, host);
  return view;
}

/// Centre of interval i of `size` equal ones in (0, 1).
double centre(int i, int size) { return (i + 0.5) / size; }

}  // namespace

template <MemorySpace Memory>
SourceTables<Memory> source_tables(RightHandSide rhs, const CubedSpherePanel& panel,
                                   const VerticalGrid& grid, const LocalColumns* local) {
  const int num_x = panel.num_x(), num_y = panel.num_y(), num_levels = grid.num_levels();
  const double wave = rhs == RightHandSide::smooth ? 1 : 0;  // without waves f = 1 remains
  const auto x = [&](int i) { return -1 + 2 * centre(i, num_x); };
  const auto y = [&](int j) { return -1 + 2 * centre(j, num_y); };
  const auto areas = local == nullptr ? panel.areas() : local->graph.areas;
  const int num_columns = static_cast<int>(areas.size());
  const auto is_owned = [&](int column) {
    return local == nullptr || column < local->halo.num_owned;
  };
  return {
      .is_rough = rhs == RightHandSide::rough,
      .num_y = num_y,
      .num_levels = num_levels,
      .areas = table<Memory>(num_columns,
                             [&](int column) {
                               return is_owned(column) ? areas[static_cast<std::size_t>(column)]
                                                       : 0;
                             }),
      .numbers = table<Memory, int>(local == nullptr ? 0 : num_columns,
                                    [&](int column) {
                                      const auto n = static_cast<std::size_t>(column);
                                      return is_owned(column) ? static_cast<int>(local->columns[n])
                                                              : 0;
                                    }),
      .volumes = table<Memory>(num_levels, [&](int k) { return grid.volume(k); }),
      .x = table<Memory>(num_x, [&](int i) { return wave * x(i); }),
      .y = table<Memory>(num_y, y),
      .sin_x = table<Memory>(num_x, [&](int i) { return wave * std::sin(pi * x(i)); }),
      .cos_y = table<Memory>(num_y, [&](int j) { return std::cos(pi * y(j) / 2); }),
      .cos_z =
          table<Memory>(num_levels, [&](int k) { return std::cos(pi * centre(k, num_levels)); }),
  };
}

#define LAMINA_INSTANTIATE_TABLES(Memory)                                             \
  template SourceTables<Memory> source_tables(RightHandSide, const CubedSpherePanel&, \
                                              const VerticalGrid&, const LocalColumns*);
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_TABLES)

#define LAMINA_INSTANTIATE(Space, Scalar, Layout) \
  template struct RightHandSideKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_INSTANTIATE)

}  // namespace Lamina::Impl
