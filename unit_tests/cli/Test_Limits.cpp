// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <string>

#include "ProgramTest.hpp"
#include "support/AddressSanitizer.hpp"

namespace LaminaTest {
namespace {

class Limits : public ProgramTest {
 protected:
  void expect_refused_with(const std::string& setup, const std::string& arguments,
                           const std::string& message) const {
    SCOPED_TRACE(setup + "; lamina " + arguments);
    const Outcome outcome = run_with(setup, arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.errors.substr(0, message.size()), message);
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }
  /// The spaces of this build know of threads.
  bool has_threads() const { return run("info").output.find("\n  openmp ") != std::string::npos; }
};

TEST_F(Limits, MoreThreadsThanKokkosHasRoomForAreRefused) {
  for (const std::string option : {"--kokkos-threads", "--kokkos-num-threads"}) {
    expect_refused("poisson --n 8 " + option + "=513",
                   "lamina poisson: " + option + ": expected " + option +
                       "=N with N from 1 to 512, got " + option + "=513");
  }
  if (!has_threads()) GTEST_SKIP() << "needs OpenMP";
  for (const char* count : {"513", "0", "-1", "many", "99999999999"}) {
    expect_refused_with(std::string("export KOKKOS_NUM_THREADS=") + count, "poisson --n 8",
                        std::string("lamina poisson: KOKKOS_NUM_THREADS: expected a number from 1 "
                                    "to 512, got ") +
                            count);
  }
  expect_refused_with("export OMP_NUM_THREADS=513", "info",
                      "lamina info: OMP_NUM_THREADS: expected at most 512 threads, got 513");
  EXPECT_EQ(run_with("export OMP_NUM_THREADS=513 OMP_THREAD_LIMIT=2", "poisson --n 8").status, 0);
  EXPECT_EQ(run_with("export OMP_NUM_THREADS=2", "poisson --n 8 --kokkos-threads=512").status, 0);
}

TEST_F(Limits, ThreadsThatCannotBeStartedAreOneLine) {
#if defined(TEST_ADDRESS_SANITIZER)
  GTEST_SKIP() << "AddressSanitizer needs more address space than the limit of this test";
#endif
  if (!has_threads()) GTEST_SKIP() << "needs OpenMP";
  expect_refused_with("ulimit -v 1000000 && export OMP_NUM_THREADS=300", "poisson --n 8",
                      "lamina poisson: thread ");
}

TEST_F(Limits, SmallStacksAreOneLine) {
  expect_refused_with("ulimit -s 256", "shallow-water --n 8",
                      "lamina shallow-water: stack: expected a limit of at least 512 kB (ulimit "
                      "-s), got 256");
  EXPECT_EQ(run_with("ulimit -s 512",
                     "shallow-water --n 8 --until 0.01 --output o.nc --checkpoint c.nc --json j")
                .status,
            0);
}

TEST_F(Limits, QuietSolvesWithoutAReportMeasureNoCopies) {
  constexpr double least_of_copies = 2 * 128.0 * 1024 * 1024;  // two arrays
  const std::string options = " --space " LAMINA_PLAIN_SPACE " --quiet";
  // The larger of two: beside other processes not all of the arrays may be resident at once.
  const auto peak = [&] {
    return run_with("export LAMINA_COPY_BYTES=268435456", "poisson --n 8 --json a.json" + options)
        .peak_bytes;
  };
  const double measuring = std::max(peak(), peak());
  EXPECT_GT(measuring, least_of_copies);
  for (const char* command : {"helmholtz --size 4 3 2", "point-implicit --generate 3 3 3",
                              "poisson --n 8", "shallow-water --n 8 --until 0.01"}) {
    const Outcome outcome = run_with("unset LAMINA_COPY_BYTES", command + options);
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_LT(outcome.peak_bytes, measuring - 0.9 * least_of_copies) << command;
  }
}

TEST_F(Limits, BytesOfTheCopyAreTakenFromTheEnvironment) {
  for (const std::string bytes : {"1023", "-2048", "1e9", "many", "99999999999999999999"}) {
    expect_refused_with("export LAMINA_COPY_BYTES=" + bytes, "poisson --n 8",
                        "lamina poisson: LAMINA_COPY_BYTES: expected a number of bytes, at least "
                        "1024, got " +
                            bytes);
  }
  constexpr double bytes = 1 << 28;
  const std::string command = "poisson --n 8 --space " LAMINA_PLAIN_SPACE " --json a.json";
  const double small = run_with("export LAMINA_COPY_BYTES=1024", command).peak_bytes,
               large = run_with("export LAMINA_COPY_BYTES=268435456", command).peak_bytes;
  EXPECT_GT(large - small, 0.9 * bytes);
}

}  // namespace
}  // namespace LaminaTest
