// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <cmath>
#include <cstddef>

namespace Lamina {

namespace {

/// Of points `first` to first + num_points - 1 of n, the ends of whose direction are `length` apart.
template <class Memory>
Impl::ProblemTable<Memory> make_table(int first, int num_points, int n, double length) {
  const auto count = static_cast<std::size_t>(num_points);
  Kokkos::View<double*, Memory> sin2("Lamina::PoissonProblem::sin2", count),
      cosine("Lamina::PoissonProblem::cosine", count);
  const auto host_sin2 = Kokkos::create_mirror_view(sin2);
  const auto host_cosine = Kokkos::create_mirror_view(cosine);
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < num_points; ++i) {
    const double x = (first + i + 1.0) / (n + 1.0), sine = std::sin(pi * x);
    host_sin2(i) = sine * sine;
    host_cosine(i) = std::cos(2 * pi * x) / (length * length);
  }
  Kokkos::deep_copy(sin2, host_sin2);
  Kokkos::deep_copy(cosine, host_cosine);
  return {sin2, cosine};
}

}  // namespace

template <MemorySpace Memory>
PoissonProblem<Memory>::PoissonProblem(const Rectangle& rectangle)
    : m_rectangle(rectangle), m_num_columns(rectangle.nx), m_mesh_width(1 / (rectangle.nx + 1.0)) {
  Impl::require_cells("PoissonProblem", rectangle);
  make_tables(rectangle, 0);
}

template <MemorySpace Memory>
PoissonProblem<Memory>::PoissonProblem(const LocalRectangle& local)
    : m_rectangle(local.owned),
      m_num_columns(local.halo.num_local),
      m_mesh_width(1 / (local.whole.nx + 1.0)) {
  make_tables(local.whole, local.first);
}

template <MemorySpace Memory>
void PoissonProblem<Memory>::make_tables(const Rectangle& whole, int first) {
  Impl::require_initialized("PoissonProblem");
  const auto [nx, ny] = whole;
  m_x = make_table<Memory>(first, m_rectangle.nx, nx, 1);
  m_y = make_table<Memory>(0, ny, ny, (ny + 1.0) / (nx + 1.0));
}

#define LAMINA_INSTANTIATE_CLASS(Memory) template class PoissonProblem<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_CLASS)

namespace Impl {

#define LAMINA_INSTANTIATE(Space)               \
  template struct ProblemKernels<Space, float>; \
  template struct ProblemKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Impl
}  // namespace Lamina
