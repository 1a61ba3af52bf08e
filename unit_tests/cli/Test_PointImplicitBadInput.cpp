// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/MatrixMarketFile.hpp>

#include <string>
#include <utility>

#include "PointImplicitTest.hpp"

namespace LaminaTest {
namespace {

class PointImplicitBadInput : public PointImplicitTest {};

TEST_F(PointImplicitBadInput, BlocksThatDoNotFitAreRefused) {
  std::string scattered = banner + "1024000000 1024000000 1000000\n";
  for (int row = 0; row < 1000000; ++row) {
    const std::string at = std::to_string(1024 * row + 1);
    scattered.append(at).append(" ").append(at).append(" 1\n");
  }
  folder.write("scattered.mtx", scattered);
  expect_refused("point-implicit --matrix scattered.mtx --block-size 1024",
                 "lamina point-implicit: --matrix: scattered.mtx: 1000000 blocks of 1024 x 1024 "
                 "need 7812.5 GiB of host memory, ");
}

TEST_F(PointImplicitBadInput, RefusesBadOptions) {
  const std::pair<const char*, const char*> cases[] = {
      {"--block-size 0", "--block-size: expected a whole number from 1 to 1024, got 0"},
      {"--block-size 1025", "--block-size: expected a whole number from 1 to 1024, got 1025"},
      {"--generate 0 1 1", "--generate: expected whole numbers >= 1, got 0"},
      {"--generate 1 1", "--generate: "},
      {"--generate 99999 99999 99999", "--generate: expected fewer than 2^31 vertices, got "},
      {"--generate 1000 1000 1000", "--generate: needs "},
      {"--generate 2 2 2 --matrix a.mtx", "--generate: expected no --matrix, got both"},
      {"--rhs a.mtx", "--rhs: expected --matrix as well, got none"},
      {"--sweeps -1", "--sweeps: expected a whole number from 0"},
      {"--sweeps 2 --until-converged", "--sweeps: expected no --until-converged, got both"},
      {"--tolerance 0.1", "--tolerance: expected --until-converged as well, got none"},
      {"--max-iterations 5", "--max-iterations: expected --until-converged as well, got none"},
      {"--check-every 5", "--check-every: expected --until-converged as well, got none"},
      {"--until-converged --tolerance 1", "--tolerance: expected a number >= 0 and < 1, got 1"},
      {"--direction up", "--direction: expected forward|backward|symmetric, got up"},
      {"--storage single", "--storage: expected float|half|double, got single"},
      {"--diagonal qr", "--diagonal: expected lu|lu-pivoted|inverse, got qr"},
      {"--ordering amd", "--ordering: expected none|rcm, got amd"},
      {"--colouring jp", "--colouring: expected greedy|balanced|FILE.txt, got jp"},
      {"--colouring c.txt", "--colouring: c.txt: no such file"},
      {"--krylov pcg --storage half", "--storage: expected float|double with --krylov, got half"},
      {"--krylov bicgstab", "--krylov: expected none|pcg"},
      {"--krylov pcg --direction forward",
       "--direction: expected symmetric with --krylov pcg, got forward"},
      {"--krylov pcg --sweeps 0", "--sweeps: expected a whole number from 1 to "},
      {"--krylov pcg --check-every 1025", "--check-every: expected a whole number from 1 to 1024"},
      {"--mesh a.msh --matrix a.mtx", "--mesh: expected no --matrix, got both"},
      {"--mesh a.msh --generate 2 2 2", "--generate: expected no --mesh, got both"},
      {"--mesh a.msh --rhs a.mtx", "--rhs: expected --matrix as well, got none"},
      {"--mesh ''", "--mesh: expected a file name, got "},
      {"--mesh a.msh", "--mesh: a.msh: no such file"},
      {"--precision double", "--precision: no such option or argument"},
      {"--space abacus", "--space: expected "},
      {"--output x.txt",
       "--output: expected a file name that ends in .mtx or .nc or .vtu, got x.txt"},
      {"--output a.mtx --json ./a.mtx", "--json: expected another file than --output"},
      {"--json none/a.json", "--json: none/a.json: "},
  };
  for (const auto& [arguments, message] : cases) {
    expect_refused("point-implicit " + std::string(arguments),
                   "lamina point-implicit: " + std::string(message));
  }
}

TEST_F(PointImplicitBadInput, RefusesBadFilesWithFileAndLine) {
  write_matrix("good.mtx");
  folder.write("short.mtx", banner + "2 2 2\n1 1 1\n");
  folder.write("range.mtx", banner + "2 2 2\n1 1 1\n3 2 1\n");
  folder.write("nan.mtx", banner + "2 2 2\n1 1 1\n2 2 nan\n");
  folder.write("no_diagonal.mtx", banner + "2 2 2\n1 1 1\n2 1 1\n");
  folder.write("twice.mtx", banner + "2 2 3\n1 1 1\n2 2 1\n1 1 1\n");
  folder.write("junk.mtx", std::string("\x7f"
                                       "ELF\0\0\n\n\xff",
                                       9));
  folder.write("b.mtx", "%%MatrixMarket matrix array real general\n5 1\n");
  const std::pair<const char*, const char*> cases[] = {
      {"none.mtx", "none.mtx: no such file"},
      {".", ".: not a regular file"},
      {"short.mtx", "short.mtx: line 3: expected 2 entries, the file ends after 1"},
      {"range.mtx", "range.mtx: line 4: expected rows 1 to 2, got 3"},
      {"nan.mtx", "nan.mtx: line 4: expected a finite value"},
      {"no_diagonal.mtx", "no_diagonal.mtx: expected a diagonal block in each block row"},
      {"twice.mtx", "twice.mtx: line 5: expected each entry once, got that of line 3 again"},
      {"junk.mtx", "junk.mtx: line 1: expected "},
  };
  for (const auto& [file, message] : cases) {
    expect_refused("point-implicit --block-size 1 --matrix " + std::string(file),
                   "lamina point-implicit: --matrix: " + std::string(message));
  }
  folder.write("tiny.mtx", banner + "2 2 4\n1 1 4e-50\n1 2 1e-50\n2 1 1e-50\n2 2 4e-50\n");
  expect_refused("point-implicit --matrix tiny.mtx --block-size 1",
                 "lamina point-implicit: --storage: expected double for tiny.mtx, got float: "
                 "Lamina::BlockSparseMatrix::rounded_to_float: row 0: expected values off the "
                 "diagonal within ");
  expect_refused("point-implicit --matrix good.mtx --block-size 4",
                 "lamina point-implicit: --matrix: good.mtx: line 2: expected a multiple of the "
                 "block size 4, got 6 rows");
  folder.write("short.txt", "0\n1\n");
  folder.write("letter.txt", "0\n1\nx\n");
  folder.write("same.txt", "0\n1\n1\n");
  expect_refused("point-implicit --matrix good.mtx --block-size 2 --colouring short.txt",
                 "lamina point-implicit: --colouring: short.txt: line 2: expected 3 lines, one for "
                 "each row, the file ends after 2");
  expect_refused("point-implicit --matrix good.mtx --block-size 2 --colouring letter.txt",
                 "lamina point-implicit: --colouring: letter.txt: line 3: expected a colour from 0 "
                 "to 2, got \"x\"");
  expect_refused("point-implicit --matrix good.mtx --block-size 2 --colouring same.txt",
                 "lamina point-implicit: --colouring: same.txt: line 3: expected another colour "
                 "than on line 2, as the rows are coupled, got 1");
  expect_refused(
      "point-implicit --matrix good.mtx --block-size 2 --rhs b.mtx",
      "lamina point-implicit: --rhs: b.mtx: line 2: expected 6 rows and 1 column, got 5");
}

TEST_F(PointImplicitBadInput, KeepsWhatItReads) {
  write_matrix("a.mtx");
  const std::string matrix = folder.read("a.mtx");
  folder.write("c.txt", "0\n1\n2\n");
  const std::pair<const char*, const char*> cases[] = {
      {"--output a.mtx", "--output: expected another file than --matrix, got a.mtx"},
      {"--json ./a.mtx", "--json: expected another file than --matrix, got ./a.mtx"},
      {"--rhs b.mtx --output b.mtx", "--output: expected another file than --rhs, got b.mtx"},
      {"--colouring c.txt --json c.txt", "--json: expected another file than --colouring"},
  };
  Lamina::write_matrix_market_vector(folder / "b.mtx", std::vector<double>(6, 1.0));
  for (const auto& [arguments, message] : cases) {
    expect_refused("point-implicit --matrix a.mtx --block-size 2 " + std::string(arguments),
                   "lamina point-implicit: " + std::string(message));
  }
  EXPECT_EQ(folder.read("a.mtx"), matrix);
}

}  // namespace
}  // namespace LaminaTest
