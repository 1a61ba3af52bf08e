// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <distributed/HaloCase.hpp>
#include <support/TestField.hpp>

#include <cstddef>
#include <cstdint>

namespace LaminaTest {

/// A value that no other item, level and field has, exact in single precision.
inline double halo_value(std::int64_t item, int level, int field) {
  return static_cast<double>(512 * item + 8 * level + field);
}
inline constexpr double not_set = -1;

/// The values of a field of a rank: of owned items, of halo items as well, or of those for which
/// is_set(local number, global number) holds.
template <class IsSet>
Values halo_values(const RankItems& items, int num_levels, int field, const IsSet& is_set) {
  Values values;
  for (int local = 0; local < items.size(); ++local) {
    const std::int64_t item = items.global(local);
    const bool set = item != Lamina::no_item && is_set(local, item);
    for (int level = 0; level < num_levels; ++level) {
      values.push_back(set ? halo_value(item, level, field) : not_set);
    }
  }
  return values;
}
inline Values owned_values(const RankItems& items, int num_levels, int field) {
  const int num_owned = static_cast<int>(items.owned.size());
  return halo_values(items, num_levels, field,
                     [=](int local, std::int64_t) { return local < num_owned; });
}
inline Values all_values(const RankItems& items, int num_levels, int field) {
  return halo_values(items, num_levels, field, [](int, std::int64_t) { return true; });
}

/// A vector on the test space with one value per item.
template <class Scalar>
class TestVector {
 public:
  explicit TestVector(const Values& values)
      : m_view("LaminaTest::vector", values.size()), m_host(Kokkos::create_mirror_view(m_view)) {
    for (std::size_t n = 0; n < values.size(); ++n) m_host(n) = static_cast<Scalar>(values[n]);
    Kokkos::deep_copy(m_view, m_host);
  }
  const Kokkos::View<Scalar*, Memory>& view() const { return m_view; }
  Values get() const {
    Kokkos::fence();
    Kokkos::deep_copy(m_host, m_view);
    return Values(m_host.data(), m_host.data() + m_host.extent(0));
  }

 private:
  Kokkos::View<Scalar*, Memory> m_view;
  typename Kokkos::View<Scalar*, Memory>::HostMirror m_host;
};

}  // namespace LaminaTest
