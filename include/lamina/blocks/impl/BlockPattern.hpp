// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// Rows of blocks on the host: where each begins, and the columns of the blocks.
struct BlockPattern {
  std::vector<std::int64_t> offsets;
  std::vector<int> columns;
};

/// The same after blocks were moved: block n is block sources[n] of before.
struct MovedBlocks {
  BlockPattern pattern;
  std::vector<std::int64_t> sources;
};

/// \throws InvalidArgument where offsets or columns are not as they should be, or a row names a
///   column twice; `function` is who asks.
void require_block_rows(const char* function, const BlockPattern& pattern);
/// The same, where rows must not name themselves.
void require_off_diagonal(const char* function, const BlockPattern& pattern);

/// Takes the diagonal block of each row out: `diagonal` receives where they are.
/// \throws InvalidArgument for a row without one.
MovedBlocks split_pattern(const char* function, const BlockPattern& pattern,
                          std::vector<std::int64_t>& diagonal);

/// Renumbers rows and columns; columns ascend in each row.
MovedBlocks renumber_pattern(const BlockPattern& pattern, const ColourOrdering& ordering);

/// Where the source of each block stands in its row of before, from row old_rows[i] to row i.
std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets, const MovedBlocks& moved,
                               const std::vector<int>& old_rows);
/// The same of one block to a row.
std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets,
                               const std::vector<std::int64_t>& sources);

}  // namespace Lamina::Impl
