// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <helmholtz/RankedProblem.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::SolveReport;
using Lamina::SolveStatus;
using Lamina::StoppingCriteria;
using Lamina::Transport;

TEST_SPACE space() { return {}; }

std::shared_ptr<const Transport> transport_of(MPI_Comm communicator) {
  return Lamina::make_transport(communicator, space(), {.self_test = false});
}

/// For partitions of a grid of so many columns in x and y.
template <class Scalar, class Layout, class Solver = Fused>
void expect_one_solve(const Transport& transport, const Lamina::ColumnGraph& whole, int num_x,
                      int num_y, int num_levels, const RankedRightHandSide& rhs = {},
                      double absolute = 0) {
  expect_one_solve<Scalar, Layout, Solver>(transport, whole,
                                           awkward_partitions(num_x, num_y, transport.size()),
                                           num_levels, rhs, Allowed::at_the_end<Scalar>(absolute));
}

TEST(HelmholtzOverRanks, HistoriesAreThoseOfOneProcess) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(33, 17).graph();
  expect_one_solve<double, Kokkos::LayoutLeft>(*transport, panel, 33, 17, 5);
  expect_one_solve<double, Kokkos::LayoutRight>(*transport, panel, 33, 17, 5);
  expect_one_solve<float, Kokkos::LayoutLeft>(*transport, panel, 33, 17, 20);
  expect_one_solve<float, Kokkos::LayoutRight>(*transport, panel, 33, 17, 20);
  expect_one_solve<double, Kokkos::LayoutLeft>(
      *transport, Lamina::CubedSpherePanel(16, 16).graph(Lamina::PanelEdge::dirichlet), 16, 16, 16);
}

TEST(HelmholtzOverRanks, OtherGridsToo) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  constexpr double rounding = 1e-12;
  const auto plane = Lamina::plane(23, 16, {}, 0.1, 0.1);
  expect_one_solve<double, Kokkos::LayoutRight>(*transport, plane, 23, 16, 6, {}, rounding);
  const auto polygons = Lamina::voronoi_plane(12, 14);
  expect_one_solve<double, Kokkos::LayoutLeft>(*transport, polygons, 12, 14, 9, {}, rounding);
  // One column for each of two ranks, and none for the others.
  const auto pair = Lamina::CubedSpherePanel(2, 1).graph();
  expect_one_solve<double, Kokkos::LayoutLeft>(*transport, pair, 2, 1, 4, {}, rounding);
}

TEST(HelmholtzOverRanks, PcgToo) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(17, 12).graph();
  expect_one_solve<double, Kokkos::LayoutLeft, Plain>(*transport, panel, 17, 12, 5);
  expect_one_solve<double, Kokkos::LayoutRight, Plain>(*transport, panel, 17, 12, 5);
  expect_one_solve<float, Kokkos::LayoutLeft, Plain>(*transport, panel, 17, 12, 9);
  const RankedRightHandSide at_the_end{.first_column = 190};
  expect_one_solve<double, Kokkos::LayoutLeft, Plain>(*transport, panel, 17, 12, 6, at_the_end);
  const RankedRightHandSide tiny{.size = 1e-200};
  expect_one_solve<double, Kokkos::LayoutRight, Plain>(*transport, panel, 17, 12, 5, tiny);
  expect_one_solve<double, Kokkos::LayoutRight, Unpreconditioned>(*transport, panel, 17, 12, 1, {},
                                                                  1e-12);
}

/// z = r, with bad pivots on one rank.
struct BadPivots {
  bool here;
  SolveStatus status() const {
    return here ? SolveStatus::breakdown_zero_pivot : SolveStatus::completed;
  }
  template <class In, class Out>
  void solve(const TEST_SPACE& instance, const In& r, const Out& z) const {
    Kokkos::deep_copy(instance, z, r);
  }
};

TEST(HelmholtzOverRanks, BadPivotsOnOneRankAreToldToAll) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto local =
      Lamina::local_columns(Lamina::CubedSpherePanel(12, 8).graph(),
                            Lamina::Partition::blocks(96, transport->size()), transport->rank());
  const Lamina::Decomposition<Memory> ranks(*transport, local.halo, 5 * sizeof(double));
  const Lamina::ColumnMesh<Memory> mesh(local.graph);
  const Lamina::HelmholtzOperator<double, Memory> op(
      mesh, Lamina::VerticalGrid::graded(5, paper_depth), paper_parameters(24));
  const TestField<double, Kokkos::LayoutLeft> b(op.num_columns(), 5), x(op.num_columns(), 5);
  for (const int bad : {-1, transport->size() - 1}) {
    Lamina::Pcg pcg(space(), op, BadPivots{transport->rank() == bad}, ranks);
    EXPECT_EQ(pcg.solve(space(), b.const_view(), x.view()).status,
              bad < 0 ? SolveStatus::converged : SolveStatus::breakdown_zero_pivot);
  }
}

