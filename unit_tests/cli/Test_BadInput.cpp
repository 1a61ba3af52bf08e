// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cmath>
#include <ostream>
#include <string>
#include <utility>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

/// What follows `lamina helmholtz`, and how the message goes on after the same words.
struct BadOption {
  const char *arguments, *message;
};

const BadOption bad_options[] = {
    // numbers
    {"--depth 0", "--depth: expected a number > 0, got 0"},
    {"--depth -1", "--depth: expected a number > 0, got -1"},
    {"--depth nan", "--depth: expected a number > 0, got nan"},
    {"--depth inf", "--depth: expected a number > 0, got inf"},
    {"--depth 1e999", "--depth: expected a number > 0, got 1e999"},
    {"--depth 1x", "--depth: expected a number > 0, got 1x"},
    {"--depth ''", "--depth: expected a number > 0, got nothing"},
    {"--depth 1e-20", "--depth: expected levels thicker than rounding"},
    {"--depth 1e150", "--depth: expected volumes of cells within the range of double precision"},
    {"--depth 1e80 --size 8 8 4", "--depth: expected volumes of cells within the range of double"},
    {"--depth 1e20 --precision single",
     "--depth: expected volumes of cells within the range of single precision, got 1e+20"},
    {"--depth 1 --depth 2", "--depth: "},
    {"--depth", "--depth: "},
    {"--json --quiet", "--json: expected a value, got --quiet"},
    {"--output --json=a.nc", "--output: expected a value, got --json=a.nc"},
    {"--omega2 0", "--omega2: expected a number > 0, got 0"},
    {"--omega2 1e-320", "--omega2: expected a number from "},
    {"--omega2 1e300", "--omega2: expected a number from "},
    {"--omega2 1e-30 --precision single", "--omega2: expected a number from "},
    {"--omega2 1e30 --precision single", "--omega2: expected a number from "},
    {"--lambda2 1e300", "--lambda2: expected a number from 0.0e+00 to "},
    {"--lambda2 1e30 --precision single", "--lambda2: expected a number from 0.0e+00 to "},
    {"--lambda2 1e19 --precision mixed", "--lambda2: expected a number from 0.0e+00 to "},
    {"--omega2 1e-30 --precision mixed", "--omega2: expected a number from "},
    {"--lambda2 -1e-9", "--lambda2: expected a number >= 0, got -1e-9"},
    {"--tolerance -1", "--tolerance: expected a number >= 0 and < 1, got -1"},
    {"--tolerance 1", "--tolerance: expected a number >= 0 and < 1, got 1"},
    {"--tolerance 1e-160", "--tolerance: expected 0 or a number from 1.5e-154 in double precision"},
    {"--tolerance 1e-40 --precision single",
     "--tolerance: expected 0 or a number from 1.2e-38 in single precision, got 1e-40"},
    {"--max-iterations -1", "--max-iterations: expected a whole number from 0"},
    {"--max-iterations 1.5", "--max-iterations: expected a whole number from 0"},
    {"--iterations -1", "--iterations: expected a whole number from 0"},
    {"--iterations 2147483647", "--iterations: expected a whole number from 0 to 2147483646"},
    {"--iterations 5 --tolerance 0.1", "--iterations: expected no --tolerance"},
    {"--check-every 0", "--check-every: expected a whole number from 1"},
    {"--check-every 100000", "--check-every: expected a whole number from 1"},
    // sizes
    {"--size 0 8 8", "--size: expected whole numbers >= 1, got 0"},
    {"--size 8 -8 8", "--size: expected whole numbers >= 1, got -8"},
    {"--size 8 8 x", "--size: expected whole numbers >= 1, got x"},
    {"--size 8 8", "--size: "},
    {"--size 8 8 8 8", "8: no such option or argument"},
    {"--size 65536 65536 1", "--size: expected fewer than 2^31 columns, got 4294967296"},
    {"--size 1 1 4294967297",
     "--size: expected fewer than 2^31 columns and levels, got 4294967297"},
    {"--size 1 1 99999999999999999999",
     "--size: expected whole numbers >= 1, got 99999999999999999999"},
    {"--size 40000 40000 100000", "--size: needs "},
    {"--size 40000 40000 100000 --solver pcg", "--size: needs "},
    {"--size 2048 2048 1024 --solver csr-pcg",
     "--size: expected fewer than 2^31 unknowns for csr-pcg, got 4294967296"},
    // names
    {"--space abacus", "--space: expected "},
    {"--solver cycles",
     "--solver: expected fused-pcg|fused-pcg-stored|pcg|csr-pcg|multigrid-pcg|multigrid, got "
     "cycles"},
    {"--multigrid-levels 0 --solver multigrid-pcg",
     "--multigrid-levels: expected a whole number from 1"},
    {"--multigrid-levels 3",
     "--multigrid-levels: expected --solver multigrid-pcg|multigrid, got fused-pcg"},
    {"--smoothing 4 --solver multigrid-pcg", "--smoothing: expected a whole number from 1 to 3"},
    {"--smoothing 2 --solver pcg",
     "--smoothing: expected --solver multigrid-pcg|multigrid, got pcg"},
    {"--precision half", "--precision: expected single|double|mixed, got half"},
    {"--precision mixed --solver pcg",
     "--precision: expected single|double with --solver pcg, got mixed"},
    {"--precision mixed --solver fused-pcg-stored",
     "--precision: expected single|double with --solver fused-pcg-stored, got mixed"},
    {"--precision mixed --solver csr-pcg",
     "--precision: expected single|double with --solver csr-pcg, got mixed"},
    {"--layout middle", "--layout: expected left|right"},
    {"--edge open", "--edge: expected zero-flux|dirichlet, got open"},
    {"--rhs steep", "--rhs: expected const|smooth|rough|FILE.nc, got steep"},
    {"--sweeps 3", "--sweeps: no such option or argument"},
    {"--quiet=3", "quiet"},
    {"more", "more: no such option or argument"},
    // files
    {"--rhs none.nc", "--rhs: none.nc: no such file"},
    {"--rhs .nc", "--rhs: expected const|smooth|rough|FILE.nc, got .nc"},
    {"--output none/a.nc", "--output: none/a.nc: cannot be written: No such file or directory"},
    {"--output a.mtx", "--output: expected a file name that ends in .nc or .vtu, got a.mtx"},
    {"--output ''", "--output: expected a file name that ends in .nc or .vtu, got nothing"},
    {"--json none/a.json", "--json: none/a.json: cannot be written: No such file or directory"},
    {"--json .", "--json: .: not a regular file"},
    {"--json /dev/null", "--json: /dev/null: not a regular file"},
    {"--json a.nc --output a.nc", "--json: expected another file than --output, got a.nc"},
    {"--json ./a.nc --output a.nc", "--json: expected another file than --output, got ./a.nc"},
    {"--json a.nc --output \"$PWD\"/a.nc", "--json: expected another file than --output, got a.nc"},
    {"--json new/", "--json: new/: expected a file, got a folder"},
    // Kokkos' own
    {"--kokkos-threads=many", "--kokkos-threads: expected --kokkos-threads=N"},
    {"--kokkos-threads=0", "--kokkos-threads: expected --kokkos-threads=N"},
    {"--kokkos-abacus", "--kokkos-abacus: Kokkos "},
};

