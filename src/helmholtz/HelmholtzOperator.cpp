// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/HostTable.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/impl/PackTables.hpp>
#include <lamina/grids/impl/PaddedRows.hpp>
#include <lamina/grids/impl/Reordering.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/impl/MassTerm.hpp>
#include <lamina/helmholtz/impl/VerticalVectors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace Lamina {
namespace {

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// \throws InvalidArgument for a value that `Scalar` cannot hold
template <class Scalar>
Scalar in_range(const char* name, double value) {
  const bool fits = std::abs(value) <= static_cast<double>(std::numeric_limits<Scalar>::max());
  const auto result = fits ? static_cast<Scalar>(value) : Scalar(0);
  LAMINA_REQUIRE(
      fits && (result != 0 || value == 0), "HelmholtzOperator",
      std::string(name) + ": expected values in the range of the precision, got " + text_of(value));
  return result;
}

template <class Scalar, class Memory>
Kokkos::View<const Scalar*, Memory> rounded(const char* name, const std::vector<double>& values) {
  const auto table =
      Impl::host_table<Scalar*>(std::string("Lamina::HelmholtzOperator::") + name, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) table(i) = in_range<Scalar>(name, values[i]);
  return Impl::copy_in<Memory>(table);
}

/// The vertical vectors, followed by zeros for the levels that a line solve on a device pads its
/// columns with: the rest of a segment, and up to three empty ones.
template <class Scalar, class Memory>
Kokkos::View<const LevelCoefficients<Scalar>*, Memory> level_table(
    const Impl::VerticalVectors& vertical) {
  const std::size_t size = vertical.mass.size(), padding = 4 * Impl::long_helmholtz_segment;
  std::vector<LevelCoefficients<Scalar>> table(size + padding, LevelCoefficients<Scalar>{});
  for (std::size_t k = 0; k < size; ++k) {
    table[k] = {static_cast<Scalar>(vertical.above[k]), static_cast<Scalar>(vertical.below[k]),
                static_cast<Scalar>(vertical.scale[k]),
                static_cast<Scalar>(vertical.inverse_scale[k])};
  }
  return Impl::list_of<Memory>("Lamina::HelmholtzOperator::levels", table);
}

/// Columns of an operator, or other columns in place of those it has.
/// \param neighbours  those of `columns`, in `Memory`
template <class Scalar, class Memory>
void set_columns(TensorSystem<Scalar, Memory>& system, const Impl::HostColumns& columns,
                 const Kokkos::View<const int**, Kokkos::LayoutLeft, Memory>& neighbours) {
  const std::size_t num_owned = columns.neighbours.columns.extent(0);
  const std::size_t slots = columns.neighbours.columns.extent(1);
  const auto couplings =
      Impl::host_table<Scalar**>("Lamina::HelmholtzOperator::couplings", num_owned, slots);
  for (std::size_t n = 0; n < slots; ++n) {
    for (std::size_t column = 0; column < num_owned; ++column) {
      couplings(column, n) = in_range<Scalar>("couplings", columns.neighbours.couplings(column, n));
    }
  }
  const std::vector<double> total = columns.coupling_sums();
  std::vector<double> area(num_owned), diffusion(num_owned), outer(num_owned);
  for (std::size_t column = 0; column < num_owned; ++column) {
    area[column] = columns.areas(column);
    diffusion[column] = total[column] / columns.areas(column);
    outer[column] = columns.boundary_couplings(column);
  }
  TensorCoefficients<Scalar, Memory>& coefficients = system.coefficients;
  system.topology.num_owned = static_cast<int>(num_owned);
  system.topology.num_columns = static_cast<int>(columns.areas.extent(0));
  coefficients.couplings = Impl::copy_in<Memory>(couplings);
  system.topology.neighbours = neighbours;
  coefficients.area = rounded<Scalar, Memory>("area", area);
  coefficients.diffusion = rounded<Scalar, Memory>("diffusion", diffusion);
  coefficients.boundary = rounded<Scalar, Memory>("boundary", outer);
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    const Impl::PackTables<Scalar, Memory> tables(columns.neighbours);
    coefficients.packs = tables.packs;
    coefficients.edges = tables.edges;
  }
}

Impl::HorizontalSums sums_of(const Impl::HostColumns& columns) {
  const std::vector<double> couplings = columns.coupling_sums();
  Impl::HorizontalSums sums;
  for (std::size_t column = 0; column < couplings.size(); ++column) {
    sums.add_column(columns.areas(column), couplings[column], columns.boundary_couplings(column));
  }
  return sums;
}

