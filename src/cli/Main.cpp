// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <cstdlib>
#include <exception>
#include <string>

#include "Commands.hpp"
#include "support/ErrorText.hpp"
#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"
#include "support/output/StandardOutput.hpp"
#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {
namespace {

void print_help() {
  print(
      "Lamina {}: solvers for flat domains, on CPU cores and GPUs\n"
      "Usage: lamina COMMAND [OPTIONS]\n\nCommands:\n",
      LAMINA_VERSION_STRING);
  for (const Command& command : commands()) print("  {:<16}{}\n", command.name, command.summary);
  print(
      "\nOptions:\n  -h,--help       Print this help and exit; each command has its own\n"
      "  --version       Print the version and exit\n");
}

/// What is to be in order before files are opened or threads started.
void prepare_process() {
  open_standard_streams();
  set_silent(!is_first_process());
  ignore_file_size_signal();
  on_stale_file([](const std::filesystem::path& file) {
    print_error("lamina", "removed " + file.string() + ", left by a process that was killed");
  });
  // `PendingFile` locks what we write. HDF5's own locks would meet those on network file systems, and
  // fail on file systems that have none.
  constexpr int overwrite = 1;
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", overwrite);
}

/// Ends the program by the signal that was noted, unless something went wrong that a line tells of.
/// \return the status to exit with
int finish(const std::string& who, int status) {
  disconnect_ranks();
  if (status != bad_input && interrupted()) {
    flush_output();
    if (interruption_is_told()) print_error(who, "ended by " + interruption_name());
    end_by_signal();
  }
  const std::string problem = output_problem();
  if (!problem.empty() && status != bad_input) {
    print_error(who, problem);
    status = bad_input;
  }
  if (NetcdfFile::any_left_open()) std::_Exit(status);
  return status;
}

/// Refuses a launch of several processes: each would solve the whole problem, and all would write the
/// same files.
void require_one_process() {
  const Ranks* ranks = connect_ranks();
  if (ranks == nullptr) return;
  throw SharedError("expected one process, got " + std::to_string(ranks->size()) +
                    ": this command does not work over several yet");
}

/// Runs a command, and tells of what it throws.
template <class Work>
int run(const std::string& who, const Work& work) {
  try {
    return work();
  } catch (const SharedError& error) {
    print_error(who, error.what());
  } catch (const RankFailure& error) {
    print_error(who, error.what());
  } catch (const TransportTimeout& error) {
    wait_for_turn();
    abort_ranks(who, error.what());
  } catch (const std::exception&) {
    const std::string message = error_text(std::current_exception());
    if (connected_ranks() != nullptr) abort_ranks(who, message);
    print_error(who, message);
  }
  return bad_input;
}

int refuse(const std::string& message) {
  return finish("lamina", run("lamina", [&]() -> int {
                  connect_ranks_after([&] { throw InputError(message); });
                  return bad_input;
                }));
}

int run(Arguments arguments) {
  if (arguments.own.empty()) {
    print_help();
    return refuse("expected a command, got none");
  }
  const std::string name = arguments.own.front();
  arguments.own.erase(arguments.own.begin());
  if (name == "--help" || name == "-h") {
    print_help();
    return finish("lamina", success);
  }
  if (name == "--version") {
    print("lamina {}\n", LAMINA_VERSION_STRING);
    return finish("lamina", success);
  }
  for (const Command& command : commands()) {
    if (command.name != name) continue;
    const std::string who = "lamina " + name;
    return finish(who, run(who, [&] {
                    if (!command.over_ranks) require_one_process();
                    return command.run(arguments);
                  }));
  }
  return refuse("expected a command (see lamina --help), got " + name);
}

}  // namespace

int run_program(int count, char** arguments) {
  prepare_process();
  return run(split_arguments(count, arguments));
}

}  // namespace Lamina::Cli

int main(int count, char** arguments) { return Lamina::Cli::run_program(count, arguments); }
