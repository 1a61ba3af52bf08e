// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/MatrixMarketFile.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

class MatrixMarketFile : public testing::Test {
 protected:
  void write(const std::string& content) const {
    std::ofstream(m_folder / "a.mtx", std::ios::binary) << content;
  }
  Lamina::MatrixMarketBlocks read(const std::string& content, int block_size) const {
    write(content);
    return Lamina::read_matrix_market(m_folder / "a.mtx", block_size);
  }
  /// What is wrong with a file, after its name.
  template <class Call>
  std::string refusal(const Call& call) const {
    try {
      call();
    } catch (const Lamina::FileError& error) {
      const std::string message = error.what(), name = (m_folder / "a.mtx").string() + ": ";
      EXPECT_EQ(message.substr(0, name.size()), name);
      EXPECT_EQ(message.find('\n'), std::string::npos);
      return message.substr(name.size());
    }
    return "accepted";
  }
  std::string refusal_of(const std::string& content, int block_size = 1) const {
    return refusal([&] { read(content, block_size); });
  }
  std::string vector_refusal(const std::string& content, std::size_t size) const {
    write(content);
    return refusal([&] { Lamina::read_matrix_market_vector(m_folder / "a.mtx", size); });
  }

  ScratchFolder m_folder;
};

TEST_F(MatrixMarketFile, IsCutIntoBlocks) {
  const auto matrix = read(banner + "% a comment\n\n4 4 6\n1 1 1.5\n4 4 -2e3\n2 2 +3\n3 3 4\n" +
                               "  1\t4 5 \r\n2 1 6\n% the end\n",
                           2);
  EXPECT_EQ(matrix.num_rows(), 2);
  EXPECT_EQ(matrix.row_offsets, (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(matrix.columns, (std::vector{0, 1, 1}));
  EXPECT_EQ(matrix.blocks, (std::vector<double>{1.5, 6, 0, 3, 0, 0, 5, 0, 4, 0, 0, -2000}));
}

TEST_F(MatrixMarketFile, MayBeSymmetricOrOfIntegersOrEmpty) {
  const auto matrix = read(
      "%%matrixmarket MATRIX Coordinate Integer Symmetric\n3 3 4\n1 1 1\n"
      "2 2 2\n3 3 3\n3 1 7\n",
      1);
  EXPECT_EQ(matrix.columns, (std::vector{0, 2, 1, 0, 2}));
  EXPECT_EQ(matrix.blocks, (std::vector<double>{1, 7, 2, 7, 3}));
  EXPECT_EQ(read(banner + "0 0 0\n", 5).num_rows(), 0);
}

TEST_F(MatrixMarketFile, SaysInWhichLineItIsWrong) {
  EXPECT_EQ(refusal_of(""),
            "line 0: expected \"%%MatrixMarket matrix coordinate real|integer "
            "general|symmetric\", got an empty file");
  const std::string expected =
      "line 1: expected \"%%MatrixMarket matrix coordinate real|integer general|symmetric\", got ";
  EXPECT_EQ(refusal_of("hello\n"), expected + "\"hello\"");
  EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate complex general\n"),
            expected + "\"%%MatrixMarket matrix coordinate complex...\"");
  EXPECT_EQ(refusal_of(banner), "line 1: expected rows, columns and entries, the file ends");
  EXPECT_EQ(refusal_of(banner + "2 2\n"),
            "line 2: expected numbers of rows, columns and entries, got \"2 2\"");
  EXPECT_EQ(
      refusal_of(banner + "2 2 99999999999999999999\n"),
      "line 2: expected numbers of rows, columns and entries, got \"2 2 99999999999999999999\"");
  EXPECT_EQ(refusal_of(banner + "2 3 1\n"),
            "line 2: expected a square matrix, got 2 rows and 3 columns");
  EXPECT_EQ(refusal_of(banner + "3 3 1\n", 2),
            "line 2: expected a multiple of the block size 2, got 3 rows");
  EXPECT_EQ(refusal_of(banner + "8589934592 8589934592 1\n", 2),
            "line 2: expected fewer than 2^31 block rows, got 4294967296");
  EXPECT_EQ(refusal_of(banner + "2 2 2\n1 1 1\n"),
            "line 3: expected 2 entries, the file ends after 1");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1\n"),
            "line 3: expected row, column and value, got \"1 1\"");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1 1 1\n"),
            "line 3: expected the end of the line, got \"1\"");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1  \r\n"),
            "line 3: expected row, column and value, got \"1 1  ?\"");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1 1..2\n"), "line 3: expected a number, got \"1..2\"");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 x 1\n"),
            "line 3: expected row, column and value, got \"1 x 1\"");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n0 1 1\n"), "line 3: expected rows 1 to 2, got 0");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n\n1 3 1\n"), "line 4: expected columns 1 to 2, got 3");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1 nan\n"),
            "line 3: expected a finite value, got \"nan\"");
  for (const std::string huge : {"1e999", "-1D+999", "1+999"}) {
    EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1 " + huge + '\n'),
              "line 3: expected a value that double precision holds, got \"" + huge + '"');
  }
  EXPECT_EQ(refusal_of(banner + "2 2 3\n1 1 1\n2 2 1\n1 1 2\n"),
            "line 5: expected each entry once, got that of line 3 again");
  EXPECT_EQ(refusal_of(banner + "2 2 1\n1 1 1\n2 2 1\n"),
            "line 4: expected the end after 1 entries, got \"2 2 1\"");
  EXPECT_EQ(refusal_of(banner + "4 4 3\n1 1 1\n2 2 1\n3 1 1\n", 2),
            "expected a diagonal block in each block row, block row 2 of 2 has none");
  EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
            "line 3: expected the lower triangle of a symmetric matrix alone");
  EXPECT_EQ(refusal_of(banner + std::string(5000, '7')),
            "line 2: expected a line of fewer than 1024 characters");
}