template <class Scalar, class Memory>
KernelCost stencil_cost(const char* label, const TensorSystem<Scalar, Memory>& system, int fields,
                        int flops) {
  const double cells = system.topology.cells();
  return {label, cells * fields * sizeof(Scalar) + system.coefficients.stencil_bytes(),
          cells * flops};
}
template <class Scalar, class Memory>
KernelCost line_cost(const char* label, const TensorSystem<Scalar, Memory>& system, double fields,
                     int flops) {
  const double cells = system.topology.cells();
  return {label, cells * fields * sizeof(Scalar) + system.coefficients.line_bytes(), cells * flops};
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory>::HelmholtzOperator(const ColumnMesh<Memory>& mesh,
                                                     const VerticalGrid& grid,
                                                     const HelmholtzParameters& parameters)
    : HelmholtzOperator(mesh.on_host(), mesh.neighbours(), grid, parameters) {
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>)
    find_order(Impl::columns_of(mesh.on_host()));
}

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory> HelmholtzOperator<Scalar, Memory>::on_level(
    const ColumnMesh<Kokkos::HostSpace>& mesh, const VerticalGrid& grid,
    const HelmholtzParameters& parameters) {
  return HelmholtzOperator(mesh, Impl::copy_in<Memory>(mesh.neighbours()), grid, parameters);
}

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory> HelmholtzOperator<Scalar, Memory>::on_coarser_level(
    const ColumnMesh<Kokkos::HostSpace>& mesh) const {
  HelmholtzOperator coarser(m_system, m_rounding_error);
  coarser.set_mesh(mesh, Impl::copy_in<Memory>(mesh.neighbours()));
  return coarser;
}

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory> HelmholtzOperator<Scalar, Memory>::with_levels(
    int num_levels) const {
  HelmholtzOperator op = *this;
  op.m_reordering = nullptr;
  if (num_levels == this->num_levels()) return op;
  op.m_system.topology.num_levels = num_levels;
  auto& of = op.m_system.coefficients;
  for (auto* vector : {&of.mass, &of.above, &of.below, &of.scale, &of.inverse_scale}) {
    const Kokkos::View<Scalar*, Memory> longer("Lamina::HelmholtzOperator::vertical_vector",
                                               static_cast<std::size_t>(num_levels));
    Kokkos::deep_copy(
        Kokkos::subview(longer, std::pair<std::size_t, std::size_t>(0, vector->size())), *vector);
    *vector = longer;
  }
  return op;
}

template <FieldScalar Scalar, MemorySpace Memory>
HelmholtzOperator<Scalar, Memory>::HelmholtzOperator(const ColumnMesh<Kokkos::HostSpace>& mesh,
                                                     const Neighbours& neighbours,
                                                     const VerticalGrid& grid,
                                                     const HelmholtzParameters& parameters) {
  const Impl::VerticalVectors vertical(grid, parameters);
  m_system.topology.num_levels = grid.num_levels();
  m_system.coefficients.mass = rounded<Scalar, Memory>("mass", vertical.mass);
  m_system.coefficients.above = rounded<Scalar, Memory>("above", vertical.above);
  m_system.coefficients.below = rounded<Scalar, Memory>("below", vertical.below);
  m_system.coefficients.scale = rounded<Scalar, Memory>("scale", vertical.scale);
  m_system.coefficients.inverse_scale =
      rounded<Scalar, Memory>("inverse_scale", vertical.inverse_scale);
  if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
    m_system.coefficients.levels = level_table<Scalar, Memory>(vertical);
  }
  set_mesh(mesh, neighbours);
  m_rounding_error =
      Impl::rounding_error(sums_of(Impl::columns_of(mesh)), vertical, Impl::RowForm::differences,
                           std::numeric_limits<Scalar>::epsilon());
}

template <FieldScalar Scalar, MemorySpace Memory>
void HelmholtzOperator<Scalar, Memory>::set_mesh(const ColumnMesh<Kokkos::HostSpace>& mesh,
                                                 const Neighbours& neighbours) {
  const Impl::HostColumns columns = Impl::columns_of(mesh);
  set_columns<Scalar, Memory>(m_system, columns, neighbours);
  const auto areas = mesh.areas();
  const auto sums = mesh.halo_coupling_sums();
  const int first_halo = Impl::halo_begin(columns);
  m_num_halo = mesh.num_columns() - first_halo;
  std::vector<double> area, diffusion;
  for (auto n = static_cast<std::size_t>(first_halo - mesh.num_owned()); n < sums.extent(0); ++n) {
    area.push_back(areas(static_cast<std::size_t>(mesh.num_owned()) + n));
    diffusion.push_back(sums(n) / area.back());
  }
  m_halo_area = rounded<Scalar, Memory>("area", area);
  m_halo_diffusion = rounded<Scalar, Memory>("diffusion", diffusion);
}

