// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <filesystem>
#include <vector>

namespace Lamina {

/// Reads the colours of the rows of a graph from a text file: one whole number a line, 0 the first
/// colour, and nothing else.
/// \param places  of each row its place in the file, 0 the first line; empty: that of the row
/// \return the colour of each row, fit for `ColourOrdering`
/// \throws InvalidArgument for places that are no permutation of the rows.
/// \throws FileError with the line at fault, for another number of lines than there are rows, for
///   anything but a number from 0 to that of the rows less one, and for the colour of a row with
///   which this one is coupled.
std::vector<int> read_colours(const std::filesystem::path& file, const BlockGraph& graph,
                              const std::vector<int>& places = {});

}  // namespace Lamina
