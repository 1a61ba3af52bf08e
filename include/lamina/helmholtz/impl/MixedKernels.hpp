// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

namespace Lamina::Impl {

/// The sweeps of `MixedHelmholtz` over fields of two precisions; see `HelmholtzKernels`.
template <class Space, class Layout>
struct MixedKernels {
  using Memory = typename Space::memory_space;
  template <class Scalar>
  using System = TensorSystem<Scalar, Memory>;
  template <class Scalar>
  using Input = FieldView<const Scalar, Layout, Memory>;
  template <class Scalar>
  using Output = FieldView<Scalar, Layout, Memory>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// r = step.scale (b - A x), rounded;  <r, r>.  traffic: reads 16n, writes 4n bytes; flops: 25n
  static void residual(const Space& space, const System<double>& system, const Step& step,
                       const Parts& parts, const Input<double>& b, const Input<double>& x,
                       const Output<float>& r);

  /// p' = z + beta p;  r -= alpha A p';  <r, r>;  u += (alpha_before p + alpha p') / step.scale.
  /// traffic: reads 20n, writes 16n bytes; flops: 31n
  static void advance_and_update(const Space& space, const System<float>& system, const Step& step,
                                 const Parts& parts, const Input<float>& z, const Input<float>& p,
                                 const Output<float>& new_p, const Output<float>& r,
                                 const Output<double>& u);
};

#define LAMINA_EXTERN_MIXED(Space, Layout) extern template struct MixedKernels<Space, Layout>;
LAMINA_FOR_EACH_LAYOUT(LAMINA_EXTERN_MIXED)
#undef LAMINA_EXTERN_MIXED

}  // namespace Lamina::Impl

#include <lamina/helmholtz/impl/MixedKernels_Bodies.hpp>
