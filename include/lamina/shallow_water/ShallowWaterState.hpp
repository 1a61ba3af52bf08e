// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <string>

namespace Lamina {

/// Height Phi of the water column and velocity (U, V) of shallow water on a rectangle that is periodic,
/// or a channel along x (`WaterSides`), on a staggered grid (an Arakawa C-grid) of nx x ny cells.
/// Cells are squares of width h = 1/nx: the rectangle has the length 1 along x and ny/nx along y,
/// and for nx = ny it is the unit square. With i along x and j along y, 0 <= i < nx, 0 <= j < ny:
///
///   Phi(i, j)  at ((i + 1/2) h, (j + 1/2) h), the centre of cell (i, j)
///   U(i, j)    at (i h, (j + 1/2) h), its west edge
///   V(i, j)    at ((i + 1/2) h, j h), its south edge
///
/// \par Shapes
/// Fields are Views (i + 1, j + 1) of `LayoutLeft`, with i contiguous. They have a line of ghost
/// cells on each of the four sides: (nx + 2) x (ny + 2). `exchange` fills the ghosts from the other
/// side, or at a wall from the mirror image there; V on the wall becomes 0. Lines (i = 0) start at
/// multiples of 64 bytes, or 128 on a device, and are not a multiple of 4 KiB apart. Copies of a
/// state share its Views.
///
/// \par Several ranks
/// Made from a `WaterStrip`, it has the lines of one rank: nx and ny are those of the strip, and
/// j = 0 is its first line. `exchange` and `set` are collective.
///
/// Source, for squares: Saunders (2014), "Massively parallel solution of the shallow water equations
/// on GPU clusters", section 2.1.
template <FieldScalar Scalar, MemorySpace Memory>
class ShallowWaterState {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using field_type = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;

  /// Allocates three fields of zeros, and fences all instances of all spaces.
  /// \throws InvalidArgument for a rectangle without cells.
  explicit ShallowWaterState(const Rectangle& rectangle,
                             const std::string& label = "Lamina::ShallowWaterState")
      : ShallowWaterState(WaterStrip<Memory>(rectangle), label) {}
  /// On the unit square, of n x n cells.
  explicit ShallowWaterState(int n, const std::string& label = "Lamina::ShallowWaterState")
      : ShallowWaterState(Rectangle::square(n), label) {}
  /// Of one rank.
  explicit ShallowWaterState(const WaterStrip<Memory>& strip,
                             const std::string& label = "Lamina::ShallowWaterState");

  const WaterStrip<Memory>& strip() const { return m_strip; }
  /// The cells of this rank.
  const Rectangle& rectangle() const { return m_strip.owned(); }
  double mesh_width() const { return 1 / Impl::inverse_mesh_width(rectangle()); }

  /// (nx + 2, ny + 2), with ghosts
  const field_type& height() const { return m_height; }
  const field_type& u() const { return m_u; }
  const field_type& v() const { return m_v; }

  /// The nx x ny cells of a field (height(), u() or v()) without its ghosts, as a subview.
  field_type cells(const field_type& field) const { return Impl::cells_of(field, rectangle()); }

  /// Fills the ghosts. Enqueued on `space`: no allocation, no fence.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void exchange(const Space& space) const { m_strip.exchange(space, fields()); }

  /// Copies fields without ghosts, Views (i, j) of either layout, into the state, and fills the
  /// ghosts. Enqueued on `space`: no allocation, no fence.
  /// \throws InvalidArgument where a field is not nx x ny.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Height, FieldOf<Scalar, Memory> U,
            FieldOf<Scalar, Memory> V>
  requires WorksIn<Space, Memory>
  void set(const Space& space, const Height& height, const U& u, const V& v) const {
    put(space, "height", height, m_height);
    put(space, "u", u, m_u);
    put(space, "v", v, m_v);
    exchange(space);
  }

  /// Copies the cells of the state to fields without ghosts. Enqueued on `space`: no allocation, no
  /// fence.
  /// \throws InvalidArgument where a field is not nx x ny.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Height, FieldOf<Scalar, Memory> U,
            FieldOf<Scalar, Memory> V>
  requires WorksIn<Space, Memory> && WritableField<Height> && WritableField<U> && WritableField<V>
  void get(const Space& space, const Height& height, const U& u, const V& v) const {
    take(space, "height", m_height, height);
    take(space, "u", m_u, u);
    take(space, "v", m_v, v);
  }

  /// Copies another state of the same size, with its ghosts. Enqueued on `space`: no allocation, no
  /// fence.
  /// \throws InvalidArgument where sizes differ.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void copy_from(const Space& space, const ShallowWaterState& other) const {
    Impl::require_same_cells("ShallowWaterState::copy_from", "other", rectangle(),
                             other.rectangle());
    Impl::StateKernels<Space, Scalar>::copy(space, rectangle(), other.fields(), fields());
  }

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// The fields as kernels capture them.
  Impl::StateFields<Scalar> fields() const {
    return {Impl::ghosted_lines_of(m_height), Impl::ghosted_lines_of(m_u),
            Impl::ghosted_lines_of(m_v)};
  }
  /// \endcond

 private:
  template <class Space, class User>
  void put(const Space& space, const char* argument, const User& from, const field_type& to) const {
    Impl::require_field("ShallowWaterState::set", argument, from, rectangle().nx, rectangle().ny);
    Impl::StateKernels<Space, Scalar>::copy_cells(space, rectangle(),
                                                  Impl::StridedCells<const Scalar>(from),
                                                  Impl::StridedCells<Scalar>(cells(to)));
  }
  template <class Space, class User>
  void take(const Space& space, const char* argument, const field_type& from,
            const User& to) const {
    Impl::require_field("ShallowWaterState::get", argument, to, rectangle().nx, rectangle().ny);
    Impl::StateKernels<Space, Scalar>::copy_cells(space, rectangle(),
                                                  Impl::StridedCells<const Scalar>(cells(from)),
                                                  Impl::StridedCells<Scalar>(to));
  }

  WaterStrip<Memory> m_strip;
  field_type m_height, m_u, m_v;
};

}  // namespace Lamina
