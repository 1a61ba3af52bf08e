// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <reference/Hash.hpp>
#include <support/Compare.hpp>

#include <cstdint>
#include <limits>

namespace LaminaTest {

using Memory = TEST_SPACE::memory_space;

/// Room around a field inside a larger allocation.
struct Padding {
  int columns_before = 0, columns_after = 0, levels_before = 0, levels_after = 0;

  constexpr Padding() = default;
  constexpr Padding(int before_columns, int after_columns, int before_levels, int after_levels)
      : columns_before(before_columns),
        columns_after(after_columns),
        levels_before(before_levels),
        levels_after(after_levels) {}
};
/// Widens the stride of one layout, of the other one, and misaligns both.
inline constexpr Padding column_padding{3, 2, 0, 0}, level_padding{0, 0, 1, 4},
    all_padding{1, 5, 3, 2};

/// A field on the test space which the host sets and gets as values in the order column *
/// num_levels + level. What surrounds it is NaN: nobody can use it unnoticed.
template <class Scalar, class Layout>
class TestField {
 public:
  using view_type = Kokkos::View<Scalar**, Layout, Memory>;
  using const_view_type = Kokkos::View<const Scalar**, Layout, Memory>;

  TestField(int num_columns, int num_levels, const Padding& padding = {})
      : m_num_columns(num_columns),
        m_num_levels(num_levels),
        m_padding(padding),
        m_parent("LaminaTest::field", num_columns + padding.columns_before + padding.columns_after,
                 num_levels + padding.levels_before + padding.levels_after),
        m_view(Kokkos::subview(
            m_parent,
            Kokkos::make_pair(padding.columns_before, padding.columns_before + num_columns),
            Kokkos::make_pair(padding.levels_before, padding.levels_before + num_levels))) {
    set(Values(size(), 0.0));
  }
  TestField(int num_columns, int num_levels, const Values& values, const Padding& padding = {})
      : TestField(num_columns, num_levels, padding) {
    set(values);
  }

  const view_type& view() const { return m_view; }
  const_view_type const_view() const { return m_view; }
  std::size_t size() const { return static_cast<std::size_t>(m_num_columns) * m_num_levels; }

  void set(const Values& values) {
    const auto host = Kokkos::create_mirror_view(Kokkos::HostSpace(), m_parent);
    Kokkos::deep_copy(host, std::numeric_limits<Scalar>::quiet_NaN());
    for_each_cell([&](int column, int level, std::size_t i) {
      host(column, level) = static_cast<Scalar>(values[i]);
    });
    Kokkos::deep_copy(m_parent, host);
  }

  Values get() const {
    const auto host = on_host();
    Values values(size());
    for_each_cell([&](int column, int level, std::size_t i) {
      values[i] = static_cast<double>(host(column, level));
    });
    return values;
  }

  bool surroundings_untouched() const {
    const auto host = on_host();
    std::size_t numbers = 0, inside = 0;
    for (std::size_t c = 0; c < host.extent(0); ++c) {
      for (std::size_t k = 0; k < host.extent(1); ++k) numbers += host(c, k) == host(c, k);
    }
    for_each_cell([&](int column, int level, std::size_t) {
      inside += host(column, level) == host(column, level);
    });
    return numbers == inside;
  }

 private:
  auto on_host() const {
    Kokkos::fence();
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_parent);
  }

  /// on_cell(column and level in the parent, index of the value)
  template <class OnCell>
  void for_each_cell(const OnCell& on_cell) const {
    std::size_t i = 0;
    for (int c = 0; c < m_num_columns; ++c) {
      for (int k = 0; k < m_num_levels; ++k) {
        on_cell(c + m_padding.columns_before, k + m_padding.levels_before, i++);
      }
    }
  }

  int m_num_columns, m_num_levels;
  Padding m_padding;
  view_type m_parent, m_view;
};

/// Values in [-1, 1), the same in every run.
inline Values random_values(std::size_t size, std::uint64_t seed) {
  Values values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(Reference::unit_value((seed << 32) + i));
  return values;
}

/// The values as a field of `Scalar` holds them.
template <class Scalar>
Values rounded(Values values) {
  for (double& value : values) value = static_cast<double>(static_cast<Scalar>(value));
  return values;
}

}  // namespace LaminaTest
