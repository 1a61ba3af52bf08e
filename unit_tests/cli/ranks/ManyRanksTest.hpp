// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "cli/ShallowWaterTest.hpp"

namespace LaminaTest {

/// Runs the program as several processes of a launcher, which adds lines of its own to errors.
class ManyRanksTest : public ShallowWaterTest {
 protected:
  Outcome run_on(int num_ranks, const std::string& arguments,
                 const std::string& setup = "true") const {
    return run_shell(setup + " && " + launcher + of_ranks(num_ranks) + program + arguments);
  }
  /// What the program printed on standard error.
  static std::vector<std::string> own_lines(const Outcome& outcome) {
    std::vector<std::string> lines;
    std::istringstream stream(outcome.errors);
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("lamina")) lines.push_back(line);
    }
    return lines;
  }
  /// Expects an end with status 2, one line that begins with `message`, and no file to appear.
  void expect_failure(const Outcome& outcome, const std::string& message,
                      std::size_t num_files) const {
    EXPECT_EQ(outcome.status, 2);
    const auto lines = own_lines(outcome);
    ASSERT_EQ(lines.size(), 1u) << outcome.errors;
    EXPECT_EQ(lines[0].substr(0, message.size()), message);
    EXPECT_EQ(folder.num_files(), num_files);
  }
  void expect_refused_on(int num_ranks, const std::string& arguments,
                         const std::string& message) const {
    SCOPED_TRACE(arguments);
    const std::size_t num_files = folder.num_files();
    expect_failure(run_on(num_ranks, arguments), message, num_files);
  }
  /// What a report counts for a kernel, over all of its launches and ranks.
  static double bytes_of(const nlohmann::json& report, const std::string& kernel) {
    for (const auto& entry : report["kernels"]) {
      if (entry["name"] == kernel) return entry["bytes"].get<double>();
    }
    return 0;
  }
  nlohmann::json report_on(int num_ranks, const std::string& arguments,
                           const std::string& setup = "true") const {
    SCOPED_TRACE(std::to_string(num_ranks) + " ranks, lamina " + arguments);
    const Outcome outcome = run_on(num_ranks, arguments + " --quiet --json many.json", setup);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.errors, "");
    return nlohmann::json::parse(folder.read("many.json"), nullptr, false);
  }
  /// The bytes of the file that a run writes, with a time that is always the same.
  std::string file_of(int num_ranks, const std::string& arguments) const {
    const std::string all = arguments + " --quiet --output out.nc",
                      setup = "export SOURCE_DATE_EPOCH=1700000000";
    const Outcome outcome = num_ranks == 1 ? run_with(setup, all) : run_on(num_ranks, all, setup);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return folder.read("out.nc");
  }

  const std::string program = " '" LAMINA_PROGRAM "' ", launcher = "'" LAMINA_LAUNCHER "'";
  static std::string of_ranks(int num_ranks) {
    return " " LAMINA_LAUNCHER_COUNT " " + std::to_string(num_ranks);
  }
};

/// Residuals and errors are those of all cells.
inline void expect_same_errors(const nlohmann::json& one, const nlohmann::json& many) {
  for (const char* key : {"true_relative_residual", "true_relative_residual_preconditioned"}) {
    EXPECT_NEAR(many[key], one[key], 1e-12) << key;
  }
  for (const char* key : {"l2", "linf"}) {
    EXPECT_GT(one["error"][key], 1e-6) << "too small to tell";
    EXPECT_NEAR(many["error"][key], one["error"][key], 1e-12) << key;
  }
}

inline void expect_same_history(const nlohmann::json& one, const nlohmann::json& many,
                                double tolerance) {
  EXPECT_EQ(many["status"], one["status"]);
  EXPECT_EQ(many["iterations"], one["iterations"]);
  const auto expected = one["residual_history"].get<std::vector<double>>(),
             history = many["residual_history"].get<std::vector<double>>();
  ASSERT_EQ(history.size(), expected.size());
  for (std::size_t n = 0; n < history.size(); ++n) {
    EXPECT_NEAR(history[n], expected[n], tolerance) << n;
  }
  if (!one.contains("rounding_error")) return;
  ASSERT_EQ(many["rounding_error"].is_null(), one["rounding_error"].is_null());
  if (one["rounding_error"].is_null()) return;  // not known with bottoms or coefficients
  EXPECT_NEAR(many["rounding_error"], one["rounding_error"],
              1e-12 * one["rounding_error"].get<double>());
}

}  // namespace LaminaTest
