// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What programs that measure over ranks share.

#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <vector>

#include "../support/Measure.hpp"
#include "../support/Program.hpp"

namespace Lamina::Perf {

/// Seconds of work over all ranks, of the slowest one: the median of some repetitions. One before
/// them warms up.
/// \param prepare  prepare() is called before each, and not measured
template <class Space, class Prepare, class Work>
double median_over_ranks(const Space& space, const Transport& transport, int repetitions,
                         const Prepare& prepare, const Work& work) {
  const auto largest = [&](double value) {
    const auto values = Impl::gather_values(transport, value);
    return *std::max_element(values.begin(), values.end());
  };
  std::vector<double> seconds;
  for (int n = 0; n <= repetitions; ++n) {
    prepare();
    largest(0);  // all ranks begin together
    const double time = seconds_of(space, work);
    if (n > 0) seconds.push_back(largest(time));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// `run_program` between the first call of MPI and the last.
template <class Settings, class Usage, class Run>
int run_mpi_program(const char* name, int argc, char* argv[], const Setters<Settings>& setters,
                    const Usage& print_usage, const Run& run) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int status = run_program(name, argc, argv, setters, print_usage, run);
  if (status == 1) MPI_Abort(MPI_COMM_WORLD, status);  // others may wait
  MPI_Finalize();
  return status;
}

}  // namespace Lamina::Perf
