// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What rounding O to half precision does to it, and to what sweeps arrive at.

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/problems/ClosedFormSystem.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace LaminaTest {

using HalfMatrix = Lamina::BlockSparseMatrix<double, Lamina::Half, Memory>;

/// A system whose equations are written in units of `unit`, `unit`^2, ... or 1, in turn, with values
/// off the diagonal that no storage but double holds.
inline Reference::BlockMatrix matrix_in_units(const Lamina::BlockGraph& graph, int size,
                                              double unit) {
  auto a = random_matrix(graph, size);
  std::uint64_t seed = 1;
  for (std::size_t i = 0; i < a.off.size(); ++i) {
    for (auto& entry : a.off[i]) {
      entry.block = random_values(entry.block.size(), seed++);
      for (std::size_t n = 0; n < entry.block.size(); ++n) {
        entry.block[n] *=
            std::pow(unit, static_cast<double>((n % static_cast<std::size_t>(size) + i) % 4));
      }
    }
  }
  return a;
}

/// O as it is stored, block after block, scales included.
inline std::vector<double> stored_values(const HalfMatrix& matrix) {
  const auto blocks =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.off_diagonal());
  const auto scales = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.row_scales());
  const auto offsets =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.row_offsets());
  std::vector<double> values;
  const auto size = static_cast<std::size_t>(matrix.block_size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.num_rows()); ++i) {
    for (auto k = static_cast<std::size_t>(offsets(i));
         k < static_cast<std::size_t>(offsets(i + 1)); ++k) {
      for (std::size_t n = 0; n < size * size; ++n) {
        values.push_back(static_cast<double>(blocks(n % size, n / size, k)) * scales(i, n % size));
      }
    }
  }
  return values;
}
inline std::vector<double> values_of(const Reference::BlockMatrix& a) {
  std::vector<double> values;
  for (const auto& row : a.off) {
    for (const auto& entry : row)
      values.insert(values.end(), entry.block.begin(), entry.block.end());
  }
  return values;
}

/// The same, each value in float.
inline Reference::BlockMatrix in_float(Reference::BlockMatrix a) {
  for (auto& row : a.off) {
    for (auto& entry : row) entry.block = rounded<float>(entry.block);
  }
  return a;
}

TEST(HalfStorage, RoundsEachRowOfTheMatrixInItsOwnUnits) {
  for (const int size : {1, 2, 5, 9, 17}) {
    for (const double unit : {1.0, 3e-7, 1e11}) {
      const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
      const auto twin = in_float(matrix_in_units(graph, size, unit));
      const auto matrix = device_matrix<Lamina::Half>(twin);
      EXPECT_EQ(stored_values(matrix), values_of(Reference::off_diagonal_in_half(twin)))
          << size << ", unit " << unit;
    }
  }
}

TEST(HalfStorage, RoundsDoublesToElevenBits) {
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto twin = matrix_in_units(graph, 5, 1e11);
  const auto stored = stored_values(device_matrix<double>(twin).rounded_to_half(TEST_SPACE()));
  const auto exact = values_of(twin);
  ASSERT_EQ(stored.size(), exact.size());
  for (std::size_t n = 0; n < exact.size(); ++n) {
    // Half of the last bit, and that of the float on the way
    EXPECT_LE(std::abs(stored[n] - exact[n]),
              (std::ldexp(1, -11) + std::ldexp(1, -24)) * std::abs(exact[n]));
  }
}

TEST(HalfStorage, HoldsAllThatAFloatHolds) {
  const auto graph = Lamina::FreudenthalMesh(2, 1, 1).graph();
  auto twin = random_matrix(graph, 4);
  const double largest = std::numeric_limits<float>::max(), least = 0x1p-149;
  twin.off[0][0].block = {largest, 1e-30, least,  0, -1e30, 1, 1e-38, 0,
                          1,       0,     -1e-40, 0, 0,     1, 0,     0};
  const auto stored = stored_values(device_matrix<Lamina::Half>(twin));
  const auto& exact = twin.off[0][0].block;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    double row = 0;
    for (std::size_t k = n % 4; k < 16; k += 4) row = std::max(row, std::abs(exact[k]));
    EXPECT_LE(std::abs(stored[n] - exact[n]), std::max(std::ldexp(std::abs(exact[n]), -11),
                                                       std::max(std::ldexp(row, -39), 0x1p-150)))
        << n << ": " << exact[n] << " as " << stored[n];
  }
  EXPECT_GT(stored[2], 0);
}

TEST(HalfStorage, KeepsWhatIsNotFiniteVisible) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1 / 0.0, -1 / 0.0}) {
    for (const int size : {1, 5}) {
      auto twin = random_matrix(Lamina::FreudenthalMesh(3, 3, 3).graph(), size);
      twin.off[4][1].block.back() = bad;
      const auto matrix = device_matrix<Lamina::Half>(twin);
      const Values ones(static_cast<std::size_t>(27 * size), 1.0);
      const BlockFieldOfTest x(27, size, ones), y(27, size);
      matrix.apply(TEST_SPACE(), x.const_view(), y.view());
      int not_finite = 0;
      for (const double value : y.get()) not_finite += !std::isfinite(value);
      EXPECT_EQ(not_finite, 1);
    }
  }
}

