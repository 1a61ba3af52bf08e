// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>
#include <lamina/poisson/impl/GridTextures_Cuda.hpp>

#include <cstddef>
#include <string>

namespace Lamina {
namespace {

/// From a line to the next, in values: see `FusedPoisson::vector_type`.
template <class Scalar>
std::size_t line_stride(int size) {
  constexpr std::size_t transaction = 128 / sizeof(Scalar), page = 4096 / sizeof(Scalar);
  // At least one value of 0 behind each line, and whole packs of them
  std::size_t stride = (static_cast<std::size_t>(size) / transaction + 1) * transaction;
  if (stride % page == 0) stride += transaction;
  return stride;
}

KernelCost cost_of_points(const char* label, const Rectangle& rectangle, double bytes,
                          double flops) {
  return {label, rectangle.cells() * bytes, rectangle.cells() * flops};
}

int topology_place(int column) { return column < 0 ? Impl::GridTopology::none : column; }

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
PoissonOperator<Scalar, Memory>::PoissonOperator(const Rectangle& rectangle, StencilMemory memory)
    : m_rectangle(rectangle), m_num_columns(rectangle.nx), m_memory(memory) {
  Impl::require_cells("PoissonOperator", rectangle);
  const bool by_texture = memory == StencilMemory::texture1d || memory == StencilMemory::texture2d;
  if (by_texture) m_textures = Impl::make_textures<Memory>();
}

template <FieldScalar Scalar, MemorySpace Memory>
PoissonOperator<Scalar, Memory>::PoissonOperator(const LocalRectangle& local, StencilMemory memory)
    : m_rectangle(local.owned),
      m_num_columns(local.halo.num_local),
      m_before(topology_place(local.before)),
      m_behind(topology_place(local.behind)),
      m_memory(memory) {
  Impl::require_cells("PoissonOperator", local.whole);
  LAMINA_REQUIRE(memory != StencilMemory::texture1d && memory != StencilMemory::texture2d,
                 "PoissonOperator",
                 "memory: expected no textures for a part of a rectangle, got " +
                     std::string(memory == StencilMemory::texture1d ? "texture1d" : "texture2d"));
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PoissonOperator<Scalar, Memory>::kernel_costs() const {
  return {cost_of_points("Lamina::PoissonOperator::apply", m_rectangle, 2 * sizeof(Scalar), 5)};
}

template <FieldScalar Scalar, MemorySpace Memory>
typename FusedPoisson<Scalar, Memory>::vector_type FusedPoisson<Scalar, Memory>::make_vector(
    const std::string& label) const {
  return vector_type(label, static_cast<std::size_t>(m_operator.num_columns()),
                     line_stride<Scalar>(m_operator.num_levels()));
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> FusedPoisson<Scalar, Memory>::kernel_costs() const {
  const Rectangle& n = m_operator.rectangle();
  constexpr double field = sizeof(Scalar);
  std::vector<KernelCost> costs{cost_of_points("Lamina::FusedPoisson::start", n, 4 * field, 6),
                                cost_of_points("Lamina::FusedPoisson::finish", n, 3 * field, 2)};
  if (!n.is_square() || !m_ranks.halo.empty()) {  // with fields of `LayoutLeft`
    costs.push_back(cost_of_points("Lamina::FusedPoisson::copy_across", n, 2 * field, 0));
    costs.push_back(cost_of_points("Lamina::FusedPoisson::subtract_image", n, 3 * field, 6));
  }
  if (in_stretches()) {
    costs.push_back(cost_of_points("Lamina::FusedPoisson::iterate", n, 6 * field, 20));
  } else {
    // Over several ranks a sweep is a kernel for the lines beside each cut, and one for the others.
    const auto [begin, end] = grid().lines_between_cuts();
    const double pieces =
        m_ranks.halo.empty() ? 1 : 1 + (begin > 0 ? 1 : 0) + (end < num_owned() ? 1 : 0);
    costs.push_back(cost_of_points("Lamina::FusedPoisson::measure", n, field, 9));
    costs.push_back(
        cost_of_points("Lamina::FusedPoisson::advance", n, 4 * field / pieces, 9 / pieces));
    costs.push_back(cost_of_points("Lamina::FusedPoisson::advance_and_update", n,
                                   6 * field / pieces, 13 / pieces));
  }
  if (const int halo = m_operator.num_columns() - num_owned(); halo > 0) {
    costs.push_back(
        cost_of_points("Lamina::FusedPoisson::advance_halo", {halo, n.ny}, 3 * field, 2));
  }
  return costs;
}

#define LAMINA_INSTANTIATE(Scalar, Memory)        \
  template class PoissonOperator<Scalar, Memory>; \
  template class FusedPoisson<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
