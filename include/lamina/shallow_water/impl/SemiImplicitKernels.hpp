// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/shallow_water/impl/BasinFields.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>

namespace Lamina::Impl {

/// Room for the squared norm of residuals, in device memory and on the host.
template <class Memory>
class ResidualSums {
 public:
  ResidualSums()
      : m_sum("Lamina::SemiImplicit::sum"), m_host_sum(Kokkos::create_mirror_view(m_sum)) {
    if constexpr (!std::is_same_v<Memory, Kokkos::HostSpace>) {
      m_parts = TeamParts<Memory>("Lamina::SemiImplicit::parts");
    }
  }
  double* sum() const { return m_sum.data(); }
  const TeamParts<Memory>& parts() const { return m_parts; }

  template <class Space>
  void reset(const Space& space) const {
    Kokkos::deep_copy(space, m_sum, 0);
  }
  /// Fences `space`.
  template <class Space>
  double fetch(const Space& space) const {
    Kokkos::deep_copy(space, m_host_sum, m_sum);
    space.fence();
    return m_host_sum();
  }

 private:
  Kokkos::View<double, Memory> m_sum;
  Kokkos::View<double, Kokkos::HostSpace> m_host_sum;
  TeamParts<Memory> m_parts;  // on a device
};

/// The equation of a semi-implicit step.
template <class Scalar>
struct SemiImplicitEquation {
  Rectangle rectangle;
  Scalar inverse_h;
  BasinFields<Scalar> basin;
  Scalar time_step;
  GridField<const Scalar> weight;  ///< Phi*; without values where it is 1

  /// dt / (2 h)
  KOKKOS_FORCEINLINE_FUNCTION Scalar gradient_factor() const {
    return Scalar(0.5) * time_step * inverse_h;
  }
};

/// What is taken from a solution: *sum over all cells, or nothing where there is no sum.
struct MeanOfSolution {
  const double* sum = nullptr;  ///< of all ranks
  double cells = 1;
};

/// The kernels of `SemiImplicit`. All enqueue on `space`; n is the number of cells, and weights are
/// read in addition.
template <class Space, class Scalar>
struct SemiImplicitKernels {
  using Memory = typename Space::memory_space;
  using Equation = SemiImplicitEquation<Scalar>;
  using State = StateFields<const Scalar>;

  /// R at `iterate`, and |R|^2 where `with_sum`. Where `iterate` is `given`, its tendencies serve
  /// twice.
  // traffic: reads 6n, where iterate is given 3n, n more for each field of the basin, writes 3n;
  // flops: 170n
  static void residual(const Space& space, const Equation& equation, const State& given,
                       const State& iterate, const StateFields<Scalar>& residual, bool with_sum,
                       const ResidualSums<Memory>& sums);

  /// r = -Rt, the right-hand side for the height.
  // traffic: reads 3n, writes n; flops: 10n
  static void start(const Space& space, const Equation& equation, const State& residual,
                    const GridField<Scalar>& r);

  /// next = iterate + correction, with Phi' = solution, less its mean; the states may be the same.
  // traffic: reads 5n and n for each part of the solution, writes 3n; flops: 9n and 6n for each
  static void correct(const Space& space, const Equation& equation,
                      const CgSolution<Scalar>& solution, const MeanOfSolution& mean_of,
                      const State& residual, const State& iterate, const StateFields<Scalar>& next);
};

#define LAMINA_EXTERN_SEMI_IMPLICIT(Space)                  \
  extern template struct SemiImplicitKernels<Space, float>; \
  extern template struct SemiImplicitKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_SEMI_IMPLICIT)
#undef LAMINA_EXTERN_SEMI_IMPLICIT

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/SemiImplicitKernels_Bodies.hpp>
