// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>

namespace Lamina::Impl {

inline constexpr const char *round_label = "Lamina::MultigridHelmholtz::round",
                            *widen_label = "Lamina::MultigridHelmholtz::widen";

/// Copies of fields from one precision to the other, for a cycle in single precision beside vectors in
/// double precision. They do nothing unless `guard` is active.
///
/// The cycle gets r times a power of two, which brings the norm of the residual to about 1: so r may be of any
/// magnitude. Over several ranks that residual is the one before, as in `FusedStep::preconditions`.
template <class Space, class Layout>
struct RoundedFields {
  using Memory = typename Space::memory_space;
  using Guard = CycleGuard<Memory>;
  template <class Scalar>
  using Input = FieldView<const Scalar, Layout, Memory>;
  template <class Scalar>
  using Output = FieldView<Scalar, Layout, Memory>;

  /// to = s from, rounded.  traffic: 12n bytes
  static void round(const Space& space, const Guard& guard, const Input<double>& from,
                    const Output<float>& to);
  /// to = from / s, and energy = energy / s^2, where the cycle has left <s r, s z>.  traffic: 12n bytes
  static void widen(const Space& space, const Guard& guard, const Input<float>& from,
                    const Output<double>& to);
};

#define LAMINA_EXTERN_ROUNDED(Space, Layout) extern template struct RoundedFields<Space, Layout>;
LAMINA_FOR_EACH_LAYOUT(LAMINA_EXTERN_ROUNDED)
#undef LAMINA_EXTERN_ROUNDED

}  // namespace Lamina::Impl

#include <lamina/multigrid/impl/RoundedFields_Bodies.hpp>
