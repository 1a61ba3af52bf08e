// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Which path a sweep takes, and what is told about it.

#include <lamina/core/KernelRecorder.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MixedMesh.hpp>

#include <string>

namespace LaminaTest {

/// What is told of a sweep over fields in LayoutLeft on a device, or in the layout given.
template <class Scalar, template <class...> class Sweep, class Layout = Kokkos::LayoutLeft>
Impl::KernelPath told_path(const Lamina::ColumnGraph& graph, bool aligned = true,
                           int num_levels = MixedMesh<Scalar>::num_levels) {
  using Of = Sweep<Scalar, Layout, Memory>;
  auto system = MixedMesh<Scalar>(graph).system;
  system.topology.num_levels = num_levels;
  return Impl::path_text<Of>(Impl::best_path<Of>(TEST_SPACE(), system, aligned), system);
}
inline void expect_path(const Impl::KernelPath& found, const char* path, const char* reason) {
  EXPECT_EQ(found.path, path);
  EXPECT_EQ(found.reason, reason);
}

TEST(SweepPath, OfADeviceIsToldWithItsReason) {
  using Lamina::ApplySweep, Lamina::MeasureSweep, Lamina::AdvanceStoredSweep;
  constexpr int many = 1 << 24;  // levels, for pairs
  const auto whole = Lamina::CubedSpherePanel(8, 16).graph(),
             odd = Lamina::CubedSpherePanel(9, 16).graph(),
             periodic = padded_periodic_rows(8, 31, 32),
             none = Lamina::CubedSpherePanel(15, 15).graph();
  expect_path(told_path<float, ApplySweep>(whole, true, many), "pairs of packs", "");
  expect_path(told_path<float, MeasureSweep>(whole, true, many), "pairs of packs", "");
  expect_path(told_path<float, AdvanceStoredSweep>(whole), "packs", "");
  expect_path(told_path<float, ApplySweep>(whole), "packs", "too few cells for pairs");
  expect_path(told_path<float, MeasureSweep>(Lamina::CubedSpherePanel(1, 16).graph()), "packs",
              "rows do not go into pairs");
  expect_path(told_path<float, ApplySweep>(odd, true, many), "packs",
              "16 of 144 columns would be in no pair");
  expect_path(told_path<float, ApplySweep>(periodic, true, many), "pairs of packs, single columns",
              "32 of 256 columns are in no pair");
  expect_path(told_path<float, MeasureSweep>(odd), "packs", "too few cells for pairs");
  expect_path(told_path<float, MeasureSweep>(odd, true, many), "pairs of packs, single columns",
              "16 of 144 columns are in no pair");
  expect_path(told_path<float, MeasureSweep>(periodic), "packs, single columns",
              "32 of 256 columns are in no pack");
  expect_path(told_path<float, AdvanceStoredSweep>(periodic), "packs, single columns",
              "32 of 256 columns are in no pack");
  expect_path(told_path<float, MeasureSweep>(none), "single columns",
              "fewer than half of the columns fit packs of 4");
  expect_path(told_path<double, ApplySweep>(none), "single columns",
              "fewer than half of the columns fit packs of 2");
  expect_path(told_path<double, ApplySweep>(whole, false), "single columns",
              "levels of a field do not begin with a pack");
  expect_path(told_path<double, ApplySweep, Kokkos::LayoutRight>(whole), "packs of levels", "");
  expect_path(told_path<double, ApplySweep, Kokkos::LayoutRight>(whole, false), "shared columns",
              "columns of a field are not whole packs of levels");
}

TEST(SweepPath, OfEdgesIsOneOfEdgesWhateverTheMesh) {
  using Sweep = Lamina::MeasureSweep<double, Kokkos::LayoutLeft, Memory>;
  using Impl::SweepPath;
  const auto path = [](const Lamina::ColumnGraph& graph, bool aligned) {
    return Impl::best_path<Sweep>(TEST_SPACE(), MixedMesh<double>(graph).system, aligned);
  };
  EXPECT_EQ(path(Lamina::CubedSpherePanel(8, 16).graph(), true), SweepPath::pack_edges);
  EXPECT_EQ(path(Lamina::CubedSpherePanel(8, 16).graph(), false), SweepPath::column_edges);
  EXPECT_EQ(path(padded_periodic_rows(8, 31, 32), true), SweepPath::pack_and_column_edges);
  EXPECT_EQ(path(irregular_graph(61, 5), true), SweepPath::polygon_edges);
  Lamina::ColumnGraph dense;
  dense.areas.assign(13, 1);
  for (int a = 0; a < 13; ++a) {
    for (int b = a + 1; b < 13; ++b) dense.edges.push_back({a, b, 1, 1});
  }
  EXPECT_EQ(path(dense, true), SweepPath::many_edges);
  expect_energies(MixedMesh<double>(dense));
}

/// A x of a device in packs of contiguous levels; without a device its threads run one after the other on the host.
template <class Scalar, int Slots>
void expect_image_in_level_packs(const Lamina::ColumnGraph& graph, int num_levels,
                                 int log2_threads) {
  using Layout = Kokkos::LayoutRight;
  using Sweep = Lamina::ApplySweep<Scalar, Layout, Memory>;
  using Stencil = Impl::ColumnStencil<Lamina::TensorCoefficients<Scalar, Memory>, Slots,
                                      Impl::LevelPackTuning::levels>;
  const HelmholtzCase<Scalar> mesh(graph, Lamina::VerticalGrid::graded(num_levels, 0.1),
                                   {0.1, 0.1});
  const auto system = system_with_tables(mesh, graph);
  const Values values = rounded<Scalar>(random_values(mesh.size(), 1));
  const TestField<Scalar, Layout> x(mesh.num_columns(), num_levels, values),
      found(mesh.num_columns(), num_levels);
  const Sweep sweep{Impl::as_const_field(x.const_view()), Impl::as_field(found.view())};
  const Impl::StencilChunks chunks{.num_packs = Stencil::count(system),
                                   .num_levels = num_levels / Impl::LevelPackTuning::levels,
                                   .count = 1 << log2_threads,
                                   .log2_count = log2_threads};
  const Impl::SweepShare<decltype(system), Stencil, Sweep> share{system, chunks};
  for_all_threads(
      [&](const SimulatedThread& thread) { share.take(thread, sweep.begin(false), Stencil()); });
  const auto matrix = mesh.matrix();
  EXPECT_TRUE(all_within(found.get(), matrix.multiply(values), rounding<Scalar>(mesh.operations()),
                         matrix.multiply_magnitudes(values)));
}
TEST(LevelPacks, GiveTheImage) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    for (const int num_levels : {4, 8, 36}) {
      for (const int log2_threads : {0, 1, 3}) {
        SCOPED_TRACE(testing::Message() << num_levels << " levels, " << log2_threads);
        const auto panel = Lamina::CubedSpherePanel(5, 6).graph(), mesh = irregular_graph(61, 0);
        expect_image_in_level_packs<double, Impl::few_slots>(panel, num_levels, log2_threads);
        expect_image_in_level_packs<double, Impl::many_slots>(mesh, num_levels, log2_threads);
        expect_image_in_level_packs<float, Impl::many_slots>(mesh, num_levels, log2_threads);
      }
    }
  } else {
    GTEST_SKIP() << "HelmholtzOperator tests it on a device";
  }
}

