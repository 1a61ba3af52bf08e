// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What `required_bytes` promises, against what is allocated.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/FusedPcgStored.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>
#include <support/ToolListener.hpp>

#include <string>

namespace LaminaTest {

template <class Type>
class RequiredBytes : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  template <class Value>
  using Operator = Lamina::HelmholtzOperator<Value, Memory>;

  struct Grid {
    int num_x, num_y, num_levels;
    Lamina::ColumnGridSize size() const {
      return {.num_rows = num_x, .row_length = num_y, .num_levels = num_levels};
    }
  };

  /// A cell; rows that devices pad and such that they do not; more levels than a device has on chip;
  /// few levels, so that tables count.
  static std::vector<Grid> grids() {
    return {{1, 1, 1},    {5, 3, 4},    {60, 61, 33}, {61, 1, 7},
            {64, 64, 40}, {8, 8, 3000}, {90, 80, 1}};
  }

  /// Calls make(mesh, vertical grid), and compares what it allocates in `Memory` with `required`.
  /// \param too_much  that `required` may be above it: by a hundredth on CPU cores, where only
  ///   columns at an edge are not as counted; by a half on devices, where tables depend on the mesh
  template <class Make>
  void expect_enough(const Grid& grid, double required, const std::string& what, const Make& make,
                     double too_much = Lamina::runs_on_host<TEST_SPACE> ? 0.01 : 0.5) {
    SCOPED_TRACE(testing::Message() << what << " of " << grid.num_x << " x " << grid.num_y << " x "
                                    << grid.num_levels);
    const Lamina::ColumnMesh<Memory> mesh(Lamina::CubedSpherePanel(grid.num_x, grid.num_y).graph());
    const auto levels = Lamina::VerticalGrid::graded(grid.num_levels, paper_depth);
    make(mesh, levels);  // Kokkos grows scratch of its own at the first use
    const ToolListener listener;
    make(mesh, levels);
    Kokkos::fence();
    const auto heard = listener.heard().peak_bytes;
    const auto found = heard.find(Memory::name());
    const double allocated = found == heard.end() ? 0 : static_cast<double>(found->second);
    EXPECT_GT(allocated, 0);
    EXPECT_LE(allocated, required);
    // An estimate that is too large would refuse what fits.
    const double fixed =
        3 * Lamina::Impl::small_arrays_bytes + 2 * Lamina::Impl::parts_bytes<Memory>;
    EXPECT_LE(required, (1 + too_much) * allocated + fixed);
  }

  /// The same of what is made from an operator, beside it.
  template <class Make>
  void expect_enough_beside_operator(const Grid& grid, double required, const std::string& what,
                                     const Make& make) {
    const double of_operator = Operator<Scalar>::required_bytes(grid.size());
    expect_enough(grid, of_operator + required, what, [&](const auto& mesh, const auto& levels) {
      make(Operator<Scalar>(mesh, levels, parameters));
    });
  }

  TEST_SPACE space;
  Lamina::HelmholtzParameters parameters = paper_parameters(64);
};
TYPED_TEST_SUITE(RequiredBytes, FieldTypes, FieldTypeNames);

TYPED_TEST(RequiredBytes, CoverMeshAndOperator) {
  using Operator = typename TestFixture::template Operator<typename TestFixture::Scalar>;
  using Mesh = Lamina::ColumnMesh<Memory>;
  for (const auto& grid : this->grids()) {
    this->expect_enough(grid, Operator::required_bytes(grid.size()), "operator",
                        [&](const auto& mesh, const auto& levels) {
                          const Operator op(mesh, levels, this->parameters);
                        });
    // Columns have as many slots as the widest of them has neighbours.
    if (grid.num_x < 3 || grid.num_y < 3) continue;
    this->expect_enough(grid, Mesh::required_bytes(grid.size()), "mesh", [&](auto&&...) {
      const Mesh mesh(Lamina::CubedSpherePanel(grid.num_x, grid.num_y).graph());
    });
  }
}

TYPED_TEST(RequiredBytes, CoverLinePreconditioner) {
  using Lines = Lamina::LinePreconditioner<typename TestFixture::Scalar, Memory>;
  for (const auto& grid : this->grids()) {
    this->expect_enough_beside_operator(
        grid, Lines::required_bytes(this->space, grid.size()), "preconditioner",
        [&](const auto& op) { const Lines lines(this->space, op); });
  }
}

