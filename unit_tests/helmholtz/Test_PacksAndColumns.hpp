// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps over meshes that are not wholly packs: against those over single columns, and against the
// assembled matrix.

#include <lamina/grids/LocalColumns.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MixedMesh.hpp>

#include <array>
#include <cstddef>

namespace LaminaTest {

/// Runs `sweep_of(run)` over packs or pairs with single columns, and over single columns alone.
template <bool InPairs, class Scalar, class SweepOf>
void expect_as_columns(const char* what, const MixedMesh<Scalar>& mesh, const SweepOf& sweep_of) {
  SCOPED_TRACE(what);
  const auto mixed = mesh.run(), columns = mesh.run(), untouched = mesh.run();
  sweep_mixed<InPairs>(mesh.system, sweep_of(mixed));
  sweep_columns(mesh.system, sweep_of(columns));
  expect_close_runs(mixed, columns);
  EXPECT_FALSE(same_values(mixed.rows, untouched.rows) &&
               same_values(mixed.fields[1], untouched.fields[1]));
}

template <bool InPairs, class Scalar>
void expect_all_as_columns(const MixedMesh<Scalar>& mesh) {
  using Layout = Kokkos::LayoutLeft;
  using Run = SweepRun<Scalar>;
  expect_as_columns<InPairs>("apply", mesh, [](const Run& run) {
    return Lamina::ApplySweep<Scalar, Layout, Memory>{run.view(0), run.view(1)};
  });
  expect_as_columns<InPairs>("residual", mesh, [](const Run& run) {
    return Lamina::ResidualSweep<Scalar, Layout, Memory>{run.step(), run.view(0), run.view(1),
                                                         run.view(2)};
  });
  expect_as_columns<InPairs>("advance", mesh, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, false>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
  expect_as_columns<InPairs>("advance and update", mesh, [](const Run& run) {
    return Lamina::AdvanceSweep<Scalar, Layout, Memory, true>{
        run.step(), run.view(0), run.view(1), run.view(2), run.view(3), run.view(4)};
  });
  if constexpr (!InPairs) {
    expect_as_columns<InPairs>("advance, stored form", mesh, [](const Run& run) {
      return Lamina::AdvanceStoredSweep<Scalar, Layout, Memory>{
          run.step(), run.view(0), run.view(1), run.view(2), run.view(3)};
    });
  }
}

/// A x of the twin, to the rounding of each row.
template <bool InPairs, class Scalar>
void expect_matrix_applied(const MixedMesh<Scalar>& mesh) {
  const auto run = mesh.run();
  const Values x = mesh.values(run, 0);
  sweep_mixed<InPairs>(mesh.system, Lamina::ApplySweep<Scalar, Kokkos::LayoutLeft, Memory>{
                                        run.view(0), run.view(1)});
  const Values found = first_entries(mesh.values(run, 1), mesh.mesh.owned_size());
  const auto matrix = mesh.mesh.matrix();
  const Values expected = matrix.multiply(x), magnitudes = matrix.multiply_magnitudes(x);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], rounding<Scalar>(mesh.mesh.operations()) * magnitudes[i])
        << "row " << i;
  }
}

template <class Scalar>
class PacksAndColumns : public testing::Test {};
using PackedScalars = testing::Types<double, float>;
TYPED_TEST_SUITE(PacksAndColumns, PackedScalars);

TYPED_TEST(PacksAndColumns, AreSweptAsSingleColumns) {
  int in_packs = 0, in_pairs = 0;
  for (const auto& [name, graph] : meshes_without_halo()) {
    SCOPED_TRACE(name);
    const MixedMesh<TypeParam> mesh(graph);
    const auto& packs = mesh.system.coefficients.packs;
    if (packs.packs.extent(0) > 0) {
      ++in_packs;
      expect_all_as_columns<false>(mesh);
      expect_matrix_applied<false>(mesh);
    }
    if (packs.pairs.extent(0) > 0) {
      ++in_pairs;
      expect_all_as_columns<true>(mesh);
      expect_matrix_applied<true>(mesh);
    }
    expect_energies(mesh);
  }
  EXPECT_GE(in_packs, 4);
  EXPECT_GE(in_pairs, 5);
}

