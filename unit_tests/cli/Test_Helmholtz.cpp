// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

using HelmholtzCommand = ProgramTest;

const std::string small_panel =
    "helmholtz --size 8 7 5 --rhs const --omega2 0.5 --edge dirichlet --layout left";

TEST_F(HelmholtzCommand, ReportsAsTheContractSays) {
  const auto report = report_of(small_panel);
  for (const char* key : {"command",
                          "lamina_version",
                          "kokkos_version",
                          "space",
                          "device",
                          "precision",
                          "layout",
                          "problem",
                          "status",
                          "converged",
                          "iterations",
                          "relative_residual",
                          "true_relative_residual",
                          "residual_history",
                          "seconds",
                          "kernels",
                          "copy_gb_per_s",
                          "ranks",
                          "true_relative_residual_preconditioned",
                          "rounding_error"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report.size(), 20u);
  EXPECT_EQ(report["command"], "helmholtz");
  EXPECT_EQ(report["precision"], "double");
  EXPECT_EQ(report["layout"], "left");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["converged"], true);
  EXPECT_EQ(report["ranks"], 1);
  EXPECT_LE(report["relative_residual"], 1e-5);
  EXPECT_LE(report["true_relative_residual"], 1.1e-5);
  EXPECT_LE(report["true_relative_residual_preconditioned"], 1e-4);
  EXPECT_LE(report["rounding_error"], 1e-14);
  EXPECT_GT(report["seconds"]["solve"], 0);
  EXPECT_GT(report["seconds"]["setup"], 0);
  const auto& history = report["residual_history"];
  EXPECT_EQ(history.size(), report["iterations"].get<std::size_t>() + 1);
  EXPECT_EQ(history.front(), 1);
  EXPECT_EQ(history.back(), report["relative_residual"]);
}

TEST_F(HelmholtzCommand, ReportsItsProblemAndKernels) {
  const auto report = report_of(small_panel);
  const nlohmann::json problem = {{"grid", "panel"},
                                  {"nx", 8},
                                  {"ny", 7},
                                  {"nz", 5},
                                  {"unknowns", 280},
                                  {"omega2", 0.5},
                                  {"lambda2", 3.32e-2},
                                  {"depth", 0.0157},
                                  {"edge", "dirichlet"},
                                  {"rhs", "const"},
                                  {"solver", "fused-pcg"},
                                  {"tolerance", 1e-5},
                                  {"tolerance_relative_to", "rhs"},
                                  {"max_iterations", 10000}};
  EXPECT_EQ(report["problem"], problem);
  for (const auto& kernel : report["kernels"]) {
    for (const char* key :
         {"name", "calls", "seconds", "bytes", "flops", "gb_per_s", "fraction_of_copy"}) {
      EXPECT_TRUE(kernel.contains(key)) << key;
    }
  }
}

TEST_F(HelmholtzCommand, SweepsTellTheirPath) {
  int told = 0;
  const auto report = report_of("helmholtz --size 8 7 5 --layout right --precision double");
  for (const auto& kernel : report["kernels"]) {
    const std::string name = kernel["name"];
    if (name.find("advance") == std::string::npos) {
      EXPECT_FALSE(kernel.contains("reason") && !kernel.contains("path")) << name;
      continue;
    }
    ++told;
    ASSERT_TRUE(kernel.contains("path")) << name;
    EXPECT_NE(kernel["path"], "");
  }
  EXPECT_GT(told, 0);
  if (report["space"] != "openmp" && report["space"] != "serial") return;  // other paths
  const std::string text = run("helmholtz --size 8 7 5 --layout right").output;
  EXPECT_NE(text.find("    by lanes of levels: "), std::string::npos) << text;
  EXPECT_NE(text.find(" of 5 levels fill no lanes"), std::string::npos) << text;
}

TEST_F(HelmholtzCommand, TooFewIterationsAreAStatus) {
  const auto report = report_of("helmholtz --size 16 16 4 --max-iterations 3", 1);
  EXPECT_EQ(report["status"], "max_iterations");
  EXPECT_EQ(report["converged"], false);
  EXPECT_EQ(report["iterations"], 3);
}

