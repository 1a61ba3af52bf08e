// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Included by what Space_<Name>.cpp instantiates.

#include <lamina/shallow_water/ShallowWaterState.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "shallow_water/files/ShallowWaterFields.hpp"

namespace Lamina::Cli {

/// The cells of a state of this process on the host, on their way to and from files.
template <class Scalar, class Memory>
class HostState {
 public:
  explicit HostState(const WaterStrip<Memory>& strip) : m_strip(strip) {
    const auto nx = static_cast<std::size_t>(strip.owned().nx),
               ny = static_cast<std::size_t>(strip.owned().ny);
    for (std::size_t f = 0; f < num_fields; ++f) {
      m_fields[f] = Field("Lamina::Cli::state", nx, ny);
      m_mirrors[f] = Kokkos::create_mirror_view(m_fields[f]);
    }
  }

  /// \throws FileError
  void read(const NetcdfReader& file, StateLevel level) {
    constexpr double largest = std::numeric_limits<Scalar>::max();
    read_state(file, level, m_strip.whole(), {m_strip.first_line(), m_strip.owned().ny}, largest,
               reader(0), reader(1), reader(2));
  }

  template <class Execution>
  void put(const Execution& space, const ShallowWaterState<Scalar, Memory>& state) const {
    for (std::size_t f = 0; f < num_fields; ++f)
      Kokkos::deep_copy(space, m_fields[f], m_mirrors[f]);
    state.set(space, m_fields[0], m_fields[1], m_fields[2]);
  }

  /// The lines j of this process; they stay those of the state until the next call. Fences `space`.
  template <class Execution>
  FieldLines take(const Execution& space, const ShallowWaterState<Scalar, Memory>& state) const {
    state.get(space, m_fields[0], m_fields[1], m_fields[2]);
    for (std::size_t f = 0; f < num_fields; ++f)
      Kokkos::deep_copy(space, m_mirrors[f], m_fields[f]);
    space.fence();
    return {writer(0), writer(1), writer(2)};
  }

 private:
  static constexpr std::size_t num_fields = 3;
  using Field = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>;
  using Mirror = decltype(Kokkos::create_mirror_view(std::declval<Field>()));

  ConstFieldLine reader(int f) const {
    return [mirror = m_mirrors[static_cast<std::size_t>(f)], nx = m_strip.whole().nx,
            first = m_strip.first_line()](int j, const double* values) {
      for (int i = 0; i < nx; ++i) mirror(i, j - first) = static_cast<Scalar>(values[i]);
    };
  }
  FieldLine writer(int f) const {
    return [mirror = m_mirrors[static_cast<std::size_t>(f)], nx = m_strip.whole().nx,
            first = m_strip.first_line()](int j, double* values) {
      for (int i = 0; i < nx; ++i) values[i] = static_cast<double>(mirror(i, j - first));
    };
  }

  WaterStrip<Memory> m_strip;
  std::array<Field, num_fields> m_fields;
  std::array<Mirror, num_fields> m_mirrors;
};

}  // namespace Lamina::Cli