/// Where each column is.
struct Shares {
  std::size_t packs, rest, pairs, rest_of_pairs;
  bool operator==(const Shares&) const = default;
};
template <class Scalar>
Shares shares_of(const Lamina::ColumnGraph& graph) {
  const auto packs = Impl::PackTables<Scalar, Memory>(neighbours_of(graph)).packs;
  const auto width = static_cast<std::size_t>(Impl::pack_width<Scalar>);
  const std::size_t columns = static_cast<std::size_t>(graph.count_owned());
  if (packs.empty()) return {0, columns, 0, columns};
  const std::size_t in_packs = columns - packs.rest.extent(0);
  EXPECT_EQ(packs.packs.extent(0), packs.rest.extent(0) > 0 ? in_packs / width : 0);
  const std::size_t in_pairs = 2 * width * packs.pairs.extent(0);
  if (in_pairs > 0) {
    EXPECT_EQ(packs.rest_of_pairs.extent(0), columns - in_pairs);
  }
  return {in_packs, packs.rest.extent(0), in_pairs, columns - in_pairs};
}

TEST(ColumnShares, AreWhatFits) {
  const Shares whole{128, 0, 128, 0};
  EXPECT_EQ(shares_of<double>(Lamina::CubedSpherePanel(8, 16).graph()), whole);
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(8, 16).graph()), whole);
  const Shares odd{144, 0, 128, 16};
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(9, 16).graph()), odd);
  const Shares none{0, 225, 0, 225};
  EXPECT_EQ(shares_of<float>(Lamina::CubedSpherePanel(15, 15).graph()), none);
  // 8 rows of 32 places: all packs but the last one of each row.
  const Shares periodic{224, 32, 224, 32};
  EXPECT_EQ(shares_of<float>(padded_periodic_rows(8, 31, 32)), periodic);
  const auto irregular = shares_of<float>(panel_with_irregular_columns(24, 32));
  EXPECT_GT(irregular.rest, 0u);
  EXPECT_LE(irregular.rest, 7 * 4u) << "packs that hold an end of an added edge";
  EXPECT_GT(irregular.pairs, 0u);
}

/// Each rank takes another path. Their sums are those of the whole mesh.
TYPED_TEST(PacksAndColumns, OfSeveralRanksCountEachEdgeOnce) {
  for (const std::array<int, 2> ranks : {std::array{3, 1}, {1, 3}, {2, 2}}) {
    SCOPED_TRACE(testing::Message() << ranks[0] << " x " << ranks[1] << " ranks");
    const Lamina::CubedSpherePanel panel(15, 56);
    const auto whole = panel.graph();
    const MixedMesh<TypeParam> all(whole);
    const auto [energy, size] = energy_of(all);
    const auto partition = Lamina::Partition::grid({15, 56}, ranks);
    const Values x = all.values(all.run(), 0);
    int paths = 0;
    for (int first_path = 0; first_path < 3; ++first_path) {
      double sum = 0;
      for (int rank = 0; rank < partition.num_ranks(); ++rank) {
        const auto local = panel.local(partition, rank);
        const MixedMesh<TypeParam> mesh(local.graph);
        const auto run = mesh.run();
        const auto field = Kokkos::create_mirror_view(run.fields[0]);
        for (std::size_t c = 0; c < local.columns.size(); ++c) {
          for (std::size_t k = 0; k < field.extent(1); ++k) {
            const bool exists = local.columns[c] != Lamina::no_item;
            const auto at = static_cast<std::size_t>(exists ? local.columns[c] : 0);
            field(c, k) = static_cast<TypeParam>(exists ? x[at * field.extent(1) + k] : 0);
          }
        }
        Kokkos::deep_copy(run.fields[0], field);
        const auto& packs = mesh.system.coefficients.packs;
        const int path = (first_path + rank) % 3;
        if (path == 0 && packs.pairs.extent(0) > 0 && packs.rest_of_pairs.extent(0) > 0) {
          measure_mixed<true>(mesh.system, measure_of(run));
          paths |= 1;
        } else if (path <= 1 && packs.packs.extent(0) > 0) {
          measure_mixed<false>(mesh.system, measure_of(run));
          paths |= 2;
        } else {
          measure_columns(mesh.system, measure_of(run));
          paths |= 4;
        }
        sum += measured(run);
      }
      EXPECT_NEAR(sum, energy, rounding<TypeParam>(all.mesh.operations()) * size);
    }
    EXPECT_GE(paths, 4);
  }
}

