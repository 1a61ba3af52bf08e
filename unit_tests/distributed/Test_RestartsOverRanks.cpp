// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/krylov/FusedPcg.hpp>

#include <gtest/gtest.h>
#include <krylov/DiagonalSystem.hpp>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// Restarts of solves over ranks, whose breakdowns all ranks must see alike.

namespace LaminaTest {
namespace {

/// Entries of a diagonal matrix that one rank owns. Nothing is exchanged but sums.
template <class Scalar>
class PartOfDiagonal : public DiagonalSystem<Scalar, Kokkos::LayoutLeft> {
 public:
  PartOfDiagonal(const Values& diagonal, const Lamina::Decomposition<Memory>& ranks)
      : DiagonalSystem<Scalar, Kokkos::LayoutLeft>(diagonal), m_ranks(ranks) {}

  const Lamina::Decomposition<Memory>& decomposition() const { return m_ranks; }
  template <class In, class Out>
  void precondition_halo(const TEST_SPACE&, const In&, const Out&) const {}
  template <class In, class Out>
  void advance_halo(const TEST_SPACE&, const Lamina::FusedStep<Memory>&, const In&, const In&,
                    const Out&) const {}

 private:
  Lamina::Decomposition<Memory> m_ranks;
};

double sum_over_ranks(double part) {
  double sum = 0;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// Whether all ranks have the value of rank 0, to the bit.
void expect_same_on_all_ranks(double value) {
  double first = value;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  EXPECT_EQ(value, first);
}

/// Solves D x = 1, where ranks own entries in turn.
/// \return the restarts of a solve that converged. The order of sums depends on the number of ranks,
///   and some orders break down where the residual is above |b|, or twice: that is not tried again
template <class Scalar>
int restarts_of(const Lamina::Transport& transport, const Values& diagonal, double tolerance) {
  Values own;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (static_cast<int>(i) % transport.size() != transport.rank()) continue;
    own.push_back(diagonal[i]);
    numbers.push_back(static_cast<std::int64_t>(i));
  }
  const Lamina::Decomposition<Memory> ranks(
      transport, Lamina::make_halo_pattern(transport, numbers, {}), sizeof(Scalar));
  Lamina::FusedPcg pcg(TEST_SPACE(), PartOfDiagonal<Scalar>(own, ranks));
  using Field = TestField<Scalar, Kokkos::LayoutLeft>;
  const int size = static_cast<int>(own.size());
  const Field b(size, 1, Values(own.size(), 1.0)), x(size, 1);
  const auto report = pcg.solve(TEST_SPACE(), b.const_view(), x.view(), {.tolerance = tolerance});
  expect_same_on_all_ranks(static_cast<double>(report.status));
  expect_same_on_all_ranks(report.restarts);
  expect_same_on_all_ranks(report.iterations);
  for (const double value : report.residual_history) expect_same_on_all_ranks(value);
  if (report.status != Lamina::SolveStatus::converged) return 0;

  double residual2 = 0;
  const Values solution = x.get();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double residual = 1 - own[i] * solution[i];
    residual2 += residual * residual;
  }
  // Rounding of x moves b - D x by this much, as |x| <= |b|.
  const double condition = *std::max_element(diagonal.begin(), diagonal.end());
  const double rounding = std::numeric_limits<Scalar>::epsilon() * condition;
  const double rhs2 = static_cast<double>(diagonal.size());
  EXPECT_LE(std::sqrt(sum_over_ranks(residual2) / rhs2), tolerance + rounding);
  return report.restarts;
}

template <class Scalar>
int sum_of_restarts(double tolerance) {
  const auto transport = Lamina::make_transport(MPI_COMM_WORLD, TEST_SPACE(), {.self_test = false});
  int restarts = 0;
  for (const Values& diagonal : brittle_diagonals<Scalar>()) {
    restarts += restarts_of<Scalar>(*transport, diagonal, tolerance);
  }
  return restarts;
}

TEST(RestartsOverRanks, AreThoseOfAllRanksAlike) {
  const int restarts = sum_of_restarts<double>(1e-14), short_ones = sum_of_restarts<float>(1e-8);
  // The rounding of sums decides, and so does a device.
  const bool repaired = restarts >= 1 && short_ones >= 1;
  if (!Lamina::runs_on_host<TEST_SPACE> && !repaired) GTEST_SKIP() << "nothing was to be repaired";
  EXPECT_TRUE(repaired) << "nothing was to be repaired";
}

}  // namespace
}  // namespace LaminaTest
