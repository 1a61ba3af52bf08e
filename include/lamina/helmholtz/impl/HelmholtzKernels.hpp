// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Instantiate.hpp>
#include <lamina/helmholtz/impl/HelmholtzData.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

namespace Lamina::Impl {

/// The kernels of the tensor-product operator, its preconditioner and the fused sweeps. Defined in
/// HelmholtzKernels_Host.hpp for CPU cores and in HelmholtzKernels_Device.hpp for devices.
/// All enqueue on `space`. n is the number of owned cells in the statements of traffic.
template <class Space, class Scalar, class Layout>
struct HelmholtzKernels {
  using Memory = typename Space::memory_space;
  using Data = HelmholtzData<Scalar, Memory>;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;
  using Workspace = LineWorkspace<Scalar, Memory>;
  using Step = FusedStep<Memory>;

  /// y = A x.  traffic: reads n, writes n; flops: 21n
  static void apply(const Space& space, const Data& data, const Input& x, const Output& y);

  /// r = b - A x.  traffic: reads 2n, writes n; flops: 22n
  static void residual(const Space& space, const Data& data, const Input& b, const Input& x,
                       const Output& r);

  /// z = M^-1 r.  traffic: reads n, writes n (device: 2n each more); flops: 12n
  static void precondition(const Space& space, const Data& data, const Input& r, const Output& z,
                           const Workspace& workspace);

  /// r -= alpha q; z = M^-1 r; <r, r>, <r, z>.
  /// traffic: reads 2n, writes 2n (device: 2n each more); flops: 18n
  static void fused_precondition(const Space& space, const Data& data, const Step& step,
                                 const Input& q, const Output& r, const Output& z,
                                 const Workspace& workspace);

  /// u += alpha p; p = z + beta p; q = A z + beta q; <p, q>.  traffic: reads 4n, writes 3n; flops:
  /// 29n
  static void fused_advance(const Space& space, const Data& data, const Step& step, const Input& z,
                            const Output& u, const Output& p, const Output& q);
};

/// Where the sums of a sweep go: a row of `FusedStep`, in device memory, so that nothing waits.
template <class Memory>
using ScalarResult = Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Memory>
using VectorResult = Kokkos::View<double*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

#define LAMINA_EXTERN_HELMHOLTZ(Space, Scalar, Layout) \
  extern template struct HelmholtzKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_HELMHOLTZ)
#undef LAMINA_EXTERN_HELMHOLTZ

}  // namespace Lamina::Impl

#include <lamina/helmholtz/impl/HelmholtzKernels_Impl.hpp>
