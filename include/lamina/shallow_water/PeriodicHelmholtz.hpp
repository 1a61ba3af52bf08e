// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/shallow_water/WaterStrip.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>

#include <string>
#include <vector>

namespace Lamina {

/// The initial guess of a solve.
enum class InitialGuess {
  given,  ///< at x
  zero    ///< at 0: x is not read
};

/// A symmetric five-point operator on a doubly periodic grid of nx x ny cells, and its sweeps for
/// `FusedPcg`. It is a model of `FusedModel` with vectors of its own. An iteration reads or writes 6
/// fields, or 8 with weights:
///
///   A x = x + c_x (w_W (x - W x) + w_E (x - E x)) + c_y (w_S (x - S x) + w_N (x - N x))
///
/// W, E, S, N take the value of the neighbour. w_W, ... are averages of a weight over the two cells
/// of an edge, or 1. With c_x = c_y = g^2 it is the operator for the height in `SemiImplicit`. With
/// c_x = -1/6, c_y = 0 it is the mass matrix of U, (1, 4, 1)/6 along x. It is positive definite
/// where c_x, c_y > -1/4 without weights, and where c_x, c_y >= 0 with positive weights.
///
/// In a channel (`WaterSides::walls`) nothing is added for a neighbour beyond a wall.
///
/// Vectors have ghost cells, like fields of `ShallowWaterState`. Each sweep fills the ghosts that
/// it reads.
///
/// \par Several ranks
/// Made from a `WaterStrip`, it has the lines of one rank. An iteration exchanges the ghost lines of r
/// once, and adds up its scalars once. Each rank forms p on its ghost lines itself.
template <FieldScalar Scalar, MemorySpace Memory>
class PeriodicHelmholtz {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  /// (nx + 2, ny + 2), as `ShallowWaterState::field_type`
  using vector_type = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;

  /// Without weights. Allocates scratch. Copies share it: one solve runs at a time, on one
  /// instance.
  /// \throws InvalidArgument for a rectangle without cells.
  PeriodicHelmholtz(const Rectangle& rectangle, double c_x, double c_y,
                    InitialGuess guess = InitialGuess::given)
      : PeriodicHelmholtz(rectangle, c_x, c_y, vector_type(), guess) {}
  /// On a square of n x n cells.
  PeriodicHelmholtz(int n, double c_x, double c_y, InitialGuess guess = InitialGuess::given)
      : PeriodicHelmholtz(Rectangle::square(n), c_x, c_y, guess) {}
  /// \param weight  a vector of `make_vector`; its ghosts must be filled when a solve begins
  /// \throws InvalidArgument also for another View.
  PeriodicHelmholtz(const Rectangle& rectangle, double c_x, double c_y, const vector_type& weight,
                    InitialGuess guess = InitialGuess::given)
      : PeriodicHelmholtz(WaterStrip<Memory>(rectangle), c_x, c_y, weight, guess) {}
  /// Of one rank.
  /// \param weight  as above, or a View without memory for 1
  PeriodicHelmholtz(const WaterStrip<Memory>& strip, double c_x, double c_y,
                    const vector_type& weight, InitialGuess guess = InitialGuess::given);

  /// The cells of this rank.
  const Rectangle& rectangle() const { return m_stencil.rectangle; }
  /// See `FusedModel`. Ghosts are exchanged here.
  Decomposition<Memory> decomposition() const {
    Decomposition<Memory> ranks;
    ranks.reduction = m_strip.reduction();
    return ranks;
  }

  vector_type make_vector(const std::string& label) const;

  /// \throws InvalidArgument where a field is not nx x ny.
  template <class FieldType>
  void require_field(const char* function, const char* argument, const FieldType& field) const;

  /// u = x;  r = b - A x. With `InitialGuess::zero` u stays as it is: nothing reads it before the
  /// first update.
  template <ExecutionSpace Space, class In>
  void start(const Space& space, const In& b, const In& x, const vector_type& u,
             const vector_type& r) const;

  /// u += along_p p;  r = b - A u. Fills ghosts of u.
  template <ExecutionSpace Space, class In>
  void residual(const Space& space, const FusedEnd<Scalar>& end, const In& b, const vector_type& p,
                const vector_type& u, const vector_type& r) const;

  /// Row n: <r, r> twice, <r, A r>. Fills ghosts of r.
  template <ExecutionSpace Space>
  void measure(const Space& space, const FusedStep<Memory>& step, const vector_type& r) const;

  /// p' = r + beta p;  r' = r - alpha A p';  row n: <p', A p'>. Fills ghosts of p.
  /// With `update` also u += alpha_before p + alpha p'.
  template <ExecutionSpace Space>
  void advance(const Space& space, const FusedStep<Memory>& step, bool update, const vector_type& r,
               const vector_type& p, const vector_type& new_p, const vector_type& new_r,
               const vector_type& u) const;

  /// x = u + along_p p + along_z r.
  template <ExecutionSpace Space, class Out>
  void finish(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
              const vector_type& r, const vector_type& u, const Out& x) const;

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// u += along_p p;  r -= A u.
  template <ExecutionSpace Space>
  void subtract_image(const Space& space, const FusedEnd<Scalar>& end, const vector_type& p,
                      const vector_type& u, const vector_type& r) const;

  /// The values that `finish` would store, for models that compute with them.
  Impl::CgSolution<Scalar> solution(const FusedEnd<Scalar>& end, const vector_type& p,
                                    const vector_type& r, const vector_type& u) const {
    return {end, Impl::ghosted_lines_of(p), Impl::ghosted_lines_of(r), Impl::ghosted_lines_of(u),
            end.updated || m_guess == InitialGuess::given};
  }
  const WaterStrip<Memory>& strip() const { return m_strip; }
  const Impl::PeriodicStencil<Scalar>& stencil() const { return m_stencil; }
  InitialGuess guess() const { return m_guess; }
  /// Scratch of sums.
  const Impl::TeamParts<Memory>& parts() const { return m_parts; }
  /// Fills the ghosts of a vector. Collective.
  template <ExecutionSpace Space>
  void fill_ghosts(const Space& space, const vector_type& vector) const {
    m_strip.exchange(space, Impl::ghosted_lines_of(vector));
  }
  /// The same of a direction whose ghost lines over several ranks `advance_ghosts` has formed.
  template <ExecutionSpace Space>
  void fill_ghosts_of_direction(const Space& space, const vector_type& p) const;
  /// Over several ranks p' = z + beta p on ghost lines.
  template <ExecutionSpace Space>
  void advance_ghosts(const Space& space, const FusedStep<Memory>& step, const vector_type& z,
                      const vector_type& p, const vector_type& new_p) const;
  /// \endcond

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const;

 private:
  WaterStrip<Memory> m_strip;
  Impl::PeriodicStencil<Scalar> m_stencil;
  InitialGuess m_guess;
  vector_type m_weight;             // owner of the weights of `m_stencil`
  Impl::TeamParts<Memory> m_parts;  // of the sums, on a device
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/PeriodicHelmholtz_Impl.hpp>
