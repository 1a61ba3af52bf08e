// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BsrMatrix.hpp>

#include <blocks/KernelsVector.hpp>
#include <gtest/gtest.h>

#if defined(LAMINA_HAS_BSR_MATRIX)
#include <KokkosSparse_spmv.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <vector>

namespace LaminaTest {

template <class Type>
class BsrMatrix : public testing::Test {};
TYPED_TEST_SUITE(BsrMatrix, UnscaledTypes, OffDiagonalTypeNames);

#if !defined(LAMINA_HAS_BSR_MATRIX)

TYPED_TEST(BsrMatrix, IsThereWithKokkosKernels4) {
  GTEST_SKIP() << "Kokkos Kernels before 4.0 has no block matrices";
}

#else

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

TYPED_TEST(BsrMatrix, HoldsBlocksByRowsWithTheDiagonalOneInItsPlace) {
  const int size = 3;
  auto twin = random_matrix(Lamina::FreudenthalMesh(3, 2, 2).graph(), size);
  const auto a = Lamina::bsr_matrix<float>(TEST_SPACE(), device_matrix<TypeParam>(twin));
  const auto offsets = on_host(a.graph.row_map);
  const auto columns = on_host(a.graph.entries);
  const auto values = on_host(a.values);
  ASSERT_EQ(offsets(0), 0u);
  std::size_t n = 0;
  for (int row = 0; row < twin.num_rows(); ++row) {
    auto blocks = twin.off[static_cast<std::size_t>(row)];
    blocks.push_back({row, twin.diagonal[static_cast<std::size_t>(row)]});
    std::sort(blocks.begin(), blocks.end(),
              [](const auto& one, const auto& other) { return one.column < other.column; });
    for (const auto& [column, block] : blocks) {
      ASSERT_EQ(columns(n), column) << "row " << row;
      for (int p = 0; p < size; ++p) {
        for (int q = 0; q < size; ++q) {
          EXPECT_EQ(
              values((n * size + static_cast<std::size_t>(p)) * size + static_cast<std::size_t>(q)),
              static_cast<float>(block[static_cast<std::size_t>(q * size + p)]));
        }
      }
      ++n;
    }
    ASSERT_EQ(offsets(static_cast<std::size_t>(row) + 1), n);
  }
}

TYPED_TEST(BsrMatrix, WorksOnTheSameMatrix) {
  const TEST_SPACE space;
  for (const int size : {1, 2, 5, 33}) {
    for (const auto& graph : meshes_for(size)) {
      const auto twin = random_matrix(graph, size);
      const auto a = Lamina::bsr_matrix<double>(space, device_matrix<TypeParam>(twin));
      EXPECT_EQ(a.numRows(), graph.num_rows());
      EXPECT_EQ(a.blockDim(), size);
      EXPECT_EQ(a.nnz(), graph.columns.size() + static_cast<std::size_t>(graph.num_rows()));
      if (graph.num_rows() == 0) continue;
      const Values x = random_values(static_cast<std::size_t>(graph.num_rows() * size), 3);
      const KernelsVector y("LaminaTest::y", x.size());
      KokkosSparse::spmv("N", 1.0, a, kernels_vector(x), 0.0, y);
      EXPECT_TRUE(all_within(values_of(y), Reference::multiply(twin, x), 1e-13)) << size;
    }
  }
}

#endif

}  // namespace LaminaTest