TEST_F(MatrixMarketFile, BlocksThatDoNotFitIntoMemoryAreRefusedBeforeTheyAreAllocated) {
  const auto refusal_with = [&](double available) {
    return refusal([&] {
      Lamina::read_matrix_market(m_folder / "a.mtx", 2, [available] { return available; });
    });
  };
  write(banner + "4 4 4\n1 1 1\n2 2 1\n3 3 1\n1 4 1\n");
  EXPECT_EQ(refusal_with(3 * 4 * 8), "accepted");
  EXPECT_EQ(refusal_with(3 * 4 * 8 - 1),
            "3 blocks of 2 x 2 need 0.0 GiB of host memory, 0.0 GiB are available");
  // A small file, and more memory than there is
  std::string scattered = banner + "10240000 10240000 10000\n";
  for (int row = 0; row < 10000; ++row) {
    const std::string at = std::to_string(1024 * row + 1);
    scattered.append(at).append(" ").append(at).append(" 1\n");
  }
  write(scattered);
  EXPECT_EQ(refusal([&] {
              Lamina::read_matrix_market(m_folder / "a.mtx", 1024, [] { return 1073741824.0; });
            }),
            "10000 blocks of 1024 x 1024 need 78.1 GiB of host memory, 1.0 GiB are available");
}

TEST_F(MatrixMarketFile, VectorsAreReadAndWrittenWithAllDigits) {
  const std::vector<double> values{1.0 / 3, -0.0, 1e-300, 12345678901234567.0};
  Lamina::write_matrix_market_vector(m_folder / "a.mtx", values);
  EXPECT_EQ(Lamina::read_matrix_market_vector(m_folder / "a.mtx", 4), values);

  const std::string array = "%%MatrixMarket matrix array real general\n";
  EXPECT_EQ(vector_refusal(array + "2 1\n1\n", 2),
            "line 3: expected 2 values, the file ends after 1");
  EXPECT_EQ(vector_refusal(array + "3 1\n1\n2\n3\n", 2),
            "line 2: expected 2 rows and 1 column, got 3 and 1");
  EXPECT_EQ(vector_refusal(array + "2 3\n", 2),
            "line 2: expected 2 rows and 1 column, got 2 and 3; one right-hand side a file");
  EXPECT_EQ(vector_refusal(array + "2 1\n1\ninf\n", 2),
            "line 4: expected a finite value, got \"inf\"");
  EXPECT_EQ(vector_refusal(array + "1 1\n1\n2\n", 1),
            "line 4: expected the end after 1 values, got \"2\"");
  EXPECT_EQ(vector_refusal(array, 1), "line 1: expected rows and columns, the file ends");
}

