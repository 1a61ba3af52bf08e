// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

#include <vector>

namespace Lamina::Impl {

/// The kernels of `VelocityDiffusion`. Both enqueue on `space`; n is the number of cells.
template <class Space, class Scalar>
struct DiffusionKernels {
  /// change = factor (W x + E x + S x + N x - 4 x) of x = u, v, whose ghosts are filled.
  // traffic: reads 2n, writes 2n; flops: 12n
  static void change(const Space& space, const Rectangle& rectangle, Scalar factor,
                     const StateFields<const Scalar>& state, const GridField<Scalar>& change_u,
                     const GridField<Scalar>& change_v);
  /// u += change_u;  v += change_v.
  // traffic: reads 4n, writes 2n; flops: 2n
  static void add(const Space& space, const Rectangle& rectangle, const GridField<Scalar>& change_u,
                  const GridField<Scalar>& change_v, const StateFields<Scalar>& state);
};

#define LAMINA_EXTERN_DIFFUSION(Space)                   \
  extern template struct DiffusionKernels<Space, float>; \
  extern template struct DiffusionKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_DIFFUSION)
#undef LAMINA_EXTERN_DIFFUSION

/// A step of Euler's explicit rule for du/dt = nu Laplace u, the same of v, after the step of a scheme. Where nu
/// is 0 it does nothing.
template <class Scalar, class Memory>
class VelocityDiffusion {
 public:
  /// \param steps  of the scheme that the rule spans
  /// \throws InvalidArgument where nu dt steps / h^2 > 1/8, see `WaterBasin`.
  VelocityDiffusion(const char* function, const WaterBasin<Scalar, Memory>& basin, double time_step,
                    int steps = 1);

  /// Ghosts must be filled, and are filled afterwards.
  /// \param change_u, change_v  scratch
  template <class Space>
  void apply(const Space& space, const WaterStrip<Memory>& strip, const StateFields<Scalar>& state,
             const GridField<Scalar>& change_u, const GridField<Scalar>& change_v) const {
    if (m_factor == 0) return;
    using Kernels = DiffusionKernels<Space, Scalar>;
    Kernels::change(space, strip.owned(), m_factor, state, change_u, change_v);
    Kernels::add(space, strip.owned(), change_u, change_v, state);
    strip.exchange(space, state);
  }

  /// Of the kernels that run.
  std::vector<KernelCost> kernel_costs(const Rectangle& rectangle) const;
  /// Adds the cost of `apply`.
  void add_cost(const Rectangle& rectangle, KernelCost& to) const;

 private:
  Scalar m_factor;
};

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/VelocityDiffusion_Bodies.hpp>
