// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Right-hand side and output on a grid other than a panel; included by what HelmholtzSolve.cpp.in
// instantiates.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "helmholtz/HelmholtzFile.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
#include "support/ranks/ColumnStream.hpp"

namespace Lamina::Cli {

/// Fills a field of 0 with the right-hand side of the owned columns. Fences the space.
/// \return the largest magnitude that was read from a file
template <ExecutionSpace Execution, class Field>
double fill_grid_rhs(const Execution& space, const HelmholtzProblem& problem,
                     const ColumnPart<Execution>& part, const Field& rhs) {
  const auto host = Kokkos::create_mirror_view(rhs);
  double largest = 0;
  if (problem.generated_rhs) {
    generate_right_hand_side(problem, host, part.local());
  } else {
    largest = read_right_hand_side(problem, host, part.local());
  }
  Kokkos::deep_copy(space, rhs, host);
  space.fence();
  return largest;
}

/// The columns of a host field.
template <class HostField>
ColumnStream::Source columns_of(const HostField& field) {
  return [field](int column, std::byte* bytes) {
    for (std::size_t k = 0; k < field.extent(1); ++k) {
      const auto value = field(static_cast<std::size_t>(column), k);
      std::memcpy(bytes + k * sizeof value, &value, sizeof value);
    }
  };
}

/// Writes the output of all ranks: host fields of this one's columns go to rank 0 in pieces of the
/// file. Collective.
template <ExecutionSpace Execution, class HostField>
void write_grid(const HelmholtzTask& task, const HelmholtzResult& result,
                const ColumnPart<Execution>& part, const HostField& solution,
                const HostField& rhs) {
  using Scalar = typename HostField::non_const_value_type;
  if (part.ranks() == nullptr) {
    return write_helmholtz_file<Scalar>(task, result, solution, rhs);
  }
  std::vector<int> owners(task.problem.grid->original.size()), own;
  const std::vector<int> columns = places_of(*task.problem.grid);
  std::transform(columns.begin(), columns.end(), owners.begin(),
                 [&](int column) { return task.problem.partition->columns.owner(column); });
  for (const int column : places_of(*task.problem.grid, part.local())) {
    if (column >= 0) own.push_back(column);
  }
  ColumnStream stream(*part.ranks(), owners, own, part.bytes_per_column(),
                      {columns_of(solution), columns_of(rhs)});
  const auto values = [&](std::size_t field) {
    return ColumnValues<Scalar>([&stream, field](int number, Scalar* to) {
      stream.fetch(field, number, reinterpret_cast<std::byte*>(to));
    });
  };
  stream.run([&] { write_helmholtz_columns<Scalar>(task, result, values(0), values(1)); });
}

}  // namespace Lamina::Cli
