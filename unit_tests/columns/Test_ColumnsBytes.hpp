// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What `lamina helmholtz` says that a solve with coefficients allocates, against what it does.

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/ColumnNullSpace.hpp>
#include <lamina/columns/FusedColumns.hpp>
#include <lamina/columns/MixedColumns.hpp>
#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/ColumnMultigrid.hpp>
#include <lamina/multigrid/MultigridColumns.hpp>

#include <cli/helmholtz/columns/ColumnsBytes.hpp>
#include <gtest/gtest.h>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>
#include <support/ToolListener.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace LaminaTest {

template <class Type>
class ColumnsBytes : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using VectorLayout = Lamina::SweepLayout<TEST_SPACE>;
  template <class Value>
  using Stored = Lamina::StoredCoefficients<Value, Memory, VectorLayout>;
  template <class Value, class FieldLayout = Layout>
  using Field = Kokkos::View<Value**, FieldLayout, Memory>;

  struct Case {
    Lamina::ColumnGraph graph;
    int num_levels;
    bool has_mass;
    std::size_t columns() const { return graph.areas.size(); }
    std::size_t levels() const { return static_cast<std::size_t>(num_levels); }
  };

  template <class Value>
  Lamina::ColumnOperator<Stored<Value>> make_operator(const Lamina::ColumnMesh<Memory>& mesh,
                                                      const Case& of) const {
    const auto make = [&](std::size_t count, double value) {
      const Field<Value, VectorLayout> field("values", count, of.levels());
      Kokkos::deep_copy(field, static_cast<Value>(value));
      return field;
    };
    return {mesh, of.num_levels,
            Stored<Value>(space, mesh, make(of.columns(), of.has_mass ? 1 : 0),
                          make(of.columns(), 1), make(of.graph.edges.size(), 1))};
  }

  /// Profiles with bottoms at the middle of the lowest level.
  template <class Value>
  auto make_partial_cells(const Lamina::ColumnMesh<Memory>& mesh, const Case& of) const {
    const Kokkos::View<int*, Memory> bottoms("bottoms", of.columns());
    const Kokkos::View<double*, Memory> parts("parts", of.columns());
    Kokkos::deep_copy(bottoms, of.num_levels);
    Kokkos::deep_copy(parts, 0.5);
    const std::vector<double> ones(of.levels(), 1);
    const Lamina::PartialCellCoefficients<Value, Memory> coefficients(
        mesh, {ones, std::vector<double>(of.levels() - 1, 1), ones}, {bottoms, parts, ones});
    return Lamina::ColumnOperator(mesh, of.num_levels, coefficients);
  }

  /// Profiles without bottoms.
  template <class Value>
  auto make_profiles(const Lamina::ColumnMesh<Memory>& mesh, const Case& of) const {
    const std::vector<double> ones(of.levels(), 1);
    const Lamina::ProfileCoefficients<Value, Memory> coefficients(
        mesh, {ones, std::vector<double>(of.levels() - 1, 1), ones});
    return Lamina::ColumnOperator(mesh, of.num_levels, coefficients);
  }

  template <class Plan>
  void expect_enough(const Case& of, bool mixed, bool multigrid, const Plan& make_plan) {
    expect_enough(
        of, {.grid = {}, .num_edges = 0, .mixed = mixed, .multigrid = multigrid},
        [&](const auto& mesh) { return make_operator<Scalar>(mesh, of); }, make_plan);
  }
  /// Everything that a solve holds at a time; make_plan(op, mesh) makes the plan.
  template <class Make, class Plan>
  void expect_enough(const Case& of, Lamina::Cli::ColumnsSize size, const Make& make,
                     const Plan& make_plan) {
    if (size.grid.row_length == 0) {
      size.grid = Lamina::ColumnGridSize{.row_length = static_cast<std::int64_t>(of.columns()),
                                         .num_levels = of.num_levels,
                                         .max_neighbours = 6};
    }
    size.num_edges = static_cast<double>(of.graph.edges.size());
    SCOPED_TRACE(testing::Message()
                 << of.columns() << " columns of " << of.num_levels << (size.mixed ? " mixed" : "")
                 << (size.multigrid ? " multigrid" : "") << (size.stored ? "" : " profiles"));
    const auto run = [&] {
      const Lamina::ColumnMesh<Memory> mesh(of.graph);
      const auto op = make(mesh);
      const Field<Scalar> rhs("rhs", of.columns(), of.levels()),
          solution("solution", of.columns(), of.levels()),
          scratch("scratch", of.columns(), of.levels());
      Kokkos::View<double**, Kokkos::LayoutLeft, Memory> volumes;
      if (size.weighted) {
        volumes = decltype(volumes)("volumes", of.columns(), of.levels());
        Kokkos::deep_copy(volumes, 1.0);
      }
      const Lamina::ColumnNullSpace null_space(space, op, volumes);
      static_cast<void>(null_space.project(space, rhs));
      make_plan(op, mesh);
      const Lamina::ColumnLinePreconditioner lines(space, op);
      const Field<Scalar> solved("solved", of.columns(), of.levels());
    };
    run();  // Kokkos grows scratch of its own at the first use
    const ToolListener listener;
    run();
    Kokkos::fence();
    const auto heard = listener.heard().peak_bytes;
    const auto found = heard.find(Memory::name());
    const double allocated = found == heard.end() ? 0 : static_cast<double>(found->second);
    const double required = Lamina::Cli::columns_solve_bytes<TEST_SPACE, Scalar>(size);
    EXPECT_GT(allocated, 0);
    EXPECT_LE(allocated, required);
    // An estimate that is too large would refuse what fits. Components are looked for in vectors.
    EXPECT_LE(required, 4 * allocated + (1 << 19));
  }

  template <class Operator>
  auto make_multigrid(const Case& of, const Operator& op) const {
    return Lamina::ColumnMultigrid<std::remove_cvref_t<decltype(op.system().coefficients)>,
                                   VectorLayout>(space, of.graph, op);
  }

  TEST_SPACE space;
};
TYPED_TEST_SUITE(ColumnsBytes, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnsBytes, CoverSolves) {
  using Scalar = typename TestFixture::Scalar;
  for (const auto& [n, num_levels, has_mass] :
       {std::tuple{2, 3, true}, {4, 1, true}, {4, 200, false}, {12, 1, false}, {12, 20, true}}) {
    const typename TestFixture::Case of{Lamina::icosahedral_hexagons(n), num_levels, has_mass};
    this->expect_enough(of, false, false, [&](const auto& op, const auto&) {
      const Lamina::FusedPcg pcg(this->space, Lamina::FusedColumns(this->space, op));
    });
    this->expect_enough(of, false, false, [&](const auto& op, const auto&) {
      const Lamina::ColumnLinePreconditioner lines(this->space, op);
      const Lamina::Pcg pcg(this->space, op, lines);
    });
    this->expect_enough(of, false, true, [&](const auto& op, const auto&) {
      const Lamina::MultigridColumns model(Lamina::FusedColumns(this->space, op),
                                           this->make_multigrid(of, op));
      const Lamina::FusedPcg pcg(this->space, model);
    });
    this->expect_enough(
        of,
        {.grid = {},
         .num_edges = 0,
         .mixed = false,
         .multigrid = true,
         .stored = false,
         .weighted = false},
        [&](const auto& mesh) { return this->template make_partial_cells<Scalar>(mesh, of); },
        [&](const auto& op, const auto&) {
          const Lamina::MultigridColumns model(Lamina::FusedColumns(this->space, op),
                                               this->make_multigrid(of, op));
          const Lamina::FusedPcg pcg(this->space, model);
        });
    if constexpr (std::is_same_v<Scalar, double>) {
      this->expect_enough(of, true, true, [&](const auto& op, const auto& mesh) {
        const auto short_op = this->template make_operator<float>(mesh, of);
        const Lamina::MultigridColumns model(Lamina::MixedColumns(this->space, op, short_op),
                                             this->make_multigrid(of, short_op));
        const Lamina::FusedPcg pcg(this->space, model);
      });
    }
  }
}

