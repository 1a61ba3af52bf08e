// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace Lamina {

/// A matrix in compressed block rows, the diagonal among the others. Block n is
/// blocks[n * block_size^2 ..], column-major; entries that the file does not name are 0.
struct MatrixMarketBlocks {
  int block_size = 1;
  std::vector<std::int64_t> row_offsets{0};
  std::vector<int> columns;  ///< ascending in each row
  std::vector<double> blocks;

  int num_rows() const { return static_cast<int>(row_offsets.size()) - 1; }
};

/// The block size that a comment `% ISTL_STRUCT blocked 3 3` of the file states, as DUNE writes it
/// between the first line and the sizes; nothing where there is none.
/// \throws FileError where the file cannot be read, and for blocks that are not square.
std::optional<int> find_block_size(const std::filesystem::path& file);

/// Reads a square matrix of the format Matrix Market, `matrix coordinate real|integer
/// general|symmetric`, and cuts it into blocks. Numbers may have the exponents of Fortran (1.0D-3,
/// 1.0-103); those too small for double precision become 0. Blocks are dense: a few entries, each in
/// a block of its own, may ask for far more memory than their file.
/// \param available_bytes  asked once for the memory that the values of the blocks may take, when
///   their number is known and before they are allocated; none: no limit
/// \throws FileError with the line at fault, for files that are no such matrix, or whose size is
///   not a multiple of the block size; for entries that are not finite, out of range, or given
///   twice; for block rows without a diagonal block; and for blocks that do not fit.
MatrixMarketBlocks read_matrix_market(const std::filesystem::path& file, int block_size,
                                      const std::function<double()>& available_bytes = nullptr);

// A matrix for several processes: one reads the pattern, and decides who has which block rows. Each
// reads its own ones then. All pass over the whole file, but keep what they return.

/// The blocks without their values: `blocks` is empty. Holds 8 bytes for a block besides, twice as
/// many at times.
/// \throws FileError as `read_matrix_market`, but not for entries that are given twice
MatrixMarketBlocks read_matrix_market_pattern(const std::filesystem::path& file, int block_size);

/// Some block rows of the matrix, in their order, with the columns of the whole one.
/// \param rows  ascending numbers of block rows, from 0
/// \throws InvalidArgument unless `rows` ascend from 0 or more.
/// \throws FileError as `read_matrix_market`, and for rows that the file has not; of the entries of
///   other block rows not for what is wrong with a block row as a whole
MatrixMarketBlocks read_matrix_market_rows(
    const std::filesystem::path& file, int block_size, const std::vector<std::int64_t>& rows,
    const std::function<double()>& available_bytes = nullptr);

/// Reads a vector of one column, `matrix array real|integer general`, or `matrix coordinate`, where
/// entries that are not named are 0.
/// \throws FileError with the line at fault, for files that are no such vector of `size` values.
std::vector<double> read_matrix_market_vector(const std::filesystem::path& file, std::size_t size);

/// The values of some block rows of such a vector.
/// \param rows  as of `read_matrix_market_rows`
/// \throws InvalidArgument unless `rows` ascend from 0 or more, and are those of `size` values.
/// \throws FileError as `read_matrix_market_vector`
std::vector<double> read_matrix_market_vector_rows(const std::filesystem::path& file,
                                                   std::size_t size, int block_size,
                                                   const std::vector<std::int64_t>& rows);

/// Writes a vector in that form, with all digits. The file appears when complete.
/// \throws FileError where it cannot be written.
void write_matrix_market_vector(const std::filesystem::path& file,
                                const std::vector<double>& values);

}  // namespace Lamina
