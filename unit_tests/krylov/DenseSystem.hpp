// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Small dense matrices of any kind as operators and preconditioners.

#include <support/TestField.hpp>

#include <cmath>
#include <cstddef>

namespace LaminaTest {

/// Rows one after the other; unknown (column, level) has number column * num_levels + level.
struct DenseMatrix {
  int size = 0;
  Values entries;

  explicit DenseMatrix(int order = 0)
      : size(order), entries(static_cast<std::size_t>(order) * static_cast<std::size_t>(order)) {}
  double& at(int row, int column) {
    return entries[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                   static_cast<std::size_t>(column)];
  }
  Values multiply(const Values& x) const {
    Values y;
    for (int row = 0; row < size; ++row) {
      long double sum = 0;
      for (int column = 0; column < size; ++column) {
        sum += static_cast<long double>(const_cast<DenseMatrix*>(this)->at(row, column)) *
               x[static_cast<std::size_t>(column)];
      }
      y.push_back(static_cast<double>(sum));
    }
    return y;
  }

  /// Convection and diffusion along a line, far from symmetric, and some distant couplings.
  static DenseMatrix convection(int size) {
    DenseMatrix a(size);
    for (int i = 0; i < size; ++i) {
      a.at(i, i) = 2.25;
      if (i > 0) a.at(i, i - 1) = -1.75;
      if (i + 1 < size) a.at(i, i + 1) = -0.375;
      a.at(i, (7 * i + 3) % size) += 0.125;
    }
    return a;
  }
  static DenseMatrix diagonal(const Values& values) {
    DenseMatrix a(static_cast<int>(values.size()));
    for (int i = 0; i < a.size; ++i) a.at(i, i) = values[static_cast<std::size_t>(i)];
    return a;
  }
};

template <class Scalar, class Layout>
class DenseSystem {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  DenseSystem(const DenseMatrix& matrix, int num_levels)
      : m_size(matrix.size),
        m_num_levels(num_levels),
        m_entries("LaminaTest::entries", matrix.entries.size()) {
    const auto host = Kokkos::create_mirror_view(m_entries);
    for (std::size_t i = 0; i < matrix.entries.size(); ++i) host(i) = matrix.entries[i];
    Kokkos::deep_copy(m_entries, host);
  }

  int num_owned() const { return num_columns(); }
  int num_columns() const { return m_size / m_num_levels; }
  int num_levels() const { return m_num_levels; }

  template <class In, class Out>
  void apply(const TEST_SPACE& space, const In& x, const Out& y) const {
    const int size = m_size, levels = m_num_levels;
    const auto entries = m_entries;
    Kokkos::parallel_for(
        "Lamina::Test::apply", Kokkos::RangePolicy<TEST_SPACE>(space, 0, size),
        KOKKOS_LAMBDA(int row) {
          double sum = 0;
          for (int column = 0; column < size; ++column) {
            sum += entries(static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                           static_cast<std::size_t>(column)) *
                   static_cast<double>(x(column / levels, column % levels));
          }
          y(row / levels, row % levels) = static_cast<Scalar>(sum);
        });
  }
  /// As a preconditioner: z = matrix times r.
  template <class In, class Out>
  void solve(const TEST_SPACE& space, const In& r, const Out& z) const {
    apply(space, r, z);
  }

 private:
  int m_size, m_num_levels;
  Kokkos::View<double*, Memory> m_entries;
};

}  // namespace LaminaTest
