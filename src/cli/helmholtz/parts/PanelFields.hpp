// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Right-hand side and output on a panel; included by what HelmholtzSolve.cpp.in instantiates.

#include <lamina/problems/RightHandSide.hpp>

#include <cstddef>
#include <cstring>

#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
#include "support/ranks/LineStream.hpp"

namespace Lamina::Cli {

/// The cells of the owned columns, which are numbered by ascending i and j within it.
template <ExecutionSpace Execution>
LineStream::Block block_of(const ColumnPart<Execution>& part, const HelmholtzProblem& problem) {
  if (part.num_owned() == 0) return {};
  const auto i = [&](int n) { return static_cast<int>(part.column(n) / problem.num_y); };
  const auto j = [&](int n) { return static_cast<int>(part.column(n) % problem.num_y); };
  const int last = part.num_owned() - 1;
  return {
      .first_x = i(0), .first_y = j(0), .num_x = i(last) - i(0) + 1, .num_y = j(last) - j(0) + 1};
}

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

/// Fills a field of 0 with the right-hand side of the owned columns. Fences the space.
/// \return the largest magnitude that was read from a file
template <ExecutionSpace Execution, class Field>
double fill_panel_rhs(const Execution& space, const HelmholtzProblem& problem,
                      const ColumnPart<Execution>& part, const Field& rhs) {
  if (problem.generated_rhs) {
    part.local() == nullptr
        ? fill_rhs(space, *problem.generated_rhs, problem.panel(), problem.vertical(), rhs)
        : fill_rhs(space, *problem.generated_rhs, problem.panel(), problem.vertical(),
                   *part.local(), rhs);
    return 0;
  }
  const auto host = Kokkos::create_mirror_view(rhs);
  const auto [first_x, first_y, num_x, num_y] = block_of(part, problem);
  const double largest = read_right_hand_side(problem, {first_x, first_y, num_x, num_y}, host);
  Kokkos::deep_copy(space, rhs, host);
  space.fence();
  return largest;
}

/// Writes the output of all ranks: host fields of this one's columns go to rank 0 line by line.
/// Collective.
template <ExecutionSpace Execution, class HostField>
void write_panel(const HelmholtzTask& task, const HelmholtzResult& result,
                 const ColumnPart<Execution>& part, const HostField& solution,
                 const HostField& rhs) {
  using Scalar = typename HostField::non_const_value_type;
  const auto write = [&](const PanelSlab<Scalar>& first, const PanelSlab<Scalar>& second) {
    write_helmholtz_file<Scalar>(task, result, task.problem.vertical(), first, second);
  };
  if (part.ranks() == nullptr) {
    const CubedSpherePanel panel = task.problem.panel();
    return write(slabs_of(panel, solution), slabs_of(panel, rhs));
  }
  const LineStream::Block block = block_of(part, task.problem);
  LineStream stream(*part.ranks(), block, part.bytes_per_column(),
                    {lines_of<Scalar>(block, solution), lines_of<Scalar>(block, rhs)});
  const auto slabs = [&](std::size_t field) {
    return PanelSlab<Scalar>([&stream, field](int i, Scalar* values) {
      stream.fetch(field, i, reinterpret_cast<std::byte*>(values));
    });
  };
  stream.run([&] { write(slabs(0), slabs(1)); });
}

}  // namespace Lamina::Cli
