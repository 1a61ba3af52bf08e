// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/problems/FreudenthalMesh.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/SplitMix.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace Lamina {
namespace {

int checked_size(std::int64_t num_x, std::int64_t num_y, std::int64_t num_z) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const std::string extents =
      std::to_string(num_x) + " x " + std::to_string(num_y) + " x " + std::to_string(num_z);
  LAMINA_REQUIRE(num_x >= 1 && num_y >= 1 && num_z >= 1, "FreudenthalMesh",
                 "expected extents >= 1, got " + extents);
  LAMINA_REQUIRE(num_x <= most / num_y && num_x * num_y <= most / num_z, "FreudenthalMesh",
                 "expected fewer than 2^31 vertices, got " + extents);
  return static_cast<int>(num_x * num_y * num_z);
}

constexpr std::array<std::array<int, 3>, 7> directions{
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}};

}  // namespace

FreudenthalMesh::FreudenthalMesh(std::int64_t num_x, std::int64_t num_y, std::int64_t num_z) {
  const int num_rows = checked_size(num_x, num_y, num_z);
  std::vector<std::pair<std::uint64_t, int>> hashes;
  hashes.reserve(static_cast<std::size_t>(num_rows));
  for (int id = 0; id < num_rows; ++id) {
    hashes.emplace_back(Impl::splitmix64(static_cast<std::uint64_t>(id)), id);
  }
  std::sort(hashes.begin(), hashes.end());
  std::vector<int> row_of(hashes.size());
  m_lattice_ids.reserve(hashes.size());
  for (const auto& [hash, id] : hashes) {
    row_of[static_cast<std::size_t>(id)] = static_cast<int>(m_lattice_ids.size());
    m_lattice_ids.push_back(id);
  }

  const auto inside = [](std::int64_t index, std::int64_t extent) {
    return index >= 0 && index < extent;
  };
  m_graph.offsets.reserve(hashes.size() + 1);
  m_graph.columns.reserve(hashes.size() * 2 * directions.size());
  for (const int id : m_lattice_ids) {
    const std::int64_t i = id / (num_y * num_z), j = id / num_z % num_y, k = id % num_z;
    const auto first = static_cast<std::ptrdiff_t>(m_graph.columns.size());
    for (const auto& [di, dj, dk] : directions) {
      for (const int sign : {1, -1}) {
        const std::int64_t ni = i + sign * di, nj = j + sign * dj, nk = k + sign * dk;
        if (!inside(ni, num_x) || !inside(nj, num_y) || !inside(nk, num_z)) continue;
        m_graph.columns.push_back(row_of[static_cast<std::size_t>((ni * num_y + nj) * num_z + nk)]);
      }
    }
    std::sort(m_graph.columns.begin() + first, m_graph.columns.end());
    m_graph.offsets.push_back(static_cast<std::int64_t>(m_graph.columns.size()));
  }
}

}  // namespace Lamina