/// What a recorder keeps of `apply` on this space.
template <class Scalar, class Layout>
Impl::KernelPath recorded_path(const Lamina::ColumnGraph& graph) {
  const MixedMesh<Scalar> mesh(graph);
  const int num_columns = mesh.mesh.num_columns(), num_levels = mesh.mesh.num_levels();
  const TestField<Scalar, Layout> x(num_columns, num_levels), y(num_columns, num_levels);
  const Lamina::KernelRecorder recorder;
  mesh.mesh.op.apply(TEST_SPACE(), x.const_view(), y.view());
  Kokkos::fence();
  for (const auto& record : recorder.records({})) {
    if (record.name == "Lamina::HelmholtzOperator::apply") return {record.path, record.reason};
  }
  return {"not recorded"};
}

TEST(SweepPath, IsRecorded) {
  const auto panel = Lamina::CubedSpherePanel(4, 16).graph(), none = irregular_graph(61, 0);
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    const auto long_rows = Lamina::CubedSpherePanel(2, 400).graph();
    expect_path(recorded_path<double, Kokkos::LayoutLeft>(long_rows), "lanes of columns", "");
    const auto row_ends = recorded_path<double, Kokkos::LayoutLeft>(panel);
    EXPECT_NE(row_ends.reason.find(" of 64 columns gather neighbours"), std::string::npos);
    const auto irregular = recorded_path<double, Kokkos::LayoutLeft>(none);
    EXPECT_EQ(irregular.path, "lanes of columns");
    EXPECT_NE(irregular.reason.find(" of 61 columns gather neighbours"), std::string::npos);
    EXPECT_NE(irregular.reason.find(" of 61 columns have more than four neighbours"),
              std::string::npos);
    const auto levels = recorded_path<double, Kokkos::LayoutRight>(panel);
    EXPECT_EQ(levels.path, "lanes of levels");
    EXPECT_NE(levels.reason.find(" of 7 levels fill no lanes"), std::string::npos);
  } else {
    expect_path(recorded_path<double, Kokkos::LayoutLeft>(panel), "packs",
                "too few cells for pairs");
    expect_path(recorded_path<double, Kokkos::LayoutRight>(panel), "shared columns",
                "columns of a field are not whole packs of levels");
  }
}

}  // namespace LaminaTest