std::ostream& operator<<(std::ostream& stream, const BadOption& option) {
  return stream << option.arguments;
}

class BadOptions : public ProgramTest, public testing::WithParamInterface<BadOption> {};

TEST_P(BadOptions, EndInOneLineAndNothingElse) {
  expect_refused(std::string("helmholtz ") + GetParam().arguments,
                 std::string("lamina helmholtz: ") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Helmholtz, BadOptions, testing::ValuesIn(bad_options));

class BadFile : public ProgramTest {
 protected:
  void expect_rhs_refused(const std::string& message) const {
    expect_refused("helmholtz --size 4 3 2 --output out.nc --json out.json --rhs rhs.nc",
                   "lamina helmholtz: --rhs: rhs.nc: " + message);
  }
};

TEST_F(BadFile, NotNetcdf) {
  folder.write("rhs.nc", "this is text");
  expect_rhs_refused("not a NetCDF file");
}

TEST_F(BadFile, CutShort) {
  write_rhs("whole.nc", 1);
  const std::string whole = folder.read("whole.nc");
  folder.write("rhs.nc", whole.substr(0, whole.size() / 2));
  expect_rhs_refused("");
}

TEST_F(BadFile, NotANumber) {
  write_rhs("rhs.nc", std::nan(""));
  expect_rhs_refused("variable 'rhs': expected a finite value at (0, 0, 0), got nan");
}

TEST_F(BadFile, BeyondSinglePrecision) {
  write_rhs("rhs.nc", 1e300);
  expect_refused(
      "helmholtz --size 4 3 2 --precision single --rhs rhs.nc",
      "lamina helmholtz: --rhs: rhs.nc: expected values within the range of the precision");
}

TEST_F(BadFile, BelowSinglePrecision) {
  write_rhs("rhs.nc", 1e-200);
  for (const std::string options : {"", "--solver multigrid-pcg", "--solver csr-pcg"}) {
    expect_refused(
        "helmholtz --size 4 3 2 --precision single --rhs rhs.nc " + options,
        "lamina helmholtz: --rhs: rhs.nc: expected a largest value of at least 1.2e-38 in "
        "single precision, got 1e-200");
  }
}

TEST_F(BadFile, IsNoneWhereThePrecisionHoldsTheLargestValue) {
  const std::pair<double, std::string> cases[] = {
      {2e-38, "single"}, {0.0, "single"}, {1e-200, "double"}, {1e-200, "mixed"}};
  for (const auto& [value, precision] : cases) {
    write_rhs("rhs.nc", value);
    const Outcome outcome = run("helmholtz --size 4 3 2 --rhs rhs.nc --precision " + precision);
    EXPECT_EQ(outcome.status, 0) << precision << " " << value << outcome.errors;
  }
}

TEST_F(BadFile, OfAnotherShape) {
  write_rhs("rhs.nc", 1);
  expect_refused("helmholtz --size 3 4 2 --rhs rhs.nc",
                 "lamina helmholtz: --rhs: rhs.nc: variable 'rhs': expected the dimensions (x = 3, "
                 "y = 4, level = "
                 "2), got (x = 4, y = 3, level = 2)");
}

TEST_F(BadFile, IsNotWrittenOver) {
  write_rhs("rhs.nc", 1);
  const std::string before = folder.read("rhs.nc");
  expect_refused("helmholtz --size 4 3 2 --rhs rhs.nc --output ./rhs.nc",
                 "lamina helmholtz: --output: expected another file than --rhs, got ./rhs.nc");
  EXPECT_EQ(folder.read("rhs.nc"), before);
}

TEST_F(BadFile, Folder) {
  std::filesystem::create_directory(folder / "rhs.nc");
  expect_rhs_refused("not a regular file");
}

TEST_F(BadFile, OutputIsAFolder) {
  std::filesystem::create_directory(folder / "out.nc");
  for (const std::string option : {"--output", "--json"}) {
    expect_refused("helmholtz --size 4 3 2 " + option + " out.nc",
                   "lamina helmholtz: " + option + ": out.nc: not a regular file");
  }
}

TEST_F(BadFile, BothOutputsAreOneBehindALink) {
  folder.write("out.nc", "old");
  std::filesystem::create_symlink("out.nc", folder / "link.json");
  expect_refused("helmholtz --size 4 3 2 --output out.nc --json link.json",
                 "lamina helmholtz: --json: expected another file than --output, got link.json");
  EXPECT_EQ(folder.read("out.nc"), "old");
}

}  // namespace
}  // namespace LaminaTest
