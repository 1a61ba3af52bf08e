// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a process has of a panel; included by what Space_<Name>.cpp instantiates.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/io/PanelFile.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "support/ranks/LineStream.hpp"
#include "support/ranks/RankLink.hpp"
#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// The lines of a host field whose columns begin with those of a block.
template <class Scalar, class HostField>
LineStream::Source lines_of(const LineStream::Block& block, const HostField& field) {
  return [block, field](int i, std::byte* bytes) {
    auto column =
        static_cast<std::size_t>(i - block.first_x) * static_cast<std::size_t>(block.num_y);
    for (int j = 0; j < block.num_y; ++j, ++column) {
      for (std::size_t k = 0; k < field.extent(1); ++k, bytes += sizeof(Scalar)) {
        const Scalar value = field(column, k);
        std::memcpy(bytes, &value, sizeof value);
      }
    }
  };
}

/// The columns that a process works on: all of a grid, or those of a panel that its rank has, and
/// their neighbours.
template <ExecutionSpace Execution>
class PanelPart {
 public:
  using Memory = typename Execution::memory_space;

  /// Collective.
  /// \param bytes_per_column  of an exchange
  PanelPart(const Execution& space, const HelmholtzProblem& problem, std::size_t bytes_per_column,
            const RankGrid& grid)
      : m_link(space, grid), m_problem(problem), m_bytes_per_column(bytes_per_column) {
    if (ranks() == nullptr) return;
    // Packs of columns are found where rectangles begin at multiples of these.
    constexpr std::array<int, 2> align{2, 16};
    run_agreed(ranks(), [&] {
      const auto partition = Partition::grid({problem.num_x, problem.num_y}, grid.shape, align);
      m_local = problem.panel().local(partition, ranks()->rank(), problem.edge);
    });
    m_decomposition = Decomposition<Memory>(m_link.transport(), m_local.halo, bytes_per_column);
  }

  const RankLink& link() const { return m_link; }
  const Ranks* ranks() const { return m_link.ranks(); }
  const Decomposition<Memory>& decomposition() const { return m_decomposition; }
  /// Of several ranks.
  const LocalColumns& local() const { return m_local; }
  ColumnMesh<Memory> make_mesh() const {
    return ColumnMesh<Memory>(ranks() == nullptr ? m_problem.graph() : m_local.graph);
  }
  /// The area of the owned columns.
  double area() const {
    if (ranks() == nullptr && m_problem.grid) return m_problem.grid->area();
    const auto areas = ranks() == nullptr ? m_problem.panel().areas() : m_local.graph.areas;
    const auto num_owned =
        ranks() == nullptr ? static_cast<int>(areas.size()) : m_local.halo.num_owned;
    return std::accumulate(areas.begin(), areas.begin() + num_owned, 0.0);
  }
  /// The cells of the owned columns, which are numbered by ascending i and j within it.
  LineStream::Block block() const {
    if (ranks() == nullptr) return {.num_x = m_problem.num_x, .num_y = m_problem.num_y};
    if (m_local.halo.num_owned == 0) return {};
    const auto last = static_cast<std::size_t>(m_local.halo.num_owned) - 1;
    const auto i = [&](std::size_t n) {
      return static_cast<int>(m_local.columns[n] / m_problem.num_y);
    };
    const auto j = [&](std::size_t n) {
      return static_cast<int>(m_local.columns[n] % m_problem.num_y);
    };
    return {
        .first_x = i(0), .first_y = j(0), .num_x = i(last) - i(0) + 1, .num_y = j(last) - j(0) + 1};
  }

  /// Halo columns become those of their owners. Collective.
  template <class Field>
  void update_halo(const Execution& space, const Field& field) const {
    if (m_decomposition.halo.empty()) return;
    m_decomposition.halo.start(space, field);
    m_decomposition.halo.finish(space);
  }

  /// Calls write(slabs of the first field, slabs of the second one) on the process that writes files, as
  /// if it had the whole of these host fields. Collective.
  template <class HostField, class Write>
  void with_slabs(const HostField& first, const HostField& second, const Write& write) const {
    using Scalar = typename HostField::non_const_value_type;
    if (ranks() == nullptr) {
      const CubedSpherePanel panel = m_problem.panel();
      return write(slabs_of(panel, first), slabs_of(panel, second));
    }
    LineStream stream(*ranks(), block(), m_bytes_per_column,
                      {lines_of<Scalar>(block(), first), lines_of<Scalar>(block(), second)});
    const auto slabs = [&](std::size_t field) {
      return PanelSlab<Scalar>([&stream, field](int i, Scalar* values) {
        stream.fetch(field, i, reinterpret_cast<std::byte*>(values));
      });
    };
    stream.run([&] { write(slabs(0), slabs(1)); });
  }

  /// What this rank of several has.
  RankRecord::OfRank share() const {
    return ranks() == nullptr ? RankRecord::OfRank() : rank_part(*ranks(), m_local.halo);
  }

 private:
  RankLink m_link;
  const HelmholtzProblem& m_problem;
  std::size_t m_bytes_per_column;
  LocalColumns m_local;
  Decomposition<Memory> m_decomposition;
};

}  // namespace Lamina::Cli