TEST_F(HelmholtzCommand, AFixedCountIsCompleted) {
  const auto report = report_of("helmholtz --size 16 16 4 --iterations 3 --check-every 2");
  EXPECT_EQ(report["status"], "completed");
  EXPECT_EQ(report["iterations"], 3);
  EXPECT_EQ(report["residual_history"].size(), 4u);
}

TEST_F(HelmholtzCommand, MixedPrecisionReachesTheTrueResidualOfDoublePrecision) {
  const std::string common = "helmholtz --size 24 23 33 --tolerance 1e-9 --output out.nc ";
  const auto exact = report_of(common + "--precision double");
  for (const char* layout : {"left", "right"}) {
    const auto report = report_of(common + "--precision mixed --layout " += layout);
    EXPECT_EQ(report["precision"], "mixed");
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LE(report["true_relative_residual"].get<double>(), 1.001e-9);
    EXPECT_NEAR(report["relative_residual"].get<double>(),
                report["true_relative_residual"].get<double>(), 1e-11);
    const int iterations = exact["iterations"];
    EXPECT_NEAR(report["iterations"].get<int>(), iterations, 0.05 * iterations + 1);
    std::set<std::string> kernels;
    for (const auto& kernel : report["kernels"]) {
      kernels.insert(kernel["name"]);
      if (kernel["name"].get<std::string>().find("Lamina::MixedHelmholtz") == 0) {
        EXPECT_GT(kernel["bytes"].get<double>(), 0) << kernel["name"];
      }
    }
    EXPECT_TRUE(kernels.contains("Lamina::MixedHelmholtz::advance_and_update"));
    EXPECT_TRUE(kernels.contains("Lamina::MixedHelmholtz::residual"));
  }
}

TEST_F(HelmholtzCommand, AResidualBeyondThePrecisionStagnates) {
  const auto report = report_of("helmholtz --size 8 8 32 --precision mixed --tolerance 1e-15", 1);
  EXPECT_EQ(report["status"], "stagnated");
  EXPECT_EQ(report["converged"], false);
  EXPECT_GE(report["restarts"], 1) << "rounding took residuals away from the true ones";
  EXPECT_FALSE(report_of("helmholtz --size 8 8 32 --precision mixed").contains("restarts"));
  EXPECT_NE(
      run("helmholtz --size 8 8 32 --precision mixed --tolerance 1e-15").output.find("STAGNATED"),
      std::string::npos);
}

// --- Rounding ---

TEST_F(HelmholtzCommand, RefusesCouplingsInWhichTheMassTermDrowns) {
  const std::string size = "helmholtz --size 8 8 4 --rhs const ";
  const std::string expected = ": expected at most ";
  for (const std::string omega2 : {"--omega2 1e14", "--omega2 1e20"}) {
    const Outcome outcome = run(size + omega2);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.errors.find("lamina helmholtz: --omega2" + expected), 0u) << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1);
    EXPECT_NE(outcome.errors.find("with fused-pcg in double precision"), std::string::npos)
        << outcome.errors;
    // One that applies A to its directions keeps the mass term.
    const auto plain = report_of(std::string(size).append("--solver pcg ").append(omega2));
    EXPECT_LT(plain["error"]["linf"].get<double>(), 1e-4);
  }
  EXPECT_EQ(run(size + "--omega2 1e6 --precision single").status, 2);
  EXPECT_EQ(run(size + "--omega2 1e6 --solver csr-pcg --precision single").status, 2);
  const Outcome vertical = run(size + "--lambda2 1e9 --precision single --depth 1e-4");
  EXPECT_EQ(vertical.errors.find("lamina helmholtz: --lambda2" + expected), 0u) << vertical.errors;

  // A largest value is named, and taken; an edge that holds the solution needs no mass term.
  const auto accepted = report_of(size + "--omega2 1e10");
  EXPECT_LT(accepted["error"]["linf"].get<double>(), 1e-4);
  EXPECT_GT(accepted["rounding_error"].get<double>(), 1e-6);
  EXPECT_LT(accepted["rounding_error"].get<double>(), 1e-2);
  const auto held = report_of("helmholtz --size 8 8 4 --edge dirichlet --omega2 1e14");
  EXPECT_LT(held["rounding_error"].get<double>(), 1e-14);
}

