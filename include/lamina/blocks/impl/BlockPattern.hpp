// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <cstdint>
#include <vector>

namespace Lamina::Impl {

/// The pattern of block rows on the host: offsets of the rows, and columns of the blocks. Halo
/// columns follow those of the rows.
struct BlockPattern {
  std::vector<std::int64_t> offsets;
  std::vector<int> columns;
  int num_halo = 0;
};

/// A pattern after blocks were moved: block n was block sources[n].
struct MovedBlocks {
  BlockPattern pattern;
  std::vector<std::int64_t> sources;
};

/// \throws InvalidArgument for wrong offsets or columns, and where a row names a column twice.
///   `function` is the caller.
void require_block_rows(const char* function, const BlockPattern& pattern);
/// The same; rows must not name themselves either.
void require_off_diagonal(const char* function, const BlockPattern& pattern);

/// Takes the diagonal block of each row out. `diagonal` receives their numbers.
/// \throws InvalidArgument for a row without one.
MovedBlocks split_pattern(const char* function, const BlockPattern& pattern,
                          std::vector<std::int64_t>& diagonal);

/// Which rows are coupled, without halo columns.
BlockGraph graph_of_rows(const BlockPattern& pattern);

/// Renumbers rows and columns. Columns ascend by place in each row. Halo columns keep their
/// numbers.
MovedBlocks renumber_pattern(const BlockPattern& pattern, const ColourOrdering& ordering);

/// The place of each block in its old row, where row i was row old_rows[i].
std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets, const MovedBlocks& moved,
                               const std::vector<int>& old_rows);
/// The same for one block of each row.
std::vector<int> places_in_row(const std::vector<std::int64_t>& offsets,
                               const std::vector<std::int64_t>& sources);

}  // namespace Lamina::Impl