/// Devices keep fields with padded rows.
TYPED_TEST(ColumnsBytes, CoverRowsOfOddLength) {
  using Scalar = typename TestFixture::Scalar;
  for (const auto& [num_rows, length, num_levels] :
       {std::tuple{31, 31, 20}, {60, 125, 3}, {255, 31, 1}}) {
    const typename TestFixture::Case of{Lamina::CubedSpherePanel(num_rows, length).graph(),
                                        num_levels, true};
    Lamina::Cli::ColumnsSize size{
        .grid = {.num_rows = num_rows, .row_length = length, .num_levels = num_levels},
        .num_edges = 0,
        .mixed = false,
        .multigrid = false,
        .stored = false,
        .in_packs = true,
        .weighted = false};
    const auto make = [&](const auto& mesh) {
      return this->template make_profiles<Scalar>(mesh, of);
    };
    this->expect_enough(of, size, make, [&](const auto& op, const auto&) {
      const Lamina::FusedPcg pcg(this->space, Lamina::FusedColumns(this->space, op));
    });
    if constexpr (std::is_same_v<Scalar, double>) {
      size.mixed = true;
      this->expect_enough(of, size, make, [&](const auto& op, const auto& mesh) {
        const auto short_op = this->template make_profiles<float>(mesh, of);
        const Lamina::FusedPcg pcg(this->space, Lamina::MixedColumns(this->space, op, short_op));
      });
    }
    size.mixed = false;
    size.multigrid = true;
    this->expect_enough(of, size, make, [&](const auto& op, const auto&) {
      const Lamina::MultigridColumns model(Lamina::FusedColumns(this->space, op),
                                           this->make_multigrid(of, op));
      const Lamina::FusedPcg pcg(this->space, model);
    });
  }
}

}  // namespace LaminaTest
