// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The one runner of all benchmarks. A benchmark is a `Subject`, constructed from a size, with
//
//   using execution_space = ...;
//   static std::string name();       // "LineSolver/solve<general,double,LayoutLeft,OpenMP>"
//   execution_space space;
//   void prepare();                  // before each timed run, outside the time
//   void run();                      // enqueues the work that is timed
//   KernelCost cost() const;         // what one step of it moves at least
//   std::string error() const;       // what is wrong with the result; empty: nothing
//   static constexpr int steps = 1;  // steps in one run; times and rates are those of one step

#include <benchmark/benchmark.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "Measure.hpp"

namespace Lamina::Perf {

/// The subject in use. Google Benchmark calls a benchmark again and again with growing iteration
/// counts: its set-up, seconds for a large matrix, is kept until another benchmark begins.
inline std::shared_ptr<void>& current_subject() {
  static std::shared_ptr<void> subject;
  return subject;
}

template <class Subject, class Size>
Subject& subject_of(const std::string& name, const Size& size) {
  static std::string current_name;
  static std::weak_ptr<void> mine;
  if (mine.expired() || current_name != name) {
    current_subject().reset();  // frees its memory first
    current_subject() = std::make_shared<Subject>(size);
    mine = current_subject();
    current_name = name;
  }
  return *static_cast<Subject*>(current_subject().get());
}

/// Whether a benchmark reported an error. The program exits with 1 then.
inline bool& any_failed() {
  static bool failed = false;
  return failed;
}

inline void report_error(benchmark::State& state, const char* error) {
  any_failed() = true;
  state.SkipWithError(error);
}

template <class Subject, class Size>
void measure(benchmark::State& state, const std::string& name, const Size& size) {
  // Measured first: its arrays should not have to share memory with the subject's
  const double ceiling = copy_gb_per_s(typename Subject::execution_space{});
  Subject& subject = subject_of<Subject>(name, size);
  subject.prepare();
  subject.run();  // warms up
  double seconds = 0;
  for ([[maybe_unused]] auto _ : state) {
    subject.prepare();
    const double time = seconds_of(subject.space, [&] { subject.run(); }) / Subject::steps;
    state.SetIterationTime(time);
    seconds += time;
  }
  const std::string error = subject.error();
  if (!error.empty()) report_error(state, error.c_str());

  const KernelCost cost = subject.cost();
  const double per_second = static_cast<double>(state.iterations()) / seconds;
  state.counters["bytes"] = cost.bytes;
  state.counters["GB/s"] = cost.bytes * per_second * 1e-9;
  state.counters["GFLOP/s"] = cost.flops * per_second * 1e-9;
  state.counters["fraction_of_copy"] = cost.bytes * per_second * 1e-9 / ceiling;
}

/// Registers `Subject` for each size; a size knows how it is written: `size.name()`.
template <class Subject, class Size>
void register_subject(const std::vector<Size>& sizes) {
  for (const Size& size : sizes) {
    const std::string name = Subject::name() + '/' + size.name();
    const auto run = [name, size](benchmark::State& state) {
      try {
        measure<Subject>(state, name, size);
      } catch (const std::exception& error) {
        report_error(state, error.what());
      }
    };
    auto* const registered = benchmark::RegisterBenchmark(name.c_str(), run);
    registered->UseManualTime()->Unit(benchmark::kMillisecond);
    if (tiny_run()) registered->Iterations(1);
  }
}

/// Defined once in each PerfTest_<Stem>.cpp.
void register_benchmarks();

}  // namespace Lamina::Perf
