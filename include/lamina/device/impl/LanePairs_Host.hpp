// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cells in pairs, as lanes of the first ones and lanes of the second ones.

#include <lamina/device/impl/Lanes_Host.hpp>

#include <utility>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Scalar>
struct LanePairs {
  Lanes<Scalar> first, second;
};

/// from[0], from[2], ... and from[1], from[3], ...
template <class Scalar>
LanePairs<Scalar> load_pairs(const Scalar* from);

/// to[0] = first[0], to[1] = second[0], to[2] = first[1], ...
template <class Scalar>
void store_pairs(Scalar* to, const LanePairs<Scalar>& pairs);

#if !LAMINA_DEVICE_PASS  // the device pass needs declarations only

template <class Scalar, int... I>
[[gnu::always_inline]] inline LanePairs<Scalar> split_pairs(const Lanes<Scalar>& low,
                                                            const Lanes<Scalar>& high,
                                                            std::integer_sequence<int, I...>) {
  return {shuffle_lanes<Scalar, (2 * I)...>(low, high),
          shuffle_lanes<Scalar, (2 * I + 1)...>(low, high)};
}
template <class Scalar>
inline LanePairs<Scalar> load_pairs(const Scalar* from) {
  return split_pairs<Scalar>(load_lanes(from), load_lanes(from + lane_count<Scalar>),
                             std::make_integer_sequence<int, lane_count<Scalar>>());
}

template <class Scalar, int... I>
[[gnu::always_inline]] inline void join_pairs(Scalar* to, const LanePairs<Scalar>& pairs,
                                              std::integer_sequence<int, I...>) {
  constexpr int n = lane_count<Scalar>;
  const Lanes<Scalar>&first = pairs.first, &second = pairs.second;
  store_lanes(to, shuffle_lanes<Scalar, (I % 2 == 0 ? I / 2 : n + I / 2)...>(first, second));
  store_lanes(to + n,
              shuffle_lanes<Scalar, (n / 2 + (I % 2 == 0 ? I / 2 : n + I / 2))...>(first, second));
}
template <class Scalar>
inline void store_pairs(Scalar* to, const LanePairs<Scalar>& pairs) {
  join_pairs<Scalar>(to, pairs, std::make_integer_sequence<int, lane_count<Scalar>>());
}

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