TEST(HelmholtzOverRanks, PartsOfPanelsAreThoseOfTheGraph) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const Lamina::CubedSpherePanel panel(20, 12);
  const auto partition = Lamina::Partition::grid({20, 12}, {transport->size(), 1}, {4, 4});
  RankedProblem<double, Kokkos::LayoutLeft> alone(panel.graph(), 7);
  auto problem = problem_of_rank<double, Kokkos::LayoutLeft>(
      *transport, panel.local(partition, transport->rank()), 7);
  const auto criteria = StoppingCriteria::iterations(12);
  expect_same_history(problem.solve({}, criteria), alone.solve({}, criteria), {1e-11});
  EXPECT_LT(problem.difference(alone.x()), 1e-13);
}

TEST(HelmholtzOverRanks, ARankMayHaveNothingToDoAtFirst) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(12, 8).graph();
  // Only the last columns have a right-hand side; z and the energy of the first ranks are 0.
  expect_one_solve<double, Kokkos::LayoutLeft>(*transport, panel, 12, 8, 6, {.first_column = 90});
}

TEST(HelmholtzOverRanks, SmallAndLargeRightHandSidesAreScaledTogether) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(9, 8).graph();
  for (const double size : {1e-200, 1e200}) {
    expect_one_solve<double, Kokkos::LayoutLeft>(*transport, panel, 9, 8, 5,
                                                 {.size = size, .first_column = 60});
  }
}

TEST(HelmholtzOverRanks, NothingIsSolvedByNothing) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(9, 8).graph();
  auto problem = problem_of_rank<double, Kokkos::LayoutLeft>(
      *transport,
      Lamina::local_columns(panel, Lamina::Partition::blocks(72, transport->size()),
                            transport->rank()),
      5);
  const SolveReport report = problem.solve({.size = 0}, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(HelmholtzOverRanks, OneRankStopsAll) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(12, 8).graph();
  auto problem = problem_of_rank<double, Kokkos::LayoutLeft>(
      *transport,
      Lamina::local_columns(panel, Lamina::Partition::blocks(96, transport->size()),
                            transport->rank()),
      5);
  int looks = 0;
  StoppingCriteria criteria{.tolerance = 1e-12};
  criteria.check_every = 1;
  criteria.stop_requested = [&] {
    return ++looks == 3 && transport->rank() == transport->size() - 1;
  };
  const SolveReport report = problem.solve({}, criteria);
  EXPECT_EQ(report.status, SolveStatus::interrupted);
  EXPECT_EQ(report.iterations, 3);
}

TEST(HelmholtzOverRanks, NotANumberOnOneRankEndsAll) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  const auto panel = Lamina::CubedSpherePanel(12, 8).graph();
  auto problem = problem_of_rank<double, Kokkos::LayoutRight>(
      *transport,
      Lamina::local_columns(panel, Lamina::Partition::blocks(96, transport->size()),
                            transport->rank()),
      5);
  const bool bad = transport->rank() == transport->size() - 1;
  EXPECT_EQ(problem.solve({.size = bad ? std::nan("") : 1}, {}).status,
            SolveStatus::breakdown_not_finite);
  EXPECT_EQ(problem.solve({}, {}).status, SolveStatus::converged) << "the plan is as good as new";
}

TEST(HelmholtzOverRanks, HalvesOfTheRanksSolveAtOnce) {
  const auto world = transport_of(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world->rank() % 2, -world->rank(), &half);
  {
    const auto transport = transport_of(half);
    const auto panel = Lamina::CubedSpherePanel(12, 8 + world->rank() % 2).graph();
    expect_one_solve<double, Kokkos::LayoutLeft>(*transport, panel, 12, 8 + world->rank() % 2, 6);
  }
  MPI_Comm_free(&half);
}

TEST(HelmholtzOverRanks, RefusesMeshesThatDoNotKnowEnough) {
  const auto transport = transport_of(MPI_COMM_WORLD);
  if (transport->size() == 1) GTEST_SKIP() << "has no halo";
  auto local =
      Lamina::local_columns(Lamina::CubedSpherePanel(12, 8).graph(),
                            Lamina::Partition::blocks(96, transport->size()), transport->rank());
  local.graph.halo_coupling_sums.clear();
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { problem_of_rank<double, Kokkos::LayoutLeft>(*transport, local, 5); }),
            "Lamina::FusedHelmholtz: op: expected a mesh that knows the coupling sums of its halo "
            "columns");
}

}  // namespace
}  // namespace LaminaTest
