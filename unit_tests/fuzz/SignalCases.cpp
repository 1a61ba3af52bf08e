// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <netcdf.h>
#include <signal.h>

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "Cases.hpp"

namespace LaminaFuzz {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// The step of a checkpoint; -1: it cannot be read. Cases run side by side, and the NetCDF and HDF5
/// libraries are for one thread at a time.
double step_of(const std::filesystem::path& checkpoint) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  int file = 0;
  if (nc_open(checkpoint.c_str(), NC_NOWRITE, &file) != NC_NOERR) return -1;
  double step = -1;
  if (nc_get_att_double(file, NC_GLOBAL, "step", &step) != NC_NOERR) step = -1;
  nc_close(file);
  return step;
}

/// Number and moment: while the program starts, or at work.
void add_signal(Random& random, Trial& trial, double run_seconds) {
  constexpr int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
  trial.signal = random.pick(numbers);
  trial.signal_after = random.unit() * run_seconds * (random.chance(30) ? 1 : 5);
}

void add_file(Random& random, Trial& trial, const std::string& option, const std::string& name,
              const Bench& bench) {
  append(trial.arguments, {option, name});
  trial.outputs.push_back(name);
  // What was there before; a good file is read again below.
  if (option == "--json" && random.chance(30)) bench.write(name, "{}");
}

void read_again(const Words& arguments, Bench& bench) {
  const Ending ending = bench.run({.arguments = arguments, .outputs = {"again.nc"}});
  if (ending.exit_status != 0) bench.add_problem("cannot be read again: " + shell_text(arguments));
}

Words flow(const std::string& size, const std::string& until) {
  return {"shallow-water", "--n", size, "--dt", "0.001", "--until", until};
}

void run_flow(Random& random, Bench& bench) {
  const std::string size = std::to_string(random.from_to(2, 24));
  // As other runs left them
  const bool has_old = random.chance(30);
  if (has_old) {
    Words before = flow(size, "0.002");
    append(before, {"--quiet", "--output", "o.nc", "--checkpoint", "c.nc"});
    bench.run({.arguments = before, .outputs = {"o.nc", "c.nc"}});
  }
  Trial trial{.arguments = flow(size, random.word({"0.5", "3", "1000"}))};
  add_signal(random, trial, bench.files().run_seconds());
  const bool has_output = random.chance(80), has_checkpoint = random.chance(80);
  if (has_output) add_file(random, trial, "--output", "o.nc", bench);
  if (has_output && random.chance(60)) {
    append(trial.arguments, {"--output-every", std::to_string(random.from_to(1, 200))});
  }
  if (has_checkpoint) add_file(random, trial, "--checkpoint", "c.nc", bench);
  if (has_checkpoint && random.chance(60)) {
    append(trial.arguments, {"--checkpoint-every", std::to_string(random.from_to(1, 200))});
  }
  if (random.chance(40)) add_file(random, trial, "--json", "o.json", bench);
  if (random.chance(50)) append(trial.arguments, {"--quiet"});
  trial.patience = 8;
  const Ending ending = bench.run(trial);

  const auto is_there = [&](const char* name) { return std::filesystem::exists(bench / name); };
  const bool ended_orderly =
      ending.exit_status == 0 || ending.errors.find("ended by") != std::string::npos;
  if (ended_orderly &&
      ((has_output && !is_there("o.nc")) || (has_checkpoint && !is_there("c.nc")))) {
    bench.add_problem("an orderly end without its files: lamina " + shell_text(trial.arguments));
  }
  if (is_there("o.nc")) {
    Words arguments = flow(size, "0.001");
    append(arguments, {"--quiet", "--initial", "o.nc"});
    read_again(arguments, bench);
  }
  if (is_there("c.nc")) {
    char until[32];
    std::snprintf(until, sizeof until, "%.3f", (step_of(bench / "c.nc") + 2) * 0.001);
    read_again({"shallow-water", "--quiet", "--restart", "c.nc", "--until", until}, bench);
  }
  // Records of a killed run may be read, and go when a run writes the name again.
  const Words parts = bench.names_with("o.nc.part-");
  for (const std::string& part : parts) {
    std::filesystem::copy(bench / part, bench / "part.nc");
    Words arguments = flow(size, "0.001");
    append(arguments, {"--quiet", "--initial", "part.nc"});
    bench.run({.arguments = arguments});
  }
  if (!parts.empty()) {
    Words arguments = flow(size, "0.002");
    append(arguments, {"--quiet", "--output", "o.nc"});
    bench.run({.arguments = arguments, .outputs = {"o.nc"}});
    if (!bench.names_with("o.nc.part-").empty()) bench.add_problem("stale temporaries stay");
  }
}

void run_solve(Random& random, Bench& bench) {
  const std::vector<Words> solves{
      {"poisson", "--n", "100", "--iterations", "100000000"},
      {"poisson", "--n", "30", "--solver", "cg", "--tolerance", "1e-300", "--max-iterations",
       "100000000"},
      {"helmholtz", "--size", "8", "8", "8", "--iterations", "100000000"},
      {"helmholtz", "--size", "8", "8", "8", "--precision", "mixed", "--iterations", "100000000"},
      {"point-implicit", "--generate", "6", "6", "6", "--sweeps", "100000000"},
      {"compare", "poisson", "--n", "32", "--iterations", "20000"}};
  Trial trial{.arguments = random.pick(solves)};
  const bool is_comparison = trial.arguments.front() == "compare";
  add_signal(random, trial, bench.files().run_seconds());
  if (random.chance(70)) add_file(random, trial, "--json", "o.json", bench);
  if (random.chance(70) && !is_comparison) {
    add_file(random, trial, "--output", "o.nc", bench);
    if (random.chance(50)) bench.write("o.nc", "old");
  }
  if (random.chance(50) && !is_comparison) trial.arguments.push_back("--quiet");
  trial.patience = 8;
  bench.run(trial);
}

}  // namespace

void run_signal_case(Random& random, Bench& bench) {
  if (random.chance(70)) {
    run_flow(random, bench);
  } else {
    run_solve(random, bench);
  }
}

}  // namespace LaminaFuzz