TEST(HalfStorage, TakesScalesOfTheUser) {
  const TEST_SPACE space;
  auto twin = random_matrix(Lamina::FreudenthalMesh(4, 3, 3).graph(), 3);
  const auto own = device_matrix<Lamina::Half>(twin);
  const Kokkos::View<float**, Kokkos::LayoutRight, Memory> scales("LaminaTest::scales", 36, 3);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own.row_scales());
  const auto scaled = Kokkos::create_mirror_view(scales);
  for (std::size_t i = 0; i < 36; ++i) {
    for (std::size_t p = 0; p < 3; ++p) {
      const double factor = 0.25 * static_cast<double>(i + p);
      scaled(i, p) = static_cast<float>(factor) * host(i, p);
      for (auto& entry : twin.off[i]) {
        for (std::size_t q = 0; q < 3; ++q) entry.block[3 * q + p] *= factor;
      }
    }
  }
  Kokkos::deep_copy(scales, scaled);
  const HalfMatrix matrix(space, own.row_offsets(), own.columns(), own.diagonal(),
                          own.off_diagonal(), scales);
  const Values values = random_values(108, 5);
  const BlockFieldOfTest x(36, 3, values), y(36, 3);
  matrix.apply(space, x.const_view(), y.view());
  EXPECT_TRUE(all_within(y.get(), Reference::multiply(twin, values), rounding<double>(45)));
}

TEST(HalfStorage, AMatrixWithoutRowsIsLegal) {
  EXPECT_EQ(
      (Lamina::BlockSparseMatrix<double, float, Memory>().rounded_to_half(TEST_SPACE()).num_rows()),
      0);
}

TEST(HalfStorage, RefusesScalesThatDoNotFit) {
  const TEST_SPACE space;
  const auto twin = random_matrix(Lamina::FreudenthalMesh(4, 3, 3).graph(), 3);
  const auto half = device_matrix<Lamina::Half>(twin);
  const auto single = device_matrix<float>(twin);
  using Scales = Kokkos::View<float**, Kokkos::LayoutRight, Memory>;
  const auto refusal = [&](const auto& matrix, const auto& scales) {
    return message_of<Lamina::InvalidArgument>([&] {
      std::decay_t<decltype(matrix)>(space, matrix.row_offsets(), matrix.columns(),
                                     matrix.diagonal(), matrix.off_diagonal(), scales);
    });
  };
  const std::string argument = "Lamina::BlockSparseMatrix: argument row_scales: expected ";
  EXPECT_EQ(refusal(half, half.row_scales()), "nothing was thrown");
  EXPECT_EQ(refusal(half, Scales()), argument + "36 block rows, got 0");
  EXPECT_EQ(refusal(half, Scales("LaminaTest::s", 36, 2)), argument + "3 components, got 2");
  EXPECT_EQ(refusal(single, half.row_scales()), argument + "0 block rows, got 36");
  const Scales wide("LaminaTest::s", 36, 4);
  const Kokkos::View<const float**, Kokkos::LayoutRight, Memory> padded =
      Kokkos::subview(wide, Kokkos::ALL, Kokkos::make_pair(0, 3));
  EXPECT_EQ(refusal(half, padded), argument + "a contiguous View, got a padded one");
}

TEST(HalfStorage, SweepsArriveCloseToTheSolutionInDoubleAndNeverAway) {
  const TEST_SPACE space;
  const Lamina::FreudenthalMesh mesh(12, 11, 10);
  for (const int size : {1, 2, 5, 8, 17}) {
    const Lamina::ClosedFormSystem<Memory> system(mesh.graph(), mesh.lattice_ids(), size);
    const auto single = system.template matrix<float>(space);
    const int rows = single.num_rows();
    const BlockFieldOfTest solution(rows, size), rhs(rows, size), b(rows, size), x(rows, size),
        found(rows, size);
    system.fill_solution(space, solution.view());
    single.apply(space, solution.const_view(), rhs.view());
    const Lamina::PointImplicitSolver solver(space, single.rounded_to_half(space),
                                             Lamina::ColourOrdering::greedy(mesh.graph()));
    solver.to_colour_order(space, rhs.const_view(), b.view());
    Lamina::StoppingCriteria criteria;
    criteria.tolerance = 1e-13;
    const auto report = solver.solve_in_colour_order(space, b.const_view(), x.view(), criteria);
    EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
    double before = 1;
    for (const double residual : report.residual_history) {
      EXPECT_LT(residual, before) << size;
      before = residual;
    }
    solver.from_colour_order(space, x.const_view(), found.view());
    EXPECT_TRUE(all_within(found.get(), solution.get(), 1e-3)) << size;
    EXPECT_FALSE(all_within(found.get(), solution.get(), 1e-8)) << size << ": nothing was rounded";
  }
}

}  // namespace LaminaTest
