// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/impl/ColumnPacks.hpp>
#include <lamina/helmholtz/impl/VerticalVectors.hpp>

#include <string>

namespace Lamina {
namespace {

template <class Scalar, class Memory, class HostArray>
Kokkos::View<const Scalar*, Memory> rounded(const std::string& name, const HostArray& values) {
  const auto size = static_cast<std::size_t>(values.size());
  Kokkos::View<Scalar*, Memory> view(
      Kokkos::view_alloc("Lamina::HelmholtzOperator::" + name, Kokkos::WithoutInitializing), size);
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < size; ++i) host(i) = static_cast<Scalar>(values[i]);
  Kokkos::deep_copy(view, host);
  return view;
}

/// The vertical vectors, followed by zeros for the levels that a line solve on a device pads its
/// columns with: the rest of a segment, and up to three empty ones.
template <class Scalar, class Memory>
auto level_table(const Impl::VerticalVectors& vertical) {
  const std::size_t size = vertical.mass.size(), padding = 4 * Impl::long_helmholtz_segment;
  const Kokkos::View<Impl::LevelCoefficients<Scalar>*, Memory> table(
      "Lamina::HelmholtzOperator::levels", size + padding);
  const auto host = Kokkos::create_mirror_view(table);
  for (std::size_t k = 0; k < size; ++k) {
    host(k) = {static_cast<Scalar>(vertical.above[k]), static_cast<Scalar>(vertical.below[k]),
               static_cast<Scalar>(vertical.scale[k]),
               static_cast<Scalar>(vertical.inverse_scale[k])};
  }
  Kokkos::deep_copy(table, host);
  return table;
}

/// The mesh as packs of the width that devices read at once.
template <class Scalar, class Memory>
Impl::ColumnPacks<Scalar, Memory> column_packs(const Impl::HostNeighbours& neighbours) {
  constexpr std::size_t width = Impl::pack_width<Scalar>;
  const auto packs = Impl::find_column_packs(neighbours, static_cast<int>(width));
  const Kokkos::View<int* [4], Kokkos::LayoutLeft, Memory> sides(
      "Lamina::HelmholtzOperator::pack_neighbours", packs.size());
  const Kokkos::View<Scalar* [4], Kokkos::LayoutLeft, Memory> couplings(
      "Lamina::HelmholtzOperator::pack_couplings", packs.size() * width);
  const auto host_sides = Kokkos::create_mirror_view(sides);
  const auto host_couplings = Kokkos::create_mirror_view(couplings);
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    for (std::size_t side = 0; side < 4; ++side) {
      host_sides(pack, side) = packs[pack].neighbours[side];
      for (std::size_t i = 0; i < width; ++i) {
        host_couplings(pack * width + i, side) =
            static_cast<Scalar>(packs[pack].couplings[side][i]);
      }
    }
  }
  Kokkos::deep_copy(sides, host_sides);
  Kokkos::deep_copy(couplings, host_couplings);
  return {sides, couplings, Impl::each_edge_once(packs, static_cast<int>(width))};
}

template <class Scalar, class Memory>
Impl::ColumnEdges<Scalar, Memory> column_edges(const Impl::HostNeighbours& neighbours) {
  const auto edges = Impl::find_column_edges(neighbours);
  const Kokkos::View<int* [2], Kokkos::LayoutLeft, Memory> columns(
      "Lamina::HelmholtzOperator::edge_neighbours", edges.size());
  const Kokkos::View<Scalar* [2], Kokkos::LayoutLeft, Memory> couplings(
      "Lamina::HelmholtzOperator::edge_couplings", edges.size());
  const auto host_columns = Kokkos::create_mirror_view(columns);
  const auto host_couplings = Kokkos::create_mirror_view(couplings);
  for (std::size_t column = 0; column < edges.size(); ++column) {
    for (std::size_t slot = 0; slot < 2; ++slot) {
      host_columns(column, slot) = edges[column].neighbours[slot];
      host_couplings(column, slot) = static_cast<Scalar>(edges[column].couplings[slot]);
    }
  }
  Kokkos::deep_copy(columns, host_columns);
  Kokkos::deep_copy(couplings, host_couplings);
  return {columns, couplings};
}