TEST_F(HelmholtzCommand, SaysWhereRoundingMattersMoreThanTheTolerance) {
  const std::string text = "rounding    may change the solution";
  EXPECT_NE(run("helmholtz --size 8 8 4 --omega2 1e11").output.find(text), std::string::npos);
  EXPECT_EQ(run("helmholtz --size 8 8 4").output.find(text), std::string::npos);
}

TEST_F(HelmholtzCommand, ExplainsATrueResidualThatIsLargeBesideARightSolution) {
  const std::string thin = "helmholtz --size 8 8 32 --rhs const --depth 1e-4 --precision single";
  const auto report = report_of(thin);
  EXPECT_EQ(report["converged"], true);
  EXPECT_GT(report["true_relative_residual"].get<double>(), 10);
  EXPECT_LT(report["true_relative_residual_preconditioned"].get<double>(), 0.1);
  EXPECT_LT(report["error"]["linf"].get<double>(), 1e-4);
  const std::string text = "in the preconditioner's norm";
  EXPECT_NE(run(thin).output.find(text), std::string::npos);
  EXPECT_EQ(run("helmholtz --size 8 8 4").output.find(text), std::string::npos);
  // Where a residual means something in the 2-norm, both are alike.
  const auto plain = report_of("helmholtz --size 24 24 1 --rhs rough --tolerance 1e-4");
  EXPECT_LT(plain["true_relative_residual_preconditioned"].get<double>(), 1e-3);
  EXPECT_GT(plain["true_relative_residual_preconditioned"].get<double>(), 1e-5);
}

TEST_F(HelmholtzCommand, ReportsTheTrueResidualOfOneTallColumn) {
  const auto report = report_of("helmholtz --size 1 1 1000 --rhs rough --iterations 4");
  EXPECT_LT(report["relative_residual"].get<double>(), 1e-14);
  EXPECT_GT(report["true_relative_residual"].get<double>(), 1e-9);
  EXPECT_LT(report["true_relative_residual_preconditioned"].get<double>(), 1e-9);
  EXPECT_GT(report["true_relative_residual_preconditioned"].get<double>(), 1e-14);
}

TEST_F(HelmholtzCommand, ReadsBackItsOwnOutput) {
  for (const std::string precision : {"single", "double", "mixed"}) {
    const std::string common = "helmholtz --size 9 8 7 --precision " + precision;
    const auto first = report_of(common + " --rhs rough --layout left --output first.nc");
    const auto second = report_of(common + " --rhs first.nc --layout left --output second.nc");
    const auto other = report_of(common + " --rhs first.nc --layout right");
    EXPECT_EQ(second["problem"]["rhs"], "first.nc");
    EXPECT_EQ(first["residual_history"], second["residual_history"]);
    EXPECT_EQ(first["iterations"], other["iterations"]);
  }
}

TEST_F(HelmholtzCommand, TheConstantIsTheSolutionForTheConstant) {
  for (const std::string precision : {"single", "double", "mixed"}) {
    const auto report =
        report_of("helmholtz --size 8 7 4 --rhs const --output out.nc --precision " + precision);
    const Lamina::CubedSpherePanel panel(8, 7);
    const auto grid = Lamina::VerticalGrid::graded(4, 0.0157);
    const auto areas = panel.areas();
    double sum = 0, largest = 0;
    const Lamina::PanelReader reader(folder / "out.nc", "solution", panel, 4);
    reader.read([&](int i, const double* values) {
      for (int n = 0; n < 7 * 4; ++n) {
        const double error = std::abs(values[n] - 1);
        const auto column = static_cast<std::size_t>(panel.column(i, n / 4));
        sum += areas[column] * grid.volume(n % 4) * error * error;
        largest = std::max(largest, error);
      }
    });
    EXPECT_GT(largest, 0);
    EXPECT_LT(largest, 1e-4);
    EXPECT_EQ(report["error"]["linf"], largest);
    // The program weights by volumes that were rounded to the precision.
    const double l2 = std::sqrt(sum);
    EXPECT_NEAR(report["error"]["l2"].get<double>(), l2, 1e-6 * l2);
  }
}

