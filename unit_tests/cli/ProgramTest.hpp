// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/PanelFile.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/ScratchFolder.hpp"

namespace LaminaTest {

/// Runs the program in a folder of its own, to which relative names of files refer.
class ProgramTest : public testing::Test {
 protected:
  /// For each report the program measures a copy of 256 MB or more, ten times what a small solve takes.
  ProgramTest() { setenv("LAMINA_COPY_BYTES", "1048576", 1); }

  struct Outcome {
    int status;  ///< exit status; -1 where a signal ended the program
    std::string output, errors;
    double peak_bytes;  ///< most memory that was resident
  };

  /// \param arguments  in the language of the shell, which may redirect streams
  Outcome run(const std::string& arguments) const { return run_with("true", arguments); }
  /// The same after `setup`, a command of the shell that sets limits or variables.
  Outcome run_with(const std::string& setup, const std::string& arguments) const {
    return run_shell(setup + " && { '" LAMINA_PROGRAM "' " + arguments + "; }");
  }
  /// Any command of the shell.
  Outcome run_shell(const std::string& text) const {
    const ScratchFolder streams;
    const std::string command = "cd '" + folder.path().string() + "' && { " + text + "; } >'" +
                                (streams / "out").string() + "' 2>'" + (streams / "err").string() +
                                "'";
    const pid_t shell = fork();
    if (shell == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    int status = -1;
    rusage usage{};
    EXPECT_EQ(wait4(shell, &status, 0, &usage), shell);
    constexpr double kilobyte = 1024;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, streams.read("out"), streams.read("err"),
            static_cast<double>(usage.ru_maxrss) * kilobyte};
  }

  /// Expects bad input to end in status 2 and one line that begins with `message`, and no file to
  /// appear.
  void expect_refused(const std::string& arguments, const std::string& message) const {
    SCOPED_TRACE("lamina " + arguments);
    const std::size_t num_files = folder.num_files();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.errors.substr(0, message.size()), message);
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_EQ(folder.num_files(), num_files);
  }

  /// Runs with `--json`, and returns what the file holds.
  nlohmann::json report_of(const std::string& arguments, int expected_status = 0) const {
    SCOPED_TRACE("lamina " + arguments);
    const Outcome outcome = run(arguments + " --quiet --json result.json");
    EXPECT_EQ(outcome.status, expected_status);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.errors, "");
    return nlohmann::json::parse(folder.read("result.json"), nullptr, false);
  }

  /// A right-hand side for --size 4 3 2 whose values are all `value`.
  void write_rhs(const std::string& name, double value) const {
    const Lamina::PanelSlab<double> slab = [value](int, double* values) {
      std::fill_n(values, 3 * 2, value);
    };
    Lamina::write_panel_file<double>(folder / name, Lamina::CubedSpherePanel(4, 3),
                                     Lamina::VerticalGrid::graded(2, 0.0157), {},
                                     {{"rhs", "right-hand side", "area: sum level: sum", slab}});
  }

  ScratchFolder folder;
};

}  // namespace LaminaTest
