// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <gtest/gtest.h>
#include <reference/Blocks.hpp>
#include <support/Compare.hpp>
#include <support/TestField.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

/// What O is stored in.
using OffDiagonalTypes = testing::Types<float, double, Lamina::Half>;
/// Those whose values stand for themselves, without a scale.
using UnscaledTypes = testing::Types<float, double>;
struct OffDiagonalTypeNames {
  template <class Type>
  static std::string GetName(int) {
    return std::is_same_v<Type, float> ? "Float" : std::is_same_v<Type, double> ? "Double" : "Half";
  }
};
template <class Type>
inline constexpr bool in_half = std::is_same_v<Type, Lamina::Half>;

/// What O is rounded from.
template <class Type>
using Unrounded = std::conditional_t<in_half<Type>, float, Type>;

/// The matrix with O in `Type`.
template <class Type, class Matrix>
auto stored_in(const Matrix& matrix) {
  if constexpr (in_half<Type>) {
    return matrix.rounded_to_half(TEST_SPACE());
  } else {
    return matrix;
  }
}

using BlockFieldOfTest = TestField<double, Kokkos::LayoutRight>;

template <class Value>
Kokkos::View<Value*, Memory> device_copy(const std::vector<Value>& values) {
  const Kokkos::View<Value*, Memory> view("LaminaTest::values", values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                values.data(), values.size()));
  return view;
}

/// Blocks one after the other as a rank-3 View.
template <class Value>
Kokkos::View<Value***, Kokkos::LayoutLeft, Memory> device_blocks(
    int size, const std::vector<Reference::Block>& blocks) {
  const Kokkos::View<Value***, Kokkos::LayoutLeft, Memory> view("LaminaTest::blocks", size, size,
                                                                blocks.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    for (int q = 0; q < size; ++q) {
      for (int p = 0; p < size; ++p) {
        host(p, q, n) = static_cast<Value>(blocks[n][static_cast<std::size_t>(q * size + p)]);
      }
    }
  }
  Kokkos::deep_copy(view, host);
  return view;
}

/// A matrix of the twin on the test space.
template <class OffDiagonal>
Lamina::BlockSparseMatrix<double, OffDiagonal, Memory> device_matrix(
    const Reference::BlockMatrix& a) {
  std::vector<std::int64_t> offsets{0};
  std::vector<int> columns;
  std::vector<Reference::Block> blocks;
  for (const auto& row : a.off) {
    for (const auto& entry : row) {
      columns.push_back(entry.column);
      blocks.push_back(entry.block);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  using Value = Unrounded<OffDiagonal>;
  return stored_in<OffDiagonal>(Lamina::BlockSparseMatrix<double, Value, Memory>(
      TEST_SPACE(), device_copy(offsets), device_copy(columns),
      device_blocks<double>(a.size, a.diagonal), device_blocks<Value>(a.size, blocks)));
}

/// Values that all storages hold exactly.
inline Reference::Block exact_in_half(Reference::Block block) {
  for (double& value : block) value = Reference::in_eleven_bits(value);
  return block;
}

/// Random blocks on the rows of a graph, dominated by those of the diagonal; exact in every
/// storage.
inline Reference::BlockMatrix random_matrix(const Lamina::BlockGraph& graph, int size) {
  Reference::BlockMatrix a;
  a.size = size;
  std::uint64_t seed = 1;
  const auto block = [&](double scale) {
    Reference::Block values = random_values(static_cast<std::size_t>(size * size), seed++);
    for (double& value : values) value *= scale / size;
    return exact_in_half(values);
  };
  for (int row = 0; row < graph.num_rows(); ++row) {
    a.diagonal.push_back(block(0.8));
    for (int p = 0; p < size; ++p) a.diagonal.back()[static_cast<std::size_t>(p * (size + 1))] += 1;
    a.off.emplace_back();
    for (std::int64_t k = graph.offsets[static_cast<std::size_t>(row)];
         k < graph.offsets[static_cast<std::size_t>(row) + 1]; ++k) {
      a.off.back().push_back({graph.columns[static_cast<std::size_t>(k)],
                              block(0.5 / static_cast<double>(graph.degree(row)))});
    }
  }
  return a;
}

/// O_ji is the transpose of O_ij, and the diagonal barely dominates: symmetric positive definite.
inline Reference::BlockMatrix symmetric_matrix(const Lamina::BlockGraph& graph, int size) {
  auto a = random_matrix(graph, size);
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < a.off.size(); ++i) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = 0; q < n; ++q) a.diagonal[i][q * n + p] = p == q ? 7.05 : 0.0;
    }
    for (auto& entry : a.off[i]) {
      const auto j = static_cast<std::size_t>(entry.column);
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q) {
          entry.block[q * n + p] = p == q ? -0.5 : i < j ? 0.001 * p : 0.001 * q;
        }
      }
      entry.block = exact_in_half(entry.block);
    }
  }
  return a;
}

/// Sizes at which lanes, stripes and groups begin and end.
inline const std::vector<int> awkward_sizes{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                            11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                            24, 25, 31, 32, 33, 47, 64, 65, 100};

/// Meshes of no row, one, two, a prime, and those with all 14 neighbours. Large blocks on small
/// ones.
inline std::vector<Lamina::BlockGraph> meshes_for(int size) {
  std::vector<Lamina::BlockGraph> graphs{
      {}, Lamina::FreudenthalMesh(1, 1, 1).graph(), Lamina::FreudenthalMesh(2, 1, 1).graph()};
  if (size <= 20) graphs.push_back(Lamina::FreudenthalMesh(1, 1, 13).graph());
  graphs.push_back(size <= 20 ? Lamina::FreudenthalMesh(3, 3, 3).graph()
                              : Lamina::FreudenthalMesh(2, 3, 2).graph());
  if (size <= 9) graphs.push_back(Lamina::FreudenthalMesh(7, 5, 6).graph());
  return graphs;
}

}  // namespace LaminaTest
