// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/poisson/StencilMemory.hpp>
#include <lamina/poisson/impl/PoissonKernels.hpp>

#include <memory>
#include <vector>

namespace Lamina {

/// Minus the five-point Laplacian on a rectangle of nx x ny points with a zero boundary, times h^2,
/// where h is the distance of neighbours in both directions:
///
///   (A x)_ij = 4 x_ij - x_{i-1,j} - x_{i+1,j} - x_{i,j-1} - x_{i,j+1},   0 <= i < nx,  0 <= j < ny,
///   with x = 0 at the points beyond
///
/// A is symmetric positive definite. Fields are rank-2 Views (i, j) of either layout.
///
/// \par Textures
/// `StencilMemory::texture1d` and `texture2d` read x through CUDA texture objects in single
/// precision. On a device they otherwise use Kokkos' views for random access. On CPU cores they are
/// `global`. A texture object is made when a field is first read. The operator keeps those of 16
/// fields: the first call with the 17th, and the destruction of the last copy of the operator, wait
/// for the device. Fields beyond the limits of CUDA are read as in double precision: fields with
/// more texels than a texture of linear memory has (2^27 or 2^28), and for `texture2d` fields whose
/// lines are not a multiple of 32 bytes apart.
///
/// \par Several ranks
/// Made from a `LocalRectangle`, it is the part of one rank: x = 0 beyond the whole rectangle. Fields
/// hold the owned columns i, then the halo columns, which must be up to date in x. Those of y stay as
/// they are. `Pcg` exchanges them.
///
/// Source: Wang, Olano, Gobbert, Griffin (2012), "A GPU memory system comparison for an elliptic
/// test problem", eq. (3).
template <FieldScalar Scalar, MemorySpace Memory>
class PoissonOperator {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// \throws InvalidArgument for a rectangle without points.
  explicit PoissonOperator(const Rectangle& rectangle,
                           StencilMemory memory = StencilMemory::automatic);
  /// On a square of n x n points.
  explicit PoissonOperator(int n, StencilMemory memory = StencilMemory::automatic)
      : PoissonOperator(Rectangle::square(n), memory) {}
  /// The part of one rank, which may own no points.
  /// \throws InvalidArgument also for textures.
  explicit PoissonOperator(const LocalRectangle& local,
                           StencilMemory memory = StencilMemory::automatic);

  /// The points of this rank.
  const Rectangle& rectangle() const { return m_rectangle; }
  StencilMemory stencil_memory() const { return m_memory; }

  // The extents of fields for `Pcg`.
  int num_owned() const { return m_rectangle.nx; }
  int num_columns() const { return m_num_columns; }
  int num_levels() const { return m_rectangle.ny; }

  /// y = A x. Enqueued on `space`: no allocation, and no fence except for textures, see above.
  /// \param x, y  (num_columns, ny), of one layout
  /// \throws InvalidArgument for wrong extents, and where x and y overlap.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void apply(const Space& space, const In& x, const Out& y) const;
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Impl::SameLayout, Memory> apply(
      const Space& space, const In& x, const Out& y) const = delete;

  /// What one call costs.
  std::vector<KernelCost> kernel_costs() const;

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// The grid as kernels capture it, whose lines run along the contiguous index of a layout.
  template <class Layout>
  Impl::Grid grid() const {
    const auto [nx, ny] = m_rectangle;
    Impl::GridTopology topology;
    if constexpr (Impl::levels_contiguous<Layout>) {
      topology = Impl::GridTopology{
          .num_owned = ny, .num_levels = nx, .south = m_before, .north = m_behind};
    } else {
      topology =
          Impl::GridTopology{.num_owned = nx, .num_levels = ny, .west = m_before, .east = m_behind};
    }
    return {topology, m_memory, m_textures.get()};
  }
  /// \endcond

 private:
  Rectangle m_rectangle;
  int m_num_columns;
  int m_before = Impl::GridTopology::none, m_behind = Impl::GridTopology::none;  // halo columns
  StencilMemory m_memory;
  std::shared_ptr<Impl::GridTextures> m_textures;  // shared by copies
};

}  // namespace Lamina

#include <lamina/poisson/impl/PoissonOperator_Impl.hpp>