template <FieldScalar Scalar, MemorySpace Memory>
std::optional<HelmholtzOperator<Scalar, Memory>> HelmholtzOperator<Scalar, Memory>::halo_lines()
    const {
  if (static_cast<int>(m_halo_area.extent(0)) != m_num_halo) return {};
  TensorSystem<Scalar, Memory> lines = m_system;
  lines.topology.num_owned = lines.topology.num_columns = m_num_halo;
  lines.topology.neighbours = {};
  lines.coefficients.area = m_halo_area;
  lines.coefficients.diffusion = m_halo_diffusion;
  lines.coefficients.couplings = {};
  lines.coefficients.boundary = {};
  lines.coefficients.packs = {};
  lines.coefficients.edges = {};
  return HelmholtzOperator(lines, m_rounding_error);
}

template <FieldScalar Scalar, MemorySpace Memory>
void HelmholtzOperator<Scalar, Memory>::find_order(const Impl::HostColumns& columns) {
  using System = TensorSystem<Scalar, Memory>;
  auto found = Impl::find_reordering<System>(columns, [this](const Impl::HostColumns& padded,
                                                             const Impl::HostPlaces&) {
    System system = m_system;
    set_columns<Scalar, Memory>(system, padded, Impl::copy_in<Memory>(padded.neighbours.columns));
    return system;
  });
  if (found) m_reordering = std::make_shared<const Reordering>(std::move(*found));
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> HelmholtzOperator<Scalar, Memory>::kernel_costs() const {
  return {stencil_cost("Lamina::HelmholtzOperator::apply", m_system, 2, 21)};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> LinePreconditioner<Scalar, Memory>::kernel_costs() const {
  return {line_cost("Lamina::LinePreconditioner::solve", m_operator.system(),
                    2 + m_workspace.values_off_chip(), 12)};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> FusedHelmholtz<Scalar, Memory>::kernel_costs() const {
  const auto& system = m_operator.system();
  std::vector<KernelCost> costs{
      line_cost("Lamina::FusedHelmholtz::precondition", system,
                2 + m_sweeps.given().workspace.values_off_chip(), 14),
      stencil_cost("Lamina::FusedHelmholtz::measure", system, 1, 23),
      stencil_cost("Lamina::FusedHelmholtz::advance", system, 5, 27),
      stencil_cost("Lamina::FusedHelmholtz::advance_and_update", system, 7, 31),
      stencil_cost("Lamina::FusedHelmholtz::residual", system, 3, 24),
      {"Lamina::FusedModel::add", system.topology.cells() * 3 * sizeof(Scalar),
       system.topology.cells() * 2}};
  for (const KernelCost& cost : Impl::column_copy_costs(system.topology.cells() * sizeof(Scalar))) {
    costs.push_back(cost);
  }
  if (m_halo_lines) {
    const double cells = static_cast<double>(m_num_halo) * static_cast<double>(num_levels());
    costs.push_back(
        {"Lamina::FusedHelmholtz::advance_halo", cells * 3 * sizeof(Scalar), 2 * cells});
    for (const KernelCost& cost : m_halo_lines->kernel_costs()) costs.push_back(cost);
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> FusedHelmholtzStored<Scalar, Memory>::kernel_costs() const {
  const auto& system = m_operator.system();
  const double cells = system.topology.cells();
  std::vector<KernelCost> costs{
      line_cost("Lamina::FusedHelmholtzStored::precondition", system,
                4 + m_workspace.values_off_chip(), 18),
      stencil_cost("Lamina::FusedHelmholtzStored::advance", system, 7, 29),
      stencil_cost("Lamina::FusedHelmholtz::residual", system, 3, 24),
      {"Lamina::FusedPcgStored::finish", cells * 3 * sizeof(Scalar), cells * 2}};
  for (const KernelCost& cost : Impl::column_copy_costs(cells * sizeof(Scalar))) {
    costs.push_back(cost);
  }
  return costs;
}

#define LAMINA_INSTANTIATE(Scalar, Memory)           \
  template class HelmholtzOperator<Scalar, Memory>;  \
  template class LinePreconditioner<Scalar, Memory>; \
  template class FusedHelmholtz<Scalar, Memory>;     \
  template class FusedHelmholtzStored<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
