// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstddef>
#include <string>
#include <vector>

#include "cli/ranks/ManyRanksTest.hpp"

namespace LaminaTest {
namespace {

class PoissonOverRanks : public ManyRanksTest {};

TEST_F(PoissonOverRanks, SolveAsOneProcessDoes) {
  for (const std::string arguments :
       {"poisson --n 33", "poisson --size 7 40 --solver cg", "poisson --n 16 --layout left",
        "poisson --size 40 9 --memory shared"}) {
    const auto one = report_of(arguments);
    for (const int num_ranks : {2, 3}) {
      const auto many = report_on(num_ranks, arguments);
      expect_same_history(one, many, 1e-12);
      EXPECT_NEAR(many["true_relative_residual"], one["true_relative_residual"], 1e-12);
      for (const char* key : {"l2", "linf"}) {
        EXPECT_GT(one["error"][key], 1e-5) << "too small to tell";
        EXPECT_NEAR(many["error"][key], one["error"][key], 1e-12) << key;
      }
    }
  }
  const std::string single = "poisson --n 20 --precision single --iterations 15";
  expect_same_history(report_of(single), report_on(3, single), 1e-4);
}

TEST_F(PoissonOverRanks, NeedTheIterationsOfThePaper) {
  EXPECT_EQ(report_on(4, "poisson --n 256")["iterations"], 387);
}

// A sweep is up to three kernels on a rank: the lines beside a cut are apart.
TEST_F(PoissonOverRanks, CountTheBytesOfOneProcess) {
  const std::string arguments = "poisson --size 40 33 --iterations 6";
  const auto one = report_of(arguments);
  for (const std::string kernel : {"advance", "advance_and_update"}) {
    const std::string name = "Lamina::FusedPoisson::" + kernel;
    EXPECT_GT(bytes_of(one, name), 8.0 * 40 * 33 * 4);
    for (const int num_ranks : {2, 3, 4}) {
      EXPECT_NEAR(bytes_of(report_on(num_ranks, arguments), name), bytes_of(one, name),
                  1e-6 * bytes_of(one, name))
          << name;
    }
  }
}

TEST_F(PoissonOverRanks, CyclesAreThoseOfOneProcess) {
  // A level that ranks share below the finest one, and one that all have.
  const std::string arguments = "poisson --size 150 130 --solver multigrid-cg --tolerance 1e-9";
  const auto one = report_of(arguments), many = report_on(3, arguments);
  expect_same_history(one, many, 1e-12);
  EXPECT_EQ(many["iterations"], one["iterations"]);
  EXPECT_NEAR(many["error"]["linf"], one["error"]["linf"], 1e-12);
  for (const auto& [key, value] : one.items()) EXPECT_TRUE(many.contains(key)) << key;
  ASSERT_EQ(many["multigrid_levels"].size(), one["multigrid_levels"].size());
  for (std::size_t l = 0; l < one["multigrid_levels"].size(); ++l) {
    EXPECT_EQ(many["multigrid_levels"][l]["nx"], one["multigrid_levels"][l]["nx"]);
    EXPECT_GT(many["multigrid_levels"][l]["seconds"], 0);
  }
  for (const std::string options :
       {"--size 5 33 --solver multigrid --full-multigrid --smoothing 3 --layout left",
        "--size 1 3 --solver multigrid-cg --full-multigrid --smoothing 1"}) {
    expect_same_history(report_of("poisson " + options), report_on(2, "poisson " + options), 1e-12);
  }
}

TEST_F(PoissonOverRanks, MayHaveNoColumns) {
  const std::string arguments = "poisson --size 2 5";
  const auto many = report_on(4, arguments);
  expect_same_history(report_of(arguments), many, 1e-12);
  EXPECT_EQ(many["per_rank"][3]["owned"].get<int>() * many["per_rank"][0]["owned"].get<int>(), 0);
}

TEST_F(PoissonOverRanks, WriteTheBytesOfOneProcess) {
  for (const std::string arguments :
       {"poisson --size 13 9 --iterations 0",
        "poisson --size 13 9 --layout left --precision single --iterations 0",
        "poisson --size 3 9 --solver cg --iterations 0",
        "poisson --size 13 9 --solver multigrid-cg --iterations 0",
        "poisson --size 13 9 --solver multigrid --layout left --iterations 0"}) {
    const std::string one = file_of(1, arguments);
    EXPECT_GT(one.size(), 1000u);
    for (const int num_ranks : {2, 4}) {
      EXPECT_TRUE(file_of(num_ranks, arguments) == one) << num_ranks << ' ' << arguments;
    }
  }
}

TEST_F(PoissonOverRanks, WriteTheSolutionOfOneProcess) {
  const auto solution_on = [&](int num_ranks) {
    file_of(num_ranks, "poisson --size 13 9 --iterations 15");
    return values("out.nc", "solution");
  };
  const auto one = solution_on(1), many = solution_on(4);
  ASSERT_EQ(many.size(), one.size());
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(many[n], one[n], 1e-12) << n;
}

TEST_F(PoissonOverRanks, TellHowTheyWorkTogether) {
  for (const auto& [solver, sums] : {std::pair("fused-cg", 1), std::pair("cg", 2)}) {
    const auto report =
        report_on(3, std::string("poisson --size 10 6 --transport mpi-host --solver ") + solver);
    EXPECT_EQ(report["ranks"], 3);
    EXPECT_EQ(report["decomposition"]["ranks"], nlohmann::json({3, 1}));
    EXPECT_EQ(report["decomposition"]["most_peers"], 2);
    EXPECT_NEAR(report["decomposition"]["imbalance"], 4 / (10 / 3.0), 1e-15);
    EXPECT_NEAR(report["decomposition"]["largest_halo_fraction"], 2 / 3.0, 1e-15);
    EXPECT_EQ(report["transport"]["name"], "mpi-host");
    EXPECT_EQ(report["messages"]["per_iteration"], 4);
    EXPECT_EQ(report["messages"]["bytes_per_iteration"], 4 * 6 * 8);
    EXPECT_EQ(report["messages"]["reductions_per_iteration"], sums);
    EXPECT_GT(report["rank_seconds"]["halo_wait"]["min"], 0);
    EXPECT_LT(report["rank_seconds"]["halo_wait"]["max"], report["seconds"]["solve"]);
    EXPECT_FALSE(report["kernels"].empty());
  }
  const auto outcome = run_on(2, "poisson --n 8 --iterations 2");
  EXPECT_NE(outcome.output.find("  ranks       2, strips of columns\n"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("  result "), outcome.output.rfind("  result "));
}

TEST_F(PoissonOverRanks, EndTogether) {
  expect_refused_on(2, "poisson --memory texture1d",
                    "lamina poisson: --memory: expected global|shared|auto over several processes, "
                    "got texture1d");
  expect_refused_on(2, "poisson --n 8 --output missing/x.nc",
                    "lamina poisson: rank 0: --output: missing/x.nc: cannot be written: ");
  // The file is opened, but does not fit.
  expect_failure(
      run_shell(launcher + of_ranks(2) + " sh -c 'ulimit -f 12000 && exec \"$0\" \"$@\"'" +
                program + "poisson --n 1200 --iterations 0 --quiet --output x.nc"),
      "lamina poisson: rank 0: --output: x.nc: cannot be written: ", 0);
}

}  // namespace
}  // namespace LaminaTest