template <class Scalar>
KernelCost stencil_cost(const char* label, const auto& data, int fields, int flops) {
  return {label, data.cells() * fields * sizeof(Scalar) + data.stencil_bytes(),
          data.cells() * flops};
}
template <class Scalar>
KernelCost line_cost(const char* label, const auto& data, double fields, int flops) {
  return {label, data.cells() * fields * sizeof(Scalar) + data.line_bytes(), data.cells() * flops};
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory>::HelmholtzOperator(const ColumnMesh<Memory>& mesh,
                                                     const VerticalGrid& grid,
                                                     const HelmholtzParameters& parameters) {
  const Impl::VerticalVectors vertical(grid, parameters);
  m_data.num_owned = mesh.num_owned();
  m_data.num_columns = mesh.num_columns();
  m_data.num_levels = grid.num_levels();
  m_data.mass = rounded<Scalar, Memory>("mass", vertical.mass);
  m_data.above = rounded<Scalar, Memory>("above", vertical.above);
  m_data.below = rounded<Scalar, Memory>("below", vertical.below);
  m_data.scale = rounded<Scalar, Memory>("scale", vertical.scale);
  m_data.inverse_scale = rounded<Scalar, Memory>("inverse_scale", vertical.inverse_scale);

  using Host = Kokkos::HostSpace;
  const auto neighbours = Kokkos::create_mirror_view_and_copy(Host(), mesh.neighbours());
  const auto couplings = Kokkos::create_mirror_view_and_copy(Host(), mesh.couplings());
  const auto areas = Kokkos::create_mirror_view_and_copy(Host(), mesh.areas());
  const auto boundary = Kokkos::create_mirror_view_and_copy(Host(), mesh.boundary_couplings());
  const auto columns = static_cast<std::size_t>(mesh.num_owned());
  const auto slots = static_cast<std::size_t>(mesh.max_neighbours());

  std::vector<double> area(columns), diffusion(columns), outer(columns);
  Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory> rounded_couplings(
      Kokkos::view_alloc("Lamina::HelmholtzOperator::couplings", Kokkos::WithoutInitializing),
      columns, slots);
  const auto host_couplings = Kokkos::create_mirror_view(rounded_couplings);
  for (std::size_t column = 0; column < columns; ++column) {
    double total = boundary(column);
    for (std::size_t n = 0; n < slots; ++n) {
      total += couplings(column, n);
      host_couplings(column, n) = static_cast<Scalar>(couplings(column, n));
    }
    area[column] = areas(column);
    diffusion[column] = total / areas(column);
    outer[column] = boundary(column);
  }
  Kokkos::deep_copy(rounded_couplings, host_couplings);
  m_data.couplings = rounded_couplings;
  m_data.neighbours = mesh.neighbours();
  m_data.area = rounded<Scalar, Memory>("area", area);
  m_data.diffusion = rounded<Scalar, Memory>("diffusion", diffusion);
  m_data.boundary = rounded<Scalar, Memory>("boundary", outer);
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    m_data.levels = level_table<Scalar, Memory>(vertical);
    m_data.packs = column_packs<Scalar, Memory>({neighbours, couplings});
    if (!m_data.packs.edges_once) {
      m_data.edges = column_edges<Scalar, Memory>({neighbours, couplings});
    }
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> HelmholtzOperator<Scalar, Memory>::kernel_costs() const {
  return {stencil_cost<Scalar>("Lamina::HelmholtzOperator::apply", m_data, 2, 21)};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> LinePreconditioner<Scalar, Memory>::kernel_costs() const {
  return {line_cost<Scalar>("Lamina::LinePreconditioner::solve", m_operator.data(),
                            2 + m_workspace.values_off_chip(), 12)};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> FusedHelmholtz<Scalar, Memory>::kernel_costs() const {
  const auto& data = m_operator.data();
  const KernelCost precondition = line_cost<Scalar>("Lamina::FusedHelmholtz::precondition", data,
                                                    2 + m_workspace.values_off_chip(), 14),
                   measure = stencil_cost<Scalar>("Lamina::FusedHelmholtz::measure", data, 1, 23),
                   advance = stencil_cost<Scalar>("Lamina::FusedHelmholtz::advance", data, 5, 27),
                   update = stencil_cost<Scalar>("Lamina::FusedHelmholtz::advance_and_update", data,
                                                 7, 31);
  std::vector<KernelCost> costs{
      precondition,
      measure,
      advance,
      update,
      stencil_cost<Scalar>("Lamina::FusedHelmholtz::residual", data, 3, 24),
      {"Lamina::FusedPcg::finish", data.cells() * 3 * sizeof(Scalar), data.cells() * 2}};
  if (in_stretches()) {  // the mean of a pass: two take turns, one of which updates the solution
    costs.push_back({"Lamina::FusedHelmholtz::iterate",
                     precondition.bytes + measure.bytes + (advance.bytes + update.bytes) / 2,
                     precondition.flops + measure.flops + (advance.flops + update.flops) / 2});
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> FusedHelmholtzStored<Scalar, Memory>::kernel_costs() const {
  const auto& data = m_operator.data();
  return {line_cost<Scalar>("Lamina::FusedHelmholtzStored::precondition", data,
                            4 + m_workspace.values_off_chip(), 18),
          stencil_cost<Scalar>("Lamina::FusedHelmholtzStored::advance", data, 7, 29),
          stencil_cost<Scalar>("Lamina::FusedHelmholtz::residual", data, 3, 24),
          {"Lamina::FusedPcgStored::finish", data.cells() * 3 * sizeof(Scalar), data.cells() * 2}};
}

#define LAMINA_INSTANTIATE(Scalar, Memory)           \
  template class HelmholtzOperator<Scalar, Memory>;  \
  template class LinePreconditioner<Scalar, Memory>; \
  template class FusedHelmholtz<Scalar, Memory>;     \
  template class FusedHelmholtzStored<Scalar, Memory>;
LAMINA_INSTANTIATE(float, Kokkos::HostSpace)
LAMINA_INSTANTIATE(double, Kokkos::HostSpace)
#if defined(KOKKOS_ENABLE_CUDA)
LAMINA_INSTANTIATE(float, Kokkos::CudaSpace)
LAMINA_INSTANTIATE(double, Kokkos::CudaSpace)
#endif

}  // namespace Lamina
