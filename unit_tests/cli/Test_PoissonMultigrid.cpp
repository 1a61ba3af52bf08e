// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/NetcdfReader.hpp>

#include <string>
#include <utility>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

class PoissonMultigridCommand : public ProgramTest {};

TEST_F(PoissonMultigridCommand, NeedsFewIterationsToTheErrorOfTheTable) {
  const std::pair<int, double> rows[] = {
      {32, 3.0128e-3}, {64, 7.7811e-4}, {128, 1.9765e-4}, {256, 4.9797e-5}};
  for (const auto& [n, error] : rows) {
    for (const std::string options :
         {"--solver multigrid-cg", "--solver multigrid", "--solver multigrid-cg --smoothing 3",
          "--solver multigrid-cg --layout left --space " LAMINA_PLAIN_SPACE,
          "--solver multigrid --full-multigrid --layout left"}) {
      SCOPED_TRACE(testing::Message() << n << ' ' << options);
      const auto report = report_of("poisson --n " + std::to_string(n) + ' ' + options);
      EXPECT_EQ(report["status"], "converged");
      EXPECT_LE(report["iterations"], 8);
      EXPECT_LE(report["true_relative_residual"].get<double>(), 1.001e-6);
      // Two digits: residuals of 1e-6 leave more of the error than they do with conjugate gradients alone.
      EXPECT_NEAR(report["error"]["linf"].get<double>(), error, 0.01 * error);
      EXPECT_FALSE(report["kernels"].empty());
    }
  }
  const auto single = report_of("poisson --n 64 --solver multigrid-cg --precision single");
  EXPECT_LE(single["iterations"], 6);
  EXPECT_NEAR(single["error"]["linf"].get<double>(), 7.7811e-4, 2e-5);
}

TEST_F(PoissonMultigridCommand, TellsItsLevels) {
  for (const std::string options : {"--solver multigrid", "--solver multigrid-cg --smoothing 1",
                                    "--solver multigrid-cg --full-multigrid"}) {
    SCOPED_TRACE(options);
    const auto report = report_of("poisson --size 12 5 " + options);
    nlohmann::json found = report["multigrid_levels"];
    EXPECT_GT(found[0]["seconds"], 0);
    for (auto& level : found) {
      EXPECT_GE(level["seconds"], 0);  // a device has one kernel for several of them
      level.erase("seconds");
    }
    const nlohmann::json levels = {{{"nx", 12}, {"ny", 5}},
                                   {{"nx", 6}, {"ny", 2}},
                                   {{"nx", 3}, {"ny", 1}},
                                   {{"nx", 1}, {"ny", 1}}};
    EXPECT_EQ(found, levels);
    const bool begins = options.find("full") != std::string::npos;
    EXPECT_EQ(report["problem"]["full_multigrid"], begins);
    EXPECT_EQ(report["problem"]["smoothing"], options.find("1") != std::string::npos ? 1 : 2);
  }
  EXPECT_FALSE(report_of("poisson --n 8").contains("multigrid_levels"));
  const Outcome outcome = run("poisson --size 12 5 --solver multigrid-cg --full-multigrid");
  EXPECT_EQ(outcome.status, 0);
  for (const char* text :
       {"multigrid-cg", "2 smoothing steps, begins with full multigrid, 4 levels: 12 x 5, 6 x 2",
        "ms of a cycle", "Lamina::MultigridPoisson::advance"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
}

TEST_F(PoissonMultigridCommand, FullMultigridAloneReachesTheAccuracyOfTheEquation) {
  const auto solved = report_of("poisson --n 127 --solver multigrid-cg --tolerance 1e-10");
  const double error = solved["error"]["linf"];
  EXPECT_LE(solved["iterations"], 8);
  for (const std::string solver : {"multigrid", "multigrid-cg"}) {
    const auto report =
        report_of("poisson --n 127 --full-multigrid --iterations 0 --solver " + solver);
    EXPECT_EQ(report["status"], "completed");
    EXPECT_EQ(report["iterations"], 0);
    EXPECT_LE(report["error"]["linf"].get<double>(), 1.4 * error);
    EXPECT_GE(report["error"]["linf"].get<double>(), error);
  }
  const Outcome outcome = run("poisson --n 31 --full-multigrid --iterations 0 --solver multigrid");
  EXPECT_NE(outcome.output.find(" for full multigrid, "), std::string::npos);
}

TEST_F(PoissonMultigridCommand, SolvesOnTheSmallestGrids) {
  for (const std::string size : {"1 1", "1 2", "2 1", "2 2", "3 3", "1 9", "7 2"}) {
    for (const std::string solver : {"multigrid", "multigrid-cg"}) {
      for (const std::string more : {"", " --full-multigrid"}) {
        const auto report = report_of("poisson --size " + size + " --solver " + solver + more);
        EXPECT_EQ(report["status"], "converged") << size << ' ' << solver << more;
      }
    }
  }
}

TEST_F(PoissonMultigridCommand, WritesTheCommandThatRepeatsIt) {
  (void)report_of(
      "poisson --n 9 --solver multigrid --smoothing 3 --full-multigrid --iterations 2 --output "
      "a.nc");
  const std::string history =
      Lamina::NetcdfReader(folder / "a.nc").find_text("history").value_or("");
  EXPECT_NE(history.find("--solver multigrid --smoothing 3 --full-multigrid --memory auto"),
            std::string::npos)
      << history;
}

TEST_F(PoissonMultigridCommand, RefusesWhatItDoesNotTake) {
  const std::pair<std::string, std::string> cases[] = {
      {"--solver multigrid-pcg",
       "--solver: expected cg|fused-cg|multigrid|multigrid-cg, got "
       "multigrid-pcg"},
      {"--smoothing 2", "--smoothing: expected --solver multigrid|multigrid-cg, got fused-cg"},
      {"--full-multigrid --solver cg",
       "--full-multigrid: expected --solver multigrid|multigrid-cg, got cg"},
      {"--smoothing 4 --solver multigrid",
       "--smoothing: expected a whole number from 1 to 3, got 4"},
      {"--memory shared --solver multigrid-cg",
       "--memory: expected auto with --solver multigrid-cg, got shared"}};
  for (const auto& [options, message] : cases) {
    expect_refused("poisson --n 8 " + options, "lamina poisson: " + message);
  }
}

}  // namespace
}  // namespace LaminaTest