/// A x and <x, A x> by the way that the library takes on this space.
template <class Scalar, class Layout>
void expect_library_sweeps(const Lamina::ColumnGraph& graph) {
  const MixedMesh<Scalar> mixed(graph);
  const auto& mesh = mixed.mesh;
  const Values x = mixed.values(mixed.run(), 0);
  const auto matrix = mesh.matrix();
  const Values expected = matrix.multiply(x), magnitudes = matrix.multiply_magnitudes(x);
  const double roundings = rounding<Scalar>(mesh.operations());

  const TestField<Scalar, Layout> in(mesh.num_columns(), mesh.num_levels(), x),
      out(mesh.num_columns(), mesh.num_levels());
  mesh.op.apply(TEST_SPACE(), in.const_view(), out.view());
  Kokkos::fence();
  const Values found = out.get();
  for (std::size_t i = 0; i < mesh.owned_size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], roundings * magnitudes[i]) << "row " << i;
  }
  if (mesh.num_columns() > mesh.num_owned()) return;  // a part of the whole energy
  const Lamina::FieldView<const Scalar, Layout, Memory> z(in.view().data(), in.view().extent(0),
                                                          in.view().extent(1));
  const auto run = mixed.run();
  const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
  Lamina::run_sweep("LaminaTest::measure", TEST_SPACE(), mesh.op.system(),
                    Lamina::MeasureSweep<Scalar, Layout, Memory>{run.step(), z}, scratch);
  Kokkos::fence();
  const auto [energy, size] = energy_of(mixed);
  EXPECT_NEAR(measured(run), energy, roundings * size);
}

TYPED_TEST(PacksAndColumns, AreSweptByTheLibrary) {
  auto meshes = meshes_without_halo();
  const auto rows = Lamina::Partition::grid({15, 56}, {3, 1});
  meshes.push_back({"with halo", Lamina::CubedSpherePanel(15, 56).local(rows, 1).graph});
  meshes.push_back({"no pack, with halo", irregular_graph(61, 9)});
  for (const auto& [name, graph] : meshes) {
    SCOPED_TRACE(name);
    expect_library_sweeps<TypeParam, Kokkos::LayoutLeft>(graph);
    expect_library_sweeps<TypeParam, Kokkos::LayoutRight>(graph);
  }
}

/// <z, A z> of a rank that has no residual, beside one with values of this size.
template <class Scalar>
double measured_beside(double size) {
  const auto rows = Lamina::Partition::grid({6, 16}, {2, 1});
  const MixedMesh<Scalar> mesh(Lamina::CubedSpherePanel(6, 16).local(rows, 0).graph);
  const auto run = mesh.run();
  const auto field = Kokkos::create_mirror_view(run.fields[0]);
  for (std::size_t c = 0; c < field.extent(0); ++c) {
    const bool is_halo = c >= static_cast<std::size_t>(mesh.mesh.num_owned());
    for (std::size_t k = 0; k < field.extent(1); ++k) {
      field(c, k) = static_cast<Scalar>(is_halo ? size : 0);
    }
  }
  Kokkos::deep_copy(run.fields[0], field);
  using Step = Lamina::FusedStep<Memory>;
  const auto entries = Kokkos::create_mirror_view(run.rows);
  Kokkos::deep_copy(entries, run.rows);
  entries(Step::row_length + Step::residual2) = size * size;  // of all ranks
  entries(2 * Step::row_length + Step::energy) = 0;
  Kokkos::deep_copy(run.rows, entries);
  auto sweep = measure_of(run);
  sweep.step.complete = sweep.step.before;
  measure_columns(mesh.system, sweep);
  return measured(run);
}

TEST(MeasureSweep, KeepsTheRangeBesideARankThatHasAResidual) {
  for (const double size : {1e-25, 1.0, 1e25}) {
    const double expected = measured_beside<double>(size);
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(measured_beside<float>(size), expected, rounding<float>(20) * expected) << size;
  }
}

}  // namespace LaminaTest
