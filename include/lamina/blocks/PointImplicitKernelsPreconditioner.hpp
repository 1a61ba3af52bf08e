// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// This header is empty where Kokkos Kernels has no GMRES: LAMINA_HAS_BSR_MATRIX says so.

#include <lamina/core/KernelsVersion.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <lamina/blocks/BsrMatrix.hpp>
#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>

#include <KokkosBlas1_axpby.hpp>
#include <KokkosSparse_Preconditioner.hpp>

#include <string>

namespace Lamina {

/// Sweeps from zero as a preconditioner of `KokkosSparse::Experimental::gmres`. The operator is the
/// user's matrix with vectors in the user's order. Or, which saves copies, it is
///
///   auto a = bsr_matrix<double>(space, solver.coloured_matrix());
///
/// with vectors in the order of the colours. The components of a block row are contiguous. GMRES of
/// Kokkos Kernels takes no instance: everything runs on the default instance of `Space`. Its
/// residual test is relative to |b|.
///
/// A forward sweep is enough, because GMRES needs no symmetry. `Gmres` of Lamina, with a
/// `PointImplicitPreconditioner`, runs on the instance of the caller, and with any version of
/// Kokkos Kernels.
template <class Matrix, ExecutionSpace Space>
class PointImplicitKernelsPreconditioner final
    : public KokkosSparse::Experimental::Preconditioner<BsrMatrix<double, Space>> {
  static_assert(std::is_same_v<typename Matrix::scalar_type, double>);

 public:
  using device_type = Kokkos::Device<Space, typename Space::memory_space>;
  using vector_view = Kokkos::View<double*, device_type>;
  using const_vector_view = Kokkos::View<const double*, device_type>;

  /// Allocates a vector.
  /// \param solver  is copied (shallowly); the caller checks its `status()`
  /// \throws InvalidArgument for fewer than one sweep, and for a solver over several ranks.
  PointImplicitKernelsPreconditioner(const PointImplicitSolver<Matrix>& solver, VectorOrder order,
                                     SweepDirection direction = SweepDirection::forward,
                                     int num_sweeps = 1)
      : m_solver(solver),
        m_order(order),
        m_direction(direction),
        m_num_sweeps(num_sweeps),
        m_sum("Lamina::PointImplicitKernelsPreconditioner::sum",
              static_cast<std::size_t>(solver.coloured_matrix().num_rows()) *
                  static_cast<std::size_t>(solver.coloured_matrix().block_size())) {
    LAMINA_REQUIRE(!solver.is_decomposed(), "PointImplicitKernelsPreconditioner",
                   "argument solver: expected one of a single process, got one over ranks");
    LAMINA_REQUIRE(num_sweeps >= 1, "PointImplicitKernelsPreconditioner",
                   "argument num_sweeps: expected a value >= 1, got " + std::to_string(num_sweeps));
  }

  /// y = beta y + alpha M^-1 x. Enqueued on the default instance of `Space`.
  /// \throws InvalidArgument for a transpose, which sweeps do not have, and where x and y overlap.
  void apply(const const_vector_view& x, const vector_view& y, const char transpose[] = "N",
             double alpha = 1, double beta = 0) const override {
    LAMINA_REQUIRE(transpose[0] == 'N', "PointImplicitKernelsPreconditioner::apply",
                   "argument transpose: expected N, got " + std::string(transpose));
    Impl::require_disjoint("PointImplicitKernelsPreconditioner::apply", "x", x, "y", y);
    const Impl::ProfilingRegion region("Lamina::PointImplicitKernelsPreconditioner::apply");
    const Space space;
    const bool in_place = alpha == 1 && beta == 0;
    const vector_view& z = in_place ? y : m_sum;
    Kokkos::deep_copy(space, z, 0.0);
    const auto rhs = field<const double>(x);
    const auto solution = field<double>(z);
    if (m_order == VectorOrder::user) {
      m_solver.sweep(space, rhs, solution, m_direction, m_num_sweeps);
    } else {
      m_solver.sweep_in_colour_order(space, rhs, solution, m_direction, m_num_sweeps);
    }
    if (!in_place) KokkosBlas::axpby(space, alpha, z, beta, y);
  }

  // The solver is set up already.
  void setParameters() override {}
  void initialize() override {}
  bool isInitialized() const override { return true; }
  void compute() override {}
  bool isComputed() const override { return true; }

 private:
  template <class Value, class Vector>
  auto field(const Vector& vector) const {
    return Kokkos::View<Value**, Kokkos::LayoutRight, typename Matrix::memory_space,
                        Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        vector.data(), m_solver.coloured_matrix().num_rows(),
        m_solver.coloured_matrix().block_size());
  }

  PointImplicitSolver<Matrix> m_solver;
  VectorOrder m_order;
  SweepDirection m_direction;
  int m_num_sweeps;
  vector_view m_sum;
};

}  // namespace Lamina

#endif
