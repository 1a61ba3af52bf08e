// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <vector>

namespace Lamina {

/// Reads who owns which column of a grid from a text file, as METIS writes it (`graph.part.4`): one
/// whole number a line, the rank of each column from 0, and nothing else. A rank may own nothing.
/// \return the ranks of the columns, for `Partition::from_owners`
/// \throws FileError with the line at fault, for another number of lines than there are columns,
///   and for anything but a number from 0 to that of the ranks less one.
std::vector<int> read_owners(const std::filesystem::path& file, int num_columns, int num_ranks);

}  // namespace Lamina
