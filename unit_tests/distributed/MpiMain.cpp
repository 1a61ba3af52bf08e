// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All ranks run all tests. Rank 0 reports; the others print failures only.
// Arguments beside those of GoogleTest: --single (MPI_THREAD_SINGLE), --no-mpi (without MPI_Init).

#include <Kokkos_Core.hpp>

#include <distributed/MpiSurvivor.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

class FailuresOnly final : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : m_rank(rank) {}

  void OnTestStart(const testing::TestInfo& test) override { m_name = test.name(); }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::printf("rank %d: %s: %s:%d: %s\n", m_rank, m_name.c_str(), result.file_name(),
                result.line_number(), result.message());
  }

 private:
  int m_rank;
  std::string m_name;
};

bool has_argument(int argc, char* argv[], std::string_view name) {
  return std::find(argv, argv + argc, name) != argv + argc;
}

int run_tests() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }
  int result = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

}  // namespace

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  if (has_argument(argc, argv, "--no-mpi")) {
    Kokkos::initialize(argc, argv);
    const int result = RUN_ALL_TESTS();
    Kokkos::finalize();
    return result;
  }
  int provided = 0;
  MPI_Init_thread(&argc, &argv,
                  has_argument(argc, argv, "--single") ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED,
                  &provided);
  Kokkos::initialize(argc, argv);
  const int result = run_tests();
  MPI_Finalize();
  LaminaTest::survivor().reset();
  Kokkos::finalize();
  return result;
}
