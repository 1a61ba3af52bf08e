// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/helmholtz/impl/Tuning.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <array>
#include <type_traits>

namespace Lamina::Impl {

/// Levels of a column that a thread of a device holds in registers.
inline constexpr int short_helmholtz_segment = HelmholtzLineTuning::short_segment,
                     long_helmholtz_segment = HelmholtzLineTuning::long_segment;
inline constexpr std::array<int, 2> helmholtz_segments{long_helmholtz_segment,
                                                       short_helmholtz_segment};
/// The same for solves that sum nothing up: in double precision long segments need more registers
/// there than a thread has. Short ones are faster up to 256 levels, where teams have room for them; see
/// docs/developer/tuning.md.
template <class Scalar>
constexpr std::array<int, 2> plain_helmholtz_segments(int num_levels) {
  const bool in_short =
      std::is_same_v<Scalar, double> && num_levels <= HelmholtzLineTuning::short_segment_levels;
  return in_short ? std::array<int, 2>{short_helmholtz_segment, long_helmholtz_segment}
                  : helmholtz_segments;
}

/// The kernels of the tensor-product operator, its preconditioner and the fused sweeps.
/// All enqueue on `space`; `parts` is scratch for sums. n is the number of owned cells in the
/// statements of traffic; columns that do not fit on a device's chip (`line_cut`) cost 2n
/// reads and 2n writes more in the three that precondition.
template <class Space, class Scalar, class Layout>
struct HelmholtzKernels {
  using Memory = typename Space::memory_space;
  using System = TensorSystem<Scalar, Memory>;
  using Input = FieldView<const Scalar, Layout, Memory>;
  using Output = FieldView<Scalar, Layout, Memory>;
  using Workspace = LineWorkspace<Scalar, Memory>;
  using Step = FusedStep<Memory>;
  using Parts = TeamParts<Memory>;

  /// y = A x.  traffic: reads n, writes n; flops: 21n
  static void apply(const Space& space, const System& system, const Input& x, const Output& y);

  /// r = b - A x;  <r, r>.  traffic: reads 2n, writes n; flops: 24n
  static void residual(const Space& space, const System& system, const Step& step,
                       const Parts& parts, const Input& b, const Input& x, const Output& r);

  /// z = M^-1 r.  traffic: reads n, writes n; flops: 12n
  static void precondition(const Space& space, const System& system, const Input& r,
                           const Output& z, const Workspace& workspace);

  /// z = M^-1 r;  <r, z>.  traffic: reads n, writes n; flops: 14n
  static void fused_precondition(const Space& space, const System& system, const Step& step,
                                 const Parts& parts, const Input& r, const Output& z,
                                 const Workspace& workspace);

  /// <z, A z>.  traffic: reads n; flops: 23n
  static void measure(const Space& space, const System& system, const Step& step,
                      const Parts& parts, const Input& z);

  /// p' = z + beta p;  r -= alpha A p';  <r, r>;  with `update` u += alpha_before p + alpha p'.
  /// traffic: reads 3n, writes 2n, with `update` n each more; flops: 27n, with `update` 31n
  static void advance(const Space& space, const System& system, const Step& step,
                      const Parts& parts, bool update, const Input& z, const Input& p,
                      const Output& new_p, const Output& r, const Output& u);

  /// r -= alpha q;  z = M^-1 r;  <r, r>, <r, z>.  traffic: reads 2n, writes 2n; flops: 18n
  static void stored_precondition(const Space& space, const System& system, const Step& step,
                                  const Parts& parts, const Input& q, const Output& r,
                                  const Output& z, const Workspace& workspace);

  /// u += alpha p;  p = z + beta p;  q = A z + beta q;  <p, q>.
  /// traffic: reads 4n, writes 3n; flops: 29n
  static void stored_advance(const Space& space, const System& system, const Step& step,
                             const Parts& parts, const Input& z, const Output& u, const Output& p,
                             const Output& q);
};

/// Prepares the line solves of an operator. Fences `space`.
template <class Space, class Scalar, class Memory>
void prepare_helmholtz_lines(const Space& space, const TensorSystem<Scalar, Memory>& system,
                             const LineWorkspace<Scalar, Memory>& workspace);

#define LAMINA_EXTERN_HELMHOLTZ(Space, Scalar, Layout) \
  extern template struct HelmholtzKernels<Space, Scalar, Layout>;
LAMINA_FOR_EACH_FIELD(LAMINA_EXTERN_HELMHOLTZ)
#undef LAMINA_EXTERN_HELMHOLTZ

}  // namespace Lamina::Impl

#include <lamina/helmholtz/impl/HelmholtzKernels_Bodies.hpp>
