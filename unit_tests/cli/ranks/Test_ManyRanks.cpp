// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/ranks/ManyRanksTest.hpp"

namespace LaminaTest {
namespace {

class ManyRanks : public ManyRanksTest {};

TEST_F(ManyRanks, SolveAsOneProcessDoes) {
  for (const std::string arguments :
       {"helmholtz --size 33 17 5", "helmholtz --size 33 17 5 --solver pcg",
        "helmholtz --size 16 24 7 --rhs rough --edge dirichlet --layout left"}) {
    const auto one = report_of(arguments);
    for (const int num_ranks : {2, 3, 4}) {
      expect_same_history(one, report_on(num_ranks, arguments), 1e-12);
    }
    expect_same_history(one, report_on(4, arguments + " --ranks 2 2"), 1e-12);
  }
}

TEST_F(ManyRanks, SolveByMultigrid) {
  for (const std::string precision : {"double", "single", "mixed"}) {
    const std::string arguments =
        "helmholtz --size 48 32 6 --rhs rough --solver multigrid-pcg "
        "--precision " +
        precision + (precision == "single" ? " --tolerance 1e-4" : " --tolerance 1e-8");
    const auto one = report_of(arguments);
    for (const int num_ranks : {1, 2, 3, 4}) {
      const auto many = report_on(num_ranks, arguments);
      EXPECT_EQ(many["status"], "converged") << num_ranks << ' ' << precision;
      EXPECT_NEAR(many["iterations"], one["iterations"], 1);
      const double residual = many["true_relative_residual"];
      EXPECT_LE(residual, precision == "single" ? 2e-4 : 1.1e-8);
      EXPECT_EQ(many["cycle_precision"], "single");
      ASSERT_FALSE(many["multigrid_levels"].empty());
      EXPECT_EQ(many["multigrid_levels"][0]["columns"], 48 * 32);
      EXPECT_EQ(many["multigrid_levels"][0]["couplings"], 47 * 32 + 48 * 31);
    }
  }
}

TEST_F(ManyRanks, SolveByCyclesAlone) {
  for (const std::string precision : {"double", "mixed"}) {
    const std::string arguments =
        "helmholtz --size 48 32 6 --rhs rough --solver multigrid --tolerance 1e-9 --precision " +
        precision;
    const auto one = report_of(arguments);
    for (const int num_ranks : {2, 3}) {
      const auto many = report_on(num_ranks, arguments);
      EXPECT_EQ(many["status"], "converged") << num_ranks << ' ' << precision;
      EXPECT_NEAR(many["iterations"], one["iterations"], 1);
      EXPECT_LE(many["true_relative_residual"], 1.001e-9);
    }
  }
}

TEST_F(ManyRanks, HaveTheLevelsOfOneProcessWhereRectanglesFit) {
  // 6144 and 1536 columns are split, 384 and fewer are on all ranks.
  const std::string arguments =
      "helmholtz --size 96 64 4 --rhs rough --solver multigrid-pcg --tolerance 1e-8";
  const auto one = report_of(arguments);
  ASSERT_GE(one["multigrid_levels"].size(), 3u);
  EXPECT_GT(one["multigrid_levels"][1]["columns"], 1024);
  for (const int num_ranks : {2, 3, 4}) {
    const auto many = report_on(num_ranks, arguments);
    SCOPED_TRACE(num_ranks);
    EXPECT_EQ(many["status"], "converged");
    EXPECT_NEAR(many["iterations"], one["iterations"], 1);
    ASSERT_EQ(many["multigrid_levels"].size(), one["multigrid_levels"].size());
    for (std::size_t l = 0; l < one["multigrid_levels"].size(); ++l) {
      for (const char* key : {"columns", "couplings"}) {
        EXPECT_EQ(many["multigrid_levels"][l][key], one["multigrid_levels"][l][key]) << l << key;
      }
    }
    EXPECT_GT(bytes_of(many, "Lamina::MultigridPreconditioner::sum_rows"), 0);
    EXPECT_GT(bytes_of(many, "Lamina::MultigridPreconditioner::level_1::sum_rows"), 0);
  }
}

TEST_F(ManyRanks, CountTheMessagesOfMultigrid) {
  // Of a cycle 3 exchanges of neighbours and one of all ranks, and one of z.
  const auto report = report_on(
      3, "helmholtz --size 48 16 4 --iterations 2 --solver multigrid-pcg --transport mpi-host");
  // The mean counts the exchange of the start, too.
  EXPECT_NEAR(report["messages"]["per_iteration"], 4 * 4 + 6, 0.1);
  EXPECT_EQ(report["messages"]["reductions_per_iteration"], 1);
}

TEST_F(ManyRanks, SolveInSinglePrecision) {
  const std::string arguments = "helmholtz --size 20 17 5 --precision single --iterations 20";
  expect_same_history(report_of(arguments), report_on(3, arguments), 1e-4);
}

TEST_F(ManyRanks, ReportErrorsAndResidualsOfAllCells) {
  const std::string arguments = "helmholtz --size 12 10 4 --rhs const --iterations 8";
  expect_same_errors(report_of(arguments), report_on(3, arguments));
}

TEST_F(ManyRanks, MayHaveNoColumns) {
  const std::string arguments = "helmholtz --size 2 1 3 --rhs rough";
  const auto many = report_on(4, arguments);
  expect_same_history(report_of(arguments), many, 1e-12);
  const auto& parts = many["per_rank"];
  EXPECT_EQ(std::count_if(parts.begin(), parts.end(),
                          [](const nlohmann::json& rank) { return rank["owned"] == 0; }),
            2);
}

TEST_F(ManyRanks, WriteTheBytesOfOneProcess) {
  // Without an iteration all values are the same bits, too.
  for (const std::string arguments :
       {"helmholtz --size 13 9 4 --rhs rough --iterations 0",
        "helmholtz --size 13 9 4 --layout left --precision single --iterations 0",
        "helmholtz --size 13 9 4 --solver pcg --rhs const --iterations 0"}) {
    const std::string one = file_of(1, arguments);
    EXPECT_GT(one.size(), 1000u);
    for (const int num_ranks : {2, 3, 4}) {
      EXPECT_TRUE(file_of(num_ranks, arguments) == one) << num_ranks << ' ' << arguments;
    }
    EXPECT_TRUE(file_of(3, arguments + " --ranks 1 3") == one) << arguments;
    EXPECT_TRUE(file_of(4, arguments + " --ranks 2 2") == one) << arguments;
  }
}

TEST_F(ManyRanks, WriteTheSolutionOfOneProcess) {
  const auto solution_on = [&](int num_ranks) {
    file_of(num_ranks, "helmholtz --size 13 9 4 --iterations 15");
    std::vector<double> values;
    Lamina::PanelReader(folder / "out.nc", "solution", Lamina::CubedSpherePanel(13, 9), 4)
        .read([&](int, const double* slab) { values.insert(values.end(), slab, slab + 9 * 4); });
    return values;
  };
  const auto one = solution_on(1), many = solution_on(4);
  ASSERT_EQ(many.size(), one.size());
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(many[n], one[n], 1e-12) << n;
}

TEST_F(ManyRanks, ReadTheirBlocksOfAFile) {
  folder.write("rhs.nc", file_of(1, "helmholtz --size 13 9 4 --rhs rough --iterations 0"));
  const std::string arguments = "helmholtz --size 13 9 4 --rhs rhs.nc --iterations 0";
  const std::string one = file_of(1, arguments);
  EXPECT_TRUE(file_of(2, arguments) == one);
  EXPECT_TRUE(file_of(4, arguments + " --ranks 2 2") == one);
}

TEST_F(ManyRanks, TellHowTheyWorkTogether) {
  const auto report =
      report_on(3, "helmholtz --size 12 10 4 --iterations 2 --ranks 1 3 --transport mpi-host");
  EXPECT_EQ(report["ranks"], 3);
  EXPECT_EQ(report["decomposition"]["ranks"], nlohmann::json({1, 3}));
  EXPECT_EQ(report["decomposition"]["most_peers"], 2);
  EXPECT_NEAR(report["decomposition"]["imbalance"], 48 / 40.0, 1e-15);  // 4, 3 and 3 cells in y
  EXPECT_NEAR(report["decomposition"]["largest_halo_fraction"], 24 / 36.0, 1e-15);
  EXPECT_EQ(report["transport"]["name"], "mpi-host");
  ASSERT_EQ(report["transport"]["candidates"].size(), 1u);
  EXPECT_GT(report["transport"]["candidates"][0]["exchange_us"], 0);
  EXPECT_EQ(report["messages"]["per_iteration"], 4);
  EXPECT_EQ(report["messages"]["bytes_per_iteration"], 4 * 12 * 4 * 8);
  EXPECT_EQ(report["messages"]["reductions_per_iteration"], 1);
  ASSERT_EQ(report["per_rank"].size(), 3u);
  double slowest = 0;
  int owned = 0;
  for (const auto& rank : report["per_rank"]) {
    EXPECT_FALSE(rank["host"].get<std::string>().empty());
    EXPECT_FALSE(rank["device"].get<std::string>().empty());
    owned += rank["owned"].get<int>();
    slowest = std::max(slowest, rank["solve"].get<double>());
  }
  EXPECT_EQ(owned, 120);
  EXPECT_EQ(report["seconds"]["solve"], slowest);
  EXPECT_EQ(report["rank_seconds"]["solve"]["max"], slowest);
  for (const char* wait : {"halo_wait", "reduction_wait"}) {
    EXPECT_GT(report["rank_seconds"][wait]["min"], 0) << wait;
    EXPECT_LT(report["rank_seconds"][wait]["max"], slowest) << wait;
    EXPECT_GT(report["per_rank"][2][wait], 0) << wait;
  }
  EXPECT_FALSE(report["kernels"].empty());
  EXPECT_GT(report["copy_gb_per_s"], 0);
}

TEST_F(ManyRanks, CountTheBytesOfAllRanks) {
  const std::string arguments = "helmholtz --size 32 16 4 --iterations 2";
  const std::string kernel = "Lamina::FusedHelmholtz::precondition";
  const double two = bytes_of(report_on(2, arguments), kernel),
               four = bytes_of(report_on(4, arguments), kernel);
  EXPECT_GT(two, 8.0 * 32 * 16 * 4 * 2);
  EXPECT_NEAR(four, two, 0.1 * two);
}

TEST_F(ManyRanks, TakeTheTransportOfTheEnvironment) {
  const auto report =
      report_on(2, "helmholtz --size 8 8 4 --iterations 1", "export LAMINA_TRANSPORT=mpi-device");
  EXPECT_EQ(report["transport"]["name"], "mpi-device");
}

TEST_F(ManyRanks, PrintOnce) {
  const auto outcome = run_on(3, "helmholtz --size 8 8 4 --iterations 2");
  EXPECT_EQ(outcome.status, 0);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (auto place = outcome.output.find(text); place != std::string::npos;
         place = outcome.output.find(text, place + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("  equation "), 1) << outcome.output;
  EXPECT_EQ(count("  result "), 1) << outcome.output;
  EXPECT_EQ(count("  ranks       3, 3 x 1 rectangles of columns\n"), 1) << outcome.output;
  EXPECT_EQ(count("  messages    4 per iteration by "), 1) << outcome.output;
  EXPECT_EQ(outcome.output.find('\r'), std::string::npos)
      << "progress, on a terminal of the launcher";
}

TEST_F(ManyRanks, HaveInfoOnTransports) {
  const auto outcome = run_on(2, "info");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("  ranks       2 on 1 host: "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("\n  peer        exchange of 8 bytes "), std::string::npos);
  EXPECT_NE(outcome.output.find("\n  mpi-host    exchange of 8 bytes "), std::string::npos);
  EXPECT_NE(outcome.output.find("\n  nccl        "), std::string::npos);
}

TEST_F(ManyRanks, RefuseWhatDoesNotWorkOverThem) {
  expect_refused_on(2, "compare helmholtz", "lamina compare: expected one process, got 2: ");
  expect_refused_on(
      2, "helmholtz --solver csr-pcg",
      "lamina helmholtz: --solver: expected fused-pcg|pcg|multigrid-pcg|multigrid over "
      "several processes, got csr-pcg");
  expect_refused_on(2, "helmholtz --precision mixed",
                    "lamina helmholtz: --precision: expected single|double with --solver fused-pcg "
                    "over several processes, got mixed");
  expect_refused_on(
      3, "helmholtz --ranks 2 2",
      "lamina helmholtz: --ranks: expected a product of 3, the number of processes, got "
      "2 x 2");
  expect_refused_on(2, "helmholtz --size 8 8 4 --transport smoke",
                    "lamina helmholtz: --transport: expected "
                    "auto|peer|nccl|mpi-device|mpi-host, got smoke");
  expect_refused_on(2, "helmholtz --size 8 8 4 --omega2 1e15 --output x.nc",
                    "lamina helmholtz: --omega2: expected ");
  write_rhs("rhs.nc", 1e-200);
  for (const int num_ranks : {2, 3}) {
    expect_refused_on(
        num_ranks, "helmholtz --size 4 3 2 --precision single --rhs rhs.nc",
        "lamina helmholtz: --rhs: rhs.nc: expected a largest value of at least 1.2e-38 "
        "in single precision, got 1e-200");
  }
  expect_refused_on(2, "nonsense", "lamina: expected a command ");
}

TEST_F(ManyRanks, RefuseATransportThatCannotWork) {
  if (run("info").output.find("\n  cuda ") != std::string::npos) GTEST_SKIP() << "it may work";
  expect_refused_on(
      2, "helmholtz --size 8 8 4 --quiet --transport nccl",
      "lamina helmholtz: make_transport: expected a transport that works, got nccl: ");
}

TEST_F(ManyRanks, AreOneProcessWhereThereIsOne) {
  expect_refused("helmholtz --ranks 2 1", "lamina helmholtz: --ranks: expected a product of 1, ");
  EXPECT_EQ(report_of("helmholtz --size 4 3 2 --ranks 1 1 --transport peer")["ranks"], 1);
}

TEST_F(ManyRanks, EndTogetherWhereTheOutputCannotBeWritten) {
  expect_refused_on(2, "helmholtz --size 8 8 4 --output missing/x.nc",
                    "lamina helmholtz: rank 0: --output: missing/x.nc: cannot be written: ");
  // The file is opened, but does not fit: all ranks learn of it in the middle of the output. Memory
  // that ranks share counts as files, too, but is smaller.
  expect_failure(
      run_shell(launcher + of_ranks(2) + " sh -c 'ulimit -f 20000 && exec \"$0\" \"$@\"'" +
                program + "helmholtz --size 256 64 64 --iterations 0 --quiet --output x.nc"),
      "lamina helmholtz: rank 0: --output: x.nc: cannot be written: ", 0);
}

TEST_F(ManyRanks, EndTogetherWhereOneCannotReadAFile) {
  folder.write("rhs.nc", file_of(1, "helmholtz --size 13 9 4 --iterations 0"));
  std::filesystem::create_directory(folder / "elsewhere");
  const std::string part = program + "helmholtz --size 13 9 4 --rhs rhs.nc --quiet --json j.json";
  // Rank 1 looks for it in another folder, and finds none, or one that is damaged.
  const std::string command = launcher + of_ranks(2) + part + " :" + of_ranks(1) +
                              " sh -c 'cd elsewhere && exec \"$0\" \"$@\"'" + part;
  const std::size_t num_files = folder.num_files();
  expect_failure(run_shell(command), "lamina helmholtz: rank 2: --rhs: rhs.nc: no such file",
                 num_files);
  std::string damaged = folder.read("rhs.nc");
  damaged.resize(damaged.size() / 2);
  folder.write("elsewhere/rhs.nc", damaged);
  expect_failure(run_shell(command), "lamina helmholtz: rank 2: --rhs: rhs.nc: ", num_files);
}

TEST_F(ManyRanks, EndTogetherWhereOneHasTooLittleMemory) {
  const std::string part = program + "helmholtz --size 1024 512 64 --quiet --output x.nc";
  const auto outcome = run_shell(launcher + of_ranks(1) + part + " :" + of_ranks(1) +
                                 " sh -c 'ulimit -v 1000000 && exec \"$0\" \"$@\"'" + part);
  expect_failure(outcome, "lamina helmholtz: rank 1: ", 0);
}

TEST_F(ManyRanks, EndWhereOneIsKilled) {
  using Clock = std::chrono::steady_clock;
  const std::string part =
      program + "helmholtz --size 256 256 32 --iterations 100000000 --quiet --output x.nc";
  const auto start = Clock::now();
  const auto outcome = run_shell(
      launcher + of_ranks(1) + part + " :" + of_ranks(1) +
      " sh -c 'echo $$ >pid; exec \"$0\" \"$@\"'" + part +
      " & job=$!; until test -s pid; do sleep 0.1; done; sleep 2; kill -9 $(cat pid); wait $job");
  EXPECT_NE(outcome.status, 0);
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 30)
      << "2 s and the launcher";
  EXPECT_EQ(own_lines(outcome).size(), 0u) << outcome.errors;
  EXPECT_EQ(folder.num_files(), 1u) << "the number of the process alone";
}

}  // namespace
}  // namespace LaminaTest