TEST_F(HelmholtzCommand, AnErrorIsReportedWhereTheExactSolutionIsKnown) {
  EXPECT_NE(run("helmholtz --size 4 3 2 --rhs const").output.find("error "), std::string::npos);
  write_rhs("rhs.nc", 1);
  for (const std::string options :
       {"--rhs smooth", "--rhs const --edge dirichlet", "--rhs rhs.nc"}) {
    EXPECT_FALSE(report_of("helmholtz --size 4 3 2 " + options).contains("error")) << options;
    EXPECT_EQ(run("helmholtz --size 4 3 2 " + options).output.find("error "), std::string::npos)
        << options;
  }
}

TEST_F(HelmholtzCommand, AZeroRightHandSideConvergesAtOnce) {
  write_rhs("rhs.nc", 0);
  const auto report = report_of("helmholtz --size 4 3 2 --rhs rhs.nc");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(report["iterations"], 0);
  EXPECT_EQ(report["true_relative_residual"], 0);
}

TEST_F(HelmholtzCommand, ASolutionThatOverflowsIsNotWritten) {
  write_rhs("rhs.nc", 1e307);  // integrals over cells of less than 0.01
  folder.write("out.nc", "old");
  const auto outcome = run("helmholtz --size 4 3 2 --rhs rhs.nc --output out.nc --json out.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "lamina helmholtz: --output: out.nc: not written, as the solve broke down\n");
  EXPECT_EQ(outcome.output.find("(--output)"), std::string::npos);
  EXPECT_EQ(folder.read("out.nc"), "old");
  EXPECT_EQ(nlohmann::json::parse(folder.read("out.json"))["status"], "breakdown_not_finite");
}

TEST_F(HelmholtzCommand, AnIterateAtTheLimitIsWritten) {
  const auto report = report_of("helmholtz --size 16 16 4 --max-iterations 3 --output out.nc", 1);
  EXPECT_EQ(report["status"], "max_iterations");
  EXPECT_TRUE(std::filesystem::exists(folder / "out.nc"));
}

TEST_F(HelmholtzCommand, SolvesOneColumnOfOneLevel) {
  EXPECT_EQ(report_of("helmholtz --size 1 1 1")["status"], "converged");
}

TEST_F(HelmholtzCommand, EverySolverTakesTheSameIterations) {
  const auto fused = report_of("helmholtz --size 12 11 9");
  for (const char* solver : {"pcg", "csr-pcg"}) {
    const auto report = report_of(std::string("helmholtz --size 12 11 9 --solver ") + solver);
    EXPECT_EQ(report["problem"]["solver"], solver);
    EXPECT_NEAR(report["iterations"].get<int>(), fused["iterations"].get<int>(), 1);
  }
}

TEST_F(HelmholtzCommand, MultigridNeedsFewIterationsAndTellsItsLevels) {
  for (const char* precision : {"single", "double", "mixed"}) {
    const auto report =
        report_of(std::string("helmholtz --size 24 20 9 --rhs const --solver multigrid-pcg ") +
                  "--precision " + precision);
    EXPECT_EQ(report["problem"]["solver"], "multigrid-pcg");
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LE(report["iterations"], 5);
    EXPECT_LE(report["error"]["linf"], 1e-4);
    EXPECT_EQ(report["cycle_precision"], "single");
    nlohmann::json found = report["multigrid_levels"];
    for (auto& level : found) {
      EXPECT_GT(level["seconds"], 0);
      level.erase("seconds");
    }
    const nlohmann::json levels = {{{"columns", 480}, {"couplings", 916}},
                                   {{"columns", 120}, {"couplings", 218}},
                                   {{"columns", 30}, {"couplings", 49}},
                                   {{"columns", 6}, {"couplings", 7}}};
    EXPECT_EQ(found, levels);
  }
  const Outcome outcome = run("helmholtz --size 24 20 9 --solver multigrid-pcg");
  for (const char* text : {"multigrid-pcg", "4 levels: 480, 120, 30, 6 columns; single precision",
                           "ms of a cycle", "Lamina::MultigridPreconditioner::step",
                           "Lamina::MultigridPreconditioner::level_3::first_step"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
}

/// By itself: its residual is the true one.
TEST_F(HelmholtzCommand, CyclesOfMultigridSolveAlone) {
  for (const char* options : {"", "--precision mixed", "--layout left --smoothing 3"}) {
    const std::string command =
        "helmholtz --size 24 20 9 --rhs rough --tolerance 1e-9 --solver multigrid ";
    const auto report = report_of(command + options);
    EXPECT_EQ(report["problem"]["solver"], "multigrid");
    EXPECT_EQ(report["status"], "converged");
    EXPECT_LE(report["iterations"], 15);
    EXPECT_LE(report["true_relative_residual"], 1.001e-9);
    EXPECT_EQ(report["multigrid_levels"].size(), 4U);
    for (const auto& level : report["multigrid_levels"]) EXPECT_GT(level["seconds"], 0);
    EXPECT_NE(report["kernels"].dump().find("Lamina::FusedModel::add"), std::string::npos);
  }
}

/// Thin layers and strong couplings, of which cycles in single precision would take more iterations; and numbers
/// that single precision cannot hold.
TEST_F(HelmholtzCommand, MultigridIsInDoublePrecisionWhereItHasToBe) {
  for (const char* more : {"--size 24 20 32 --depth 1e-6", "--size 24 20 1 --omega2 1e7",
                           "--size 8 8 4 --omega2 1e-40"}) {
    const auto report =
        report_of(std::string("helmholtz --rhs rough --solver multigrid-pcg ") + more);
    EXPECT_EQ(report["cycle_precision"], "double") << more;
    EXPECT_EQ(report["status"], "converged") << more;
    EXPECT_LE(report["iterations"], 5) << more;
  }
}

TEST_F(HelmholtzCommand, MultigridTakesLevelsAndSmoothingSteps) {
  const std::string command = "helmholtz --size 24 20 9 --tolerance 1e-8 --solver multigrid-pcg ";
  EXPECT_EQ(report_of(command + "--multigrid-levels 2")["multigrid_levels"].size(), 2U);
  EXPECT_EQ(report_of(command + "--multigrid-levels 9")["multigrid_levels"].size(), 4U);
  const auto problem = report_of(command + "--smoothing 1")["problem"];
  EXPECT_EQ(problem["smoothing"], 1);
  EXPECT_TRUE(problem["max_multigrid_levels"].is_null());
  const int few = report_of(command + "--smoothing 3")["iterations"],
            many = report_of(command + "--smoothing 1")["iterations"];
  EXPECT_LT(few, many);
}

TEST_F(HelmholtzCommand, PrintsWhatItDoesAndNoProgressWithoutATerminal) {
  const Outcome outcome = run("helmholtz --size 8 8 8 --output out.nc");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  for (const char* text : {"512 unknowns", "fused-pcg", "converged after", "Lamina::FusedHelmholtz",
                           "::advance", "GB/s", "out.nc"}) {
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(outcome.output.find('\r'), std::string::npos);
}

TEST_F(HelmholtzCommand, ReplacesOldFilesAndLeavesNoOther) {
  folder.write("out.nc", "old");
  folder.write("result.json", "old");
  const auto report = report_of("helmholtz --size 4 3 2 --output out.nc");
  EXPECT_EQ(report["status"], "converged");
  EXPECT_EQ(folder.read("out.nc").substr(1, 3), "HDF");
  EXPECT_EQ(folder.num_files(), 2u);
}

}  // namespace
}  // namespace LaminaTest