TEST_F(MatrixMarketFile, NumbersMayBeThoseOfFortran) {
  const auto matrix = read(banner + "4 4 4\n1 1 1.5D+00\n2 2 -2d-1\n3 3 3.25-101\n4 4 +.5Q1\n", 1);
  EXPECT_EQ(matrix.blocks, (std::vector<double>{1.5, -0.2, 3.25e-101, 5}));
}

TEST_F(MatrixMarketFile, NumbersBelowTheRangeOfDoublePrecisionAreRoundedToIt) {
  const auto matrix = read(banner + "3 3 3\n1 1 1e-400\n2 2 -4e-320\n3 3 1.0D-999\n", 1);
  EXPECT_EQ(matrix.blocks, (std::vector<double>{0, -4e-320, 0}));
}

TEST_F(MatrixMarketFile, VectorsMayBeListsOfEntries) {
  const std::string list = "%%MatrixMarket matrix coordinate real general\n";
  write(list + "4 1 2\n4 1 3\n2 1 -1.5\n");
  EXPECT_EQ(Lamina::read_matrix_market_vector(m_folder / "a.mtx", 4),
            (std::vector<double>{0, -1.5, 0, 3}));
  EXPECT_EQ(vector_refusal(list + "4 2 1\n1 2 1\n", 4),
            "line 2: expected 4 rows and 1 column, got 4 and 2; one right-hand side a file");
  EXPECT_EQ(vector_refusal(list + "4 1 1\n1 2 1\n", 4), "line 3: expected columns 1 to 1, got 2");
  EXPECT_EQ(vector_refusal(list + "4 1 2\n3 1 1\n3 1 2\n", 4),
            "line 4: expected each entry once, got that of line 3 again");
  EXPECT_EQ(vector_refusal(list + "4 1 2\n3 1 1\n", 4),
            "line 3: expected 2 entries, the file ends after 1");
  EXPECT_EQ(vector_refusal("%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n", 1),
            "line 1: expected \"%%MatrixMarket matrix array|coordinate real|integer general\", got "
            "\"%%MatrixMarket matrix coordinate real sy...\"");
}

TEST_F(MatrixMarketFile, StatesTheSizeOfItsBlocksInAComment) {
  const auto size_in = [&](const std::string& content) {
    write(content);
    return Lamina::find_block_size(m_folder / "a.mtx");
  };
  EXPECT_EQ(size_in(banner + "% a comment\n% ISTL_STRUCT blocked 3 3\n9 9 0\n"), 3);
  EXPECT_EQ(size_in(banner + "%ISTL_STRUCT blocked 2 2\n9 9 0\n"), 2);
  EXPECT_EQ(size_in(banner + "% ISTL_STRUCT\n9 9 0\n% ISTL_STRUCT blocked 3 3\n"), std::nullopt);
  EXPECT_EQ(refusal([&] { size_in(banner + "% ISTL_STRUCT blocked 3 2\n6 6 0\n"); }),
            "line 2: expected \"% ISTL_STRUCT blocked\" and the extents of square blocks");
}

/// A process of several has some block rows.
TEST_F(MatrixMarketFile, IsReadByRows) {
  const std::string content = banner +
                              "6 6 8\n5 5 1\n1 1 2\n6 2 3\n2 1 4\n3 3 5\n5 6 6\n"
                              "2 5 7\n4 1 8\n";
  const auto whole = read(content, 2);
  const auto path = m_folder / "a.mtx";
  const auto pattern = Lamina::read_matrix_market_pattern(path, 2);
  EXPECT_EQ(pattern.row_offsets, whole.row_offsets);
  EXPECT_EQ(pattern.columns, whole.columns);
  EXPECT_TRUE(pattern.blocks.empty());
  using Rows = std::vector<std::int64_t>;
  const auto some = Lamina::read_matrix_market_rows(path, 2, {0, 2});
  EXPECT_EQ(some.row_offsets, (Rows{0, 2, 4}));
  EXPECT_EQ(some.columns, (std::vector{0, 2, 0, 2}));
  EXPECT_EQ(some.blocks, (std::vector<double>{2, 4, 0, 0, 0, 7, 0, 0, 0, 0, 0, 3, 1, 0, 6, 0}));
  EXPECT_EQ(Lamina::read_matrix_market_rows(path, 2, {}).num_rows(), 0);
  EXPECT_EQ(Lamina::read_matrix_market_rows(path, 2, {0, 1, 2}).blocks, whole.blocks);
}