TYPED_TEST(RequiredBytes, CoverModelsAndTheirSolvers) {
  using Scalar = typename TestFixture::Scalar;
  using Fused = Lamina::FusedHelmholtz<Scalar, Memory>;
  using Stored = Lamina::FusedHelmholtzStored<Scalar, Memory>;
  for (const auto& grid : this->grids()) {
    this->expect_enough_beside_operator(
        grid, Fused::required_bytes(this->space, grid.size()), "FusedHelmholtz",
        [&](const auto& op) { const Lamina::FusedPcg pcg(this->space, Fused(this->space, op)); });
    this->expect_enough_beside_operator(grid, Stored::required_bytes(this->space, grid.size()),
                                        "FusedHelmholtzStored", [&](const auto& op) {
                                          const Lamina::FusedPcgStored pcg(this->space,
                                                                           Stored(this->space, op));
                                        });
  }
}

TYPED_TEST(RequiredBytes, CoverMultigrid) {
  using Multigrid = Lamina::MultigridPreconditioner<typename TestFixture::Scalar, Memory>;
  auto stiff = this->parameters;  // all levels are used
  stiff.omega2 = 100;
  for (const auto& grid : this->grids()) {
    const Lamina::ColumnHierarchy hierarchy(
        Lamina::CubedSpherePanel(grid.num_x, grid.num_y).graph());
    // Of levels it only knows the sizes that they have where both directions are halved.
    this->expect_enough(
        grid, Multigrid::required_bytes(this->space, grid.size()), "multigrid",
        [&](const auto&, const auto& levels) {
          const Multigrid multigrid(this->space, hierarchy, levels, stiff);
        },
        1);
  }
}

TYPED_TEST(RequiredBytes, CoverMixedPrecision) {
  using Model = Lamina::MixedHelmholtz<Memory>;
  using Long = typename TestFixture::template Operator<double>;
  using Short = typename TestFixture::template Operator<float>;
  for (const auto& grid : this->grids()) {
    const double required = Long::required_bytes(grid.size()) + Short::required_bytes(grid.size()) +
                            Model::required_bytes(this->space, grid.size());
    this->expect_enough(grid, required, "MixedHelmholtz",
                        [&](const auto& mesh, const auto& levels) {
                          const Long op(mesh, levels, this->parameters);
                          const Short short_op(mesh, levels, this->parameters);
                          const Lamina::FusedPcg pcg(this->space, Model(this->space, op, short_op));
                        });
  }
}

TYPED_TEST(RequiredBytes, CoverCyclesInSinglePrecision) {
  using Model = Lamina::MultigridHelmholtz<double, Memory, double, float>;
  using Multigrid = Lamina::MultigridPreconditioner<float, Memory>;
  using Operator = typename TestFixture::template Operator<double>;
  auto stiff = this->parameters;  // all levels are used
  stiff.omega2 = 100;
  for (const auto& grid : this->grids()) {
    const Lamina::ColumnHierarchy hierarchy(
        Lamina::CubedSpherePanel(grid.num_x, grid.num_y).graph());
    const double required = Operator::required_bytes(grid.size()) +
                            Multigrid::required_bytes(this->space, grid.size()) +
                            Model::required_bytes(this->space, grid.size());
    this->expect_enough(
        grid, required, "MultigridHelmholtz",
        [&](const auto& mesh, const auto& levels) {
          const Operator op(mesh, levels, stiff);
          const Multigrid multigrid(this->space, hierarchy, levels, stiff);
          const Lamina::FusedPcg pcg(this->space, Model(this->space, op, multigrid));
        },
        1);
  }
}

TYPED_TEST(RequiredBytes, CoverMatrixAndLineSolver) {
  using Csr =
      Lamina::CsrHelmholtz<typename TestFixture::Scalar, typename TestFixture::Layout, TEST_SPACE>;
  using Lines = Lamina::LineSolver<typename Csr::tridiagonal_type>;
  for (const auto& grid : this->grids()) {
    if (grid.num_x * grid.num_y < 64) continue;  // edges have fewer neighbours
    const auto size = grid.size();
    const double lines = Lines::required_bytes(this->space, size.num_columns(), size.num_levels);
    this->expect_enough(
        grid, Csr::required_bytes(size) + lines, "CsrHelmholtz",
        [&](const auto& mesh, const auto& levels) {
          const Csr csr(this->space, mesh, levels, this->parameters);
          const Lines solver(this->space, csr.tridiagonal());
        },
        0.1);
  }
}

}  // namespace LaminaTest
