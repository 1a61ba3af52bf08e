// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/ranks/ManyRanksTest.hpp"

namespace LaminaTest {
namespace {

class PointImplicitOverRanks : public ManyRanksTest {
 protected:
  /// What a run writes as --output.
  std::string solution_of(int num_ranks, const std::string& arguments) const {
    const std::string all = arguments + " --quiet --output x.mtx";
    const Outcome outcome = num_ranks == 1 ? run(all) : run_on(num_ranks, all);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return folder.read("x.mtx");
  }
  /// A matrix of the second difference in one dimension, of single rows.
  void write_chain(int rows, double below = -1) const {
    std::ostringstream text;
    text << "%%MatrixMarket matrix coordinate real general\n"
         << rows << ' ' << rows << ' ' << 3 * rows - 2 << '\n';
    for (int row = 1; row <= rows; ++row) {
      if (row > 1) text << row << ' ' << row - 1 << ' ' << below << '\n';
      text << row << ' ' << row << " 2.125\n";
      if (row < rows) text << row << ' ' << row + 1 << " -1\n";
    }
    folder.write("chain.mtx", text.str());
  }
};

TEST_F(PointImplicitOverRanks, SweepToTheLastBitOfOneProcess) {
  write_chain(40);
  for (const std::string arguments :
       {"--generate 5 4 3 --sweeps 3", "--generate 5 4 3 --sweeps 3 --storage double",
        "--generate 5 4 3 --sweeps 3 --storage half --direction symmetric --block-size 4",
        "--generate 6 5 4 --ordering none --diagonal lu --sweeps 4 --block-size 1",
        "--generate 5 4 3 --colouring balanced --until-converged --tolerance 1e-8",
        "--matrix chain.mtx --block-size 1 --sweeps 5",
        "--matrix chain.mtx --block-size 4 --storage double --sweeps 5 --direction backward"}) {
    const std::string command = "point-implicit " + arguments;
    const std::string one = solution_of(1, command);
    EXPECT_GT(one.size(), 100u);
    for (const int num_ranks : {2, 3, 4}) {
      EXPECT_TRUE(solution_of(num_ranks, command) == one) << num_ranks << ' ' << arguments;
    }
  }
}

// On a rank a colour is two kernels: rows that others wait for come first.
TEST_F(PointImplicitOverRanks, CountTheBytesOfOneProcess) {
  const std::string arguments = "point-implicit --generate 7 6 5 --sweeps 4",
                    name = "Lamina::PointImplicitSolver::sweep";
  const double one = bytes_of(report_of(arguments), name);
  EXPECT_GT(one, 4.0 * 7 * 6 * 5 * 25 * 4);
  for (const int num_ranks : {2, 4}) {
    EXPECT_NEAR(bytes_of(report_on(num_ranks, arguments), name), one, 1e-6 * one);
  }
}

TEST_F(PointImplicitOverRanks, TellOfAllRows) {
  for (const std::string arguments :
       {"--generate 5 4 3 --sweeps 6", "--generate 7 3 3 --until-converged --tolerance 1e-9",
        "--generate 5 4 3 --sweeps 2 --storage half"}) {
    const auto one = report_of("point-implicit " + arguments);
    for (const int num_ranks : {2, 4}) {
      const auto many = report_on(num_ranks, "point-implicit " + arguments);
      expect_same_history(one, many, 1e-12);
      EXPECT_EQ(many["problem"], one["problem"]);
      EXPECT_NEAR(many["true_relative_residual"], one["true_relative_residual"], 1e-12);
      for (const char* key : {"l2", "linf"}) {
        const double wanted = one["error"][key];
        EXPECT_NEAR(many["error"][key], wanted, 1e-12 * wanted + 1e-16) << key;
      }
    }
  }
}

TEST_F(PointImplicitOverRanks, PreconditionConjugateGradients) {
  write_chain(60);
  for (const std::string more :
       {"--block-size 1", "--block-size 3", "--block-size 1 --storage double --sweeps 2"}) {
    const std::string arguments =
        "point-implicit --matrix chain.mtx --krylov pcg --tolerance 1e-10 " + more;
    const auto one = report_of(arguments);
    EXPECT_EQ(one["status"], "converged");
    for (const int num_ranks : {2, 3, 4}) {
      const auto many = report_on(num_ranks, arguments);
      expect_same_history(one, many, 1e-12);
      EXPECT_EQ(many["problem"]["asymmetry"], 0);
      EXPECT_LT(many["true_relative_residual"], 2e-10);
      EXPECT_LT(many["error"]["linf"], 1e-8);
    }
  }
  // Entries (i, j) and (j, i) of it are on one rank, but for those at the cuts.
  write_chain(60, -1.25);
  const Outcome outcome = run_on(
      3, "point-implicit --matrix chain.mtx --block-size 1 --krylov pcg --quiet --json many.json");
  EXPECT_EQ(outcome.status, 1);
  const auto report = nlohmann::json::parse(folder.read("many.json"), nullptr, false);
  EXPECT_EQ(report["status"], "breakdown_indefinite");
  EXPECT_EQ(report["problem"]["asymmetry"], 0.25 / 2.125);
}

TEST_F(PointImplicitOverRanks, PreconditionGmres) {
  write_chain(60, -0.75);
  for (const auto& [num_ranks, arguments] :
       {std::pair(2, "--matrix chain.mtx --block-size 3"),
        std::pair(3, "--generate 5 4 3 --storage double --block-size 2"),
        std::pair(3,
                  "--matrix chain.mtx --block-size 1 --direction symmetric --sweeps 2 "
                  "--max-iterations 4")}) {
    const std::string all =
        std::string("point-implicit --krylov gmres --tolerance 1e-11 ") + arguments;
    const Outcome alone = run(all + " --quiet --json one.json");
    const auto one = nlohmann::json::parse(folder.read("one.json"), nullptr, false);
    const Outcome outcome = run_on(num_ranks, all + " --quiet --json many.json");
    EXPECT_EQ(outcome.status, alone.status) << outcome.errors;
    const auto many = nlohmann::json::parse(folder.read("many.json"), nullptr, false);
    expect_same_history(one, many, 1e-12);
    EXPECT_NEAR(many["true_relative_residual"], one["true_relative_residual"], 1e-12);
    EXPECT_GT(many["messages"]["reductions_per_iteration"], 0.9);
    EXPECT_LT(many["messages"]["reductions_per_iteration"], 3.5);
  }
}

TEST_F(PointImplicitOverRanks, ReadARightHandSide) {
  write_chain(10);
  std::ostringstream text;
  text << "%%MatrixMarket matrix array real general\n10 1\n";
  for (int row = 0; row < 10; ++row) text << 1 + 0.125 * row << '\n';
  folder.write("b.mtx", text.str());
  const std::string arguments =
      "point-implicit --matrix chain.mtx --rhs b.mtx --block-size 2 --storage double --sweeps 7";
  const std::string one = solution_of(1, arguments);
  EXPECT_TRUE(solution_of(3, arguments) == one);
}

TEST_F(PointImplicitOverRanks, MayHaveNoRows) {
  for (const std::string arguments :
       {"point-implicit --generate 2 1 1 --sweeps 2", "point-implicit --generate 1 1 1"}) {
    const auto one = report_of(arguments), many = report_on(4, arguments);
    expect_same_history(one, many, 1e-12);
    EXPECT_EQ(solution_of(1, arguments), solution_of(4, arguments));
  }
}

TEST_F(PointImplicitOverRanks, WriteTheBytesOfOneProcess) {
  const std::string arguments = "point-implicit --generate 4 3 3 --sweeps 0";
  const std::string one = file_of(1, arguments);
  EXPECT_GT(one.size(), 1000u);
  for (const int num_ranks : {2, 3}) EXPECT_TRUE(file_of(num_ranks, arguments) == one);
}

TEST_F(PointImplicitOverRanks, SeeTheBadPivotOfOne) {
  folder.write(
      "bad.mtx",
      "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 1\n2 2 2\n3 3 0\n4 4 1\n");
  const std::string arguments = "point-implicit --matrix bad.mtx --block-size 1";
  const auto one = report_of(arguments, 1);
  const Outcome outcome = run_on(4, arguments + " --quiet --json many.json");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  const auto many = nlohmann::json::parse(folder.read("many.json"), nullptr, false);
  EXPECT_EQ(many["status"], "breakdown_zero_pivot");
  EXPECT_EQ(many["problem"]["first_bad_row"], one["problem"]["first_bad_row"]);
}

TEST_F(PointImplicitOverRanks, TellHowTheyWorkTogether) {
  const auto report = report_on(
      3, "point-implicit --generate 9 3 3 --sweeps 4 --ordering none --transport mpi-host");
  EXPECT_EQ(report["ranks"], 3);
  EXPECT_EQ(report["decomposition"]["partitioner"], "blocks");
  EXPECT_EQ(report["decomposition"]["imbalance"], 1);
  EXPECT_EQ(report["transport"]["name"], "mpi-host");
  EXPECT_GT(report["messages"]["per_iteration"], 4);
  EXPECT_GT(report["messages"]["bytes_per_iteration"], 4 * 9 * 5 * 8);
  EXPECT_EQ(report["messages"]["reductions_per_iteration"], 0);
  EXPECT_GT(report["rank_seconds"]["halo_wait"]["min"], 0);
  EXPECT_LT(report["rank_seconds"]["halo_wait"]["max"], report["seconds"]["solve"]);
  int owned = 0;
  for (const auto& rank : report["per_rank"]) owned += rank["owned"].get<int>();
  EXPECT_EQ(owned, 81);
  const auto outcome = run_on(2, "point-implicit --generate 4 3 3");
  EXPECT_NE(outcome.output.find("  ranks       2, parts of block rows\n"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("  result "), outcome.output.rfind("  result "));
}

TEST_F(PointImplicitOverRanks, EndTogether) {
  expect_refused_on(2, "point-implicit --generate 4 3 3 --quiet --output missing/x.mtx",
                    "lamina point-implicit: rank 0: --output: missing/x.mtx: cannot be written: ");
  folder.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 9\n1 1 1\n");
  expect_refused_on(3, "point-implicit --matrix bad.mtx --block-size 1 --quiet",
                    "lamina point-implicit: --matrix: bad.mtx: ");
  // Given twice in a row of the last rank, which alone finds it.
  folder.write("twice.mtx",
               "%%MatrixMarket matrix coordinate real general\n"
               "3 3 4\n1 1 1\n2 2 1\n3 3 1\n3 3 2\n");
  expect_refused_on(
      3, "point-implicit --matrix twice.mtx --block-size 1 --ordering none --quiet",
      "lamina point-implicit: rank 2: --matrix: twice.mtx: line 6: expected each entry once");
  write_chain(6);
  folder.write("b.mtx", "%%MatrixMarket matrix array real general\n5 1\n");
  expect_refused_on(2, "point-implicit --matrix chain.mtx --rhs b.mtx --block-size 1 --quiet",
                    "lamina point-implicit: --rhs: b.mtx: line 2: expected 6 rows");
}

}  // namespace
}  // namespace LaminaTest
