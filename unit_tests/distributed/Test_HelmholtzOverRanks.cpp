// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <distributed/HaloCase.hpp>
#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
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

/// A right-hand side by global cell, and the columns where it is not 0.
struct RightHandSide {
  double size = 1;
  std::int64_t first_column = 0;

  double operator()(std::int64_t column, int level) const {
    if (column < first_column) return 0;
    return size * Reference::unit_value(static_cast<std::uint64_t>(1000 * column + level));
  }
};

struct Fused {
  template <class Operator>
  static auto make(const Operator& op, const Lamina::Decomposition<Memory>& ranks) {
    using Model = Lamina::FusedHelmholtz<typename Operator::scalar_type, Memory>;
    return Lamina::FusedPcg(space(), Model(space(), op, ranks));
  }
};
struct Plain {
  template <class Operator>
  static auto make(const Operator& op, const Lamina::Decomposition<Memory>& ranks) {
    using Lines = Lamina::LinePreconditioner<typename Operator::scalar_type, Memory>;
    return Lamina::Pcg(space(), op, Lines(space(), op), ranks);
  }
};
struct Unpreconditioned {
  template <class Operator>
  static auto make(const Operator& op, const Lamina::Decomposition<Memory>& ranks) {
    return Lamina::Pcg(space(), op, Lamina::IdentityPreconditioner(), ranks);
  }
};

/// The equation on the columns of one rank, or of a whole grid.
template <class Scalar, class Layout, class Solver = Fused>
class Problem {
 public:
  using Field = TestField<Scalar, Layout>;
  using Operator = Lamina::HelmholtzOperator<Scalar, Memory>;

  /// \param numbers  the columns in the whole grid; empty: they are the whole grid
  Problem(const Lamina::ColumnGraph& graph, int num_levels,
          const std::vector<std::int64_t>& numbers = {},
          const Lamina::Decomposition<Memory>& ranks = {})
      : m_numbers(numbers),
        m_mesh(graph),
        m_operator(m_mesh, Lamina::VerticalGrid::graded(num_levels, paper_depth),
                   paper_parameters(24)),
        m_pcg(Solver::make(m_operator, ranks)),
        m_x(m_operator.num_columns(), num_levels) {}

  SolveReport solve(const RightHandSide& rhs, const StoppingCriteria& criteria) {
    // Nobody may read b in halo columns, nor x before it was received there.
    Values b(m_x.size(), std::nan("")), x(m_x.size(), std::nan(""));
    for_each_owned([&](std::size_t cell, std::int64_t column, int level) {
      b[cell] = rhs(column, level);
      x[cell] = 0;
    });
    m_x.set(x);
    const Field field(m_operator.num_columns(), m_operator.num_levels(), b);
    return m_pcg.solve(space(), field.const_view(), m_x.view(), criteria);
  }
  /// Largest difference from the solution of the whole grid, over the largest entry of that.
  double difference(const Values& whole) const {
    double largest = 0, difference = 0;
    for (const double value : whole) largest = std::max(largest, std::abs(value));
    const Values x = m_x.get();
    for_each_owned([&](std::size_t cell, std::int64_t column, int level) {
      const auto place = static_cast<std::size_t>(column * m_operator.num_levels() + level);
      difference = std::max(difference, std::abs(x[cell] - whole[place]));
    });
    return largest == 0 ? difference : difference / largest;
  }
  Values x() const { return m_x.get(); }

 private:
  template <class Visit>
  void for_each_owned(const Visit& visit) const {
    const int num_levels = m_operator.num_levels();
    for (int column = 0; column < m_operator.num_owned(); ++column) {
      const auto index = static_cast<std::size_t>(column);
      const std::int64_t number = m_numbers.empty() ? column : m_numbers[index];
      for (int k = 0; k < num_levels; ++k) {
        visit(index * static_cast<std::size_t>(num_levels) + static_cast<std::size_t>(k), number,
              k);
      }
    }
  }

  std::vector<std::int64_t> m_numbers;
  Lamina::ColumnMesh<Memory> m_mesh;
  Operator m_operator;
  decltype(Solver::make(std::declval<const Operator&>(), {})) m_pcg;
  Field m_x;
};

template <class Scalar, class Layout, class Solver = Fused>
Problem<Scalar, Layout, Solver> problem_of_rank(const Transport& transport,
                                                const Lamina::LocalColumns& local, int num_levels) {
  return Problem<Scalar, Layout, Solver>(
      local.graph, num_levels, local.columns,
      Lamina::Decomposition<Memory>(transport, local.halo,
                                    static_cast<std::size_t>(num_levels) * sizeof(Scalar)));
}

/// What rounding may change in a history: relative to its values, and to the right-hand side. The
/// latter where a solve amplifies rounding, as on planes without Dirichlet edges.
struct Allowed {
  double relative, absolute = 0;
};

void expect_same_history(const SolveReport& report, const SolveReport& expected,
                         const Allowed& allowed) {
  EXPECT_EQ(report.status, expected.status) << to_string(report.status);
  EXPECT_EQ(report.iterations, expected.iterations);
  ASSERT_EQ(report.residual_history.size(), expected.residual_history.size());
  for (std::size_t n = 0; n < expected.residual_history.size(); ++n) {
    EXPECT_NEAR(report.residual_history[n], expected.residual_history[n],
                allowed.relative * expected.residual_history[n] + allowed.absolute)
        << "iteration " << n;
  }
}

/// The solve over all ranks is that of one process, for each partition.
template <class Scalar, class Layout, class Solver = Fused>
void expect_one_solve(const Transport& transport, const Lamina::ColumnGraph& whole, int num_x,
                      int num_y, int num_levels, const RightHandSide& rhs = {},
                      double absolute = 0) {
  constexpr bool is_double = std::is_same_v<Scalar, double>;
  const StoppingCriteria criteria{.tolerance = is_double ? 1e-10 : 1e-4};
  Problem<Scalar, Layout, Solver> alone(whole, num_levels);
  const SolveReport expected = alone.solve(rhs, criteria);
  EXPECT_EQ(expected.status, SolveStatus::converged);
  for (const auto& [name, partition] : awkward_partitions(num_x, num_y, transport.size())) {
    SCOPED_TRACE(name);
    auto problem = problem_of_rank<Scalar, Layout, Solver>(
        transport, Lamina::local_columns(whole, partition, transport.rank()), num_levels);
    for (int time = 0; time < 2; ++time) {
      const SolveReport report = problem.solve(rhs, criteria);
      expect_same_history(report, expected, {is_double ? 1e-10 : 1e-3, absolute});
      EXPECT_LT(problem.difference(alone.x()), is_double ? 1e-11 : 1e-4);
    }
  }
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
  const RightHandSide at_the_end{.first_column = 190};
  expect_one_solve<double, Kokkos::LayoutLeft, Plain>(*transport, panel, 17, 12, 6, at_the_end);
  const RightHandSide tiny{.size = 1e-200};
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
  Problem<double, Kokkos::LayoutLeft> alone(panel.graph(), 7);
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
