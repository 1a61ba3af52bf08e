// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Included by what ShallowWaterSolve.cpp.in instantiates.

#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <cstddef>
#include <limits>
#include <utility>

#include "shallow_water/files/ShallowWaterFields.hpp"

namespace Lamina::Cli {

/// The cells of a field of this process on the host and in the memory of its space.
template <class Scalar, class Memory>
class HostField {
 public:
  using View = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;
  using Mirror = decltype(Kokkos::create_mirror_view(std::declval<View>()));

  explicit HostField(const WaterStrip<Memory>& strip)
      : m_strip(strip),
        m_view("Lamina::Cli::field", static_cast<std::size_t>(strip.owned().nx),
               static_cast<std::size_t>(strip.owned().ny)),
        m_mirror(Kokkos::create_mirror_view(m_view)) {}

  const View& view() const { return m_view; }
  const Mirror& mirror() const { return m_mirror; }
  /// From the host to the space, or back.
  template <class Execution>
  void put(const Execution& space) const {
    Kokkos::deep_copy(space, m_view, m_mirror);
  }
  template <class Execution>
  void take(const Execution& space) const {
    Kokkos::deep_copy(space, m_mirror, m_view);
  }

  ConstFieldLine reader() const {
    return [mirror = m_mirror, nx = m_strip.whole().nx, first = m_strip.first_line()](
               int j, const double* values) {
      for (int i = 0; i < nx; ++i) mirror(i, j - first) = static_cast<Scalar>(values[i]);
    };
  }
  FieldLine writer() const {
    return [mirror = m_mirror, nx = m_strip.whole().nx, first = m_strip.first_line()](
               int j, double* values) {
      for (int i = 0; i < nx; ++i) values[i] = static_cast<double>(mirror(i, j - first));
    };
  }
  LineRange lines() const { return {m_strip.first_line(), m_strip.owned().ny}; }

 private:
  WaterStrip<Memory> m_strip;
  View m_view;
  Mirror m_mirror;
};

/// The cells of a state of this process on the host, on their way to and from files.
template <class Scalar, class Memory>
class HostState {
 public:
  explicit HostState(const WaterStrip<Memory>& strip)
      : m_strip(strip), m_height(strip), m_u(strip), m_v(strip) {}

  /// \throws FileError
  void read(const NetcdfReader& file, StateLevel level) {
    constexpr double largest = std::numeric_limits<Scalar>::max();
    read_state(file, level, m_strip.whole(), m_height.lines(), largest, m_height.reader(),
               m_u.reader(), m_v.reader());
  }

  template <class Execution>
  void put(const Execution& space, const ShallowWaterState<Scalar, Memory>& state) const {
    for (const auto* field : {&m_height, &m_u, &m_v}) field->put(space);
    state.set(space, m_height.view(), m_u.view(), m_v.view());
  }

  /// The lines j of this process; they stay those of the state until the next call. Fences `space`.
  template <class Execution>
  FieldLines take(const Execution& space, const ShallowWaterState<Scalar, Memory>& state) const {
    state.get(space, m_height.view(), m_u.view(), m_v.view());
    for (const auto* field : {&m_height, &m_u, &m_v}) field->take(space);
    space.fence();
    return {m_height.writer(), m_u.writer(), m_v.writer()};
  }

  double height(int i, int j) const { return static_cast<double>(m_height.mirror()(i, j)); }

  /// What was the height of the surface becomes that of the water above the bottom.
  void subtract_from_height(const HostField<Scalar, Memory>& bottom) const {
    const auto [nx, ny] = m_strip.owned();
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) m_height.mirror()(i, j) -= bottom.mirror()(i, j);
    }
  }

 private:
  WaterStrip<Memory> m_strip;
  HostField<Scalar, Memory> m_height, m_u, m_v;
};

}  // namespace Lamina::Cli