TEST_F(MatrixMarketFile, RefusesRowsThatItCannotHave) {
  write(banner + "4 4 2\n1 1 1\n3 3 1\n");
  const auto path = m_folder / "a.mtx";
  using Rows = std::vector<std::int64_t>;
  EXPECT_EQ(refusal([&] {
              Lamina::read_matrix_market_rows(path, 2, {0, 2});
            }),
            "line 2: expected more than 2 block rows, got 2");
  const auto message = [&](const Rows& rows) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Lamina::read_matrix_market_rows(path, 2, rows); });
  };
  const std::string prefix = "Lamina::read_matrix_market_rows: rows: expected ascending numbers ";
  EXPECT_EQ(message({1, 0}), prefix + "from 0, got 0 after 1");
  EXPECT_EQ(message({1, 1}), prefix + "from 0, got 1 after 1");
  EXPECT_EQ(message({-1}), prefix + "from 0, got -1");
  const auto message_of_vector = [&](const Rows& rows) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Lamina::read_matrix_market_vector_rows(path, 4, 2, rows); });
  };
  EXPECT_EQ(message_of_vector({1, 0}),
            "Lamina::read_matrix_market_vector_rows: rows: expected ascending numbers from 0, got "
            "0 after 1");
  EXPECT_EQ(message_of_vector({0, 2}),
            "Lamina::read_matrix_market_vector_rows: rows: expected numbers below 2, got 2");
}

TEST_F(MatrixMarketFile, OfSomeRowsIsJudgedByThese) {
  write(banner + "3 3 4\n1 1 1\n2 2 1\n3 3 1\n3 3 2\n");
  const auto path = m_folder / "a.mtx";
  const auto refusal_of_rows = [&](const std::vector<std::int64_t>& rows) {
    return refusal([&] { Lamina::read_matrix_market_rows(path, 1, rows); });
  };
  EXPECT_EQ(refusal_of_rows({0, 1}), "accepted");
  EXPECT_EQ(refusal_of_rows({0, 2}), "line 6: expected each entry once, got that of line 5 again");
  EXPECT_EQ(refusal([&] { Lamina::read_matrix_market_pattern(path, 1); }), "accepted");
  write(banner + "3 3 2\n1 1 1\n3 3 1\n");
  const std::string missing =
      "expected a diagonal block in each block row, block row 2 of 3 has none";
  EXPECT_EQ(refusal([&] { Lamina::read_matrix_market_pattern(path, 1); }), missing);
  EXPECT_EQ(refusal_of_rows({1}), missing);
  write(banner + "3 3 4\n1 1 1\n2 2 1\n3 3 1\n");
  EXPECT_EQ(refusal_of_rows({}), refusal([&] { Lamina::read_matrix_market_pattern(path, 1); }));
}

TEST_F(MatrixMarketFile, HasVectorsByRows) {
  using Values = std::vector<double>;
  const auto path = m_folder / "a.mtx";
  const auto values = [&](const std::vector<std::int64_t>& rows) {
    return Lamina::read_matrix_market_vector_rows(path, 6, 2, rows);
  };
  write("%%MatrixMarket matrix array real general\n6 1\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(values({0, 2}), (Values{1, 2, 5, 6}));
  EXPECT_EQ(values({}), Values{});
  write("%%MatrixMarket matrix coordinate real general\n6 1 3\n6 1 1.5\n1 1 2\n3 1 4\n");
  EXPECT_EQ(values({1, 2}), (Values{4, 0, 0, 1.5}));
  write("%%MatrixMarket matrix coordinate real general\n6 1 2\n6 1 1.5\n6 1 2\n");
  EXPECT_EQ(values({0}), (Values{0, 0}));
  EXPECT_EQ(refusal([&] { values({2}); }),
            "line 4: expected each entry once, got that of line 3 again");
}

}  // namespace
}  // namespace LaminaTest
