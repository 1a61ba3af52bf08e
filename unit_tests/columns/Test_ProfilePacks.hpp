// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What threads of a device do with packs of columns of `ProfileCoefficients`, one thread after the other on
// the host, against `ColumnOperator`.

#include <lamina/columns/ProfileCoefficients.hpp>
#include <lamina/grids/impl/PackTables.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <columns/ColumnCase.hpp>
#include <helmholtz/SweptMesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace LaminaTest {

using ProfileField = Lamina::FieldView<double, Kokkos::LayoutLeft, Memory>;
using ProfileInput = Lamina::FieldView<const double, Kokkos::LayoutLeft, Memory>;

/// An operator whose coefficients have the tables of a device, and y = A x.
template <class Coefficients>
struct ProfilePackCase {
  using System = Lamina::ColumnSystem<Coefficients>;
  Kokkos::View<double**, Kokkos::LayoutLeft, Memory> x, y, found;
  double energy = 0;  // <x, A x>
  System system;

  ProfilePackCase(const System& of, const Impl::HostNeighbours& neighbours)
      : x("x", static_cast<std::size_t>(of.topology.num_columns),
          static_cast<std::size_t>(of.topology.num_levels)),
        y("y", x.extent(0), x.extent(1)),
        found("found", x.extent(0), x.extent(1)),
        system(of) {
    const Impl::PackTables<double, Memory> tables(neighbours);
    system.coefficients.packs = tables.packs;
    system.coefficients.edges = tables.edges;
    for (std::size_t i = 0; i < x.span(); ++i) x.data()[i] = Reference::unit_value(i) - 0.3;
    using Sweep = Lamina::ApplySweep<double, Kokkos::LayoutLeft, Memory>;
    run_sweep("LaminaTest::apply", TEST_SPACE(), of,
              Sweep{ProfileInput(ProfileField(x)), ProfileField(y)});
    for (std::size_t i = 0; i < x.span(); ++i) energy += x.data()[i] * y.data()[i];
  }

  Impl::StencilChunks chunks(int items, int levels) const {
    const int all = system.topology.num_levels;
    return {items, all, (all + levels - 1) / levels, levels};
  }
  /// A x by the given stencil, in walks of so many levels.
  template <class Stencil>
  void expect_image(int levels) const {
    using Sweep = Lamina::ApplySweep<double, Kokkos::LayoutLeft, Memory>;
    const Sweep sweep{ProfileInput(ProfileField(x)), ProfileField(found)};
    const Impl::SweepShare<System, Stencil, Sweep> share{system,
                                                         chunks(Stencil::count(system), levels)};
    Kokkos::deep_copy(found, 0);
    for_all_threads([&](const SimulatedThread& thread) {
      share.take(thread, sweep.begin(false), share.prepare(thread));
    });
    for (std::size_t i = 0; i < x.span(); ++i) {
      const double most = 1e-12 * (1 + std::abs(y.data()[i]));
      ASSERT_NEAR(found.data()[i], y.data()[i], most) << "cell " << i;
    }
  }
  /// <x, A x> by the given sides.
  template <class Sides>
  void expect_energy(int levels) const {
    const Impl::EdgeSumsShare<double, Memory, Sides> share{system,
                                                           chunks(Sides::count(system), levels)};
    const Lamina::FieldSource<ProfileInput> source{ProfileInput(ProfileField(x))};
    double sum = 0;
    for_all_threads([&](const SimulatedThread& thread) {
      sum += share.take(thread, source, 0.5, share.prepare(thread));
    });
    EXPECT_NEAR(sum, energy, 1e-12 * std::abs(energy));
  }

  /// A x and <x, A x> of contiguous levels, where 2^log2_threads threads share a column.
  template <class Stencil>
  void expect_shared(int log2_threads) const {
    using Layout = Kokkos::LayoutRight;
    using In = Lamina::FieldView<const double, Layout, Memory>;
    using Out = Lamina::FieldView<double, Layout, Memory>;
    const Kokkos::View<double**, Layout, Memory> in("in", x.extent(0), x.extent(1)),
        out("out", x.extent(0), x.extent(1));
    Kokkos::deep_copy(in, x);
    const Impl::StencilChunks shared{.num_packs = Stencil::count(system),
                                     .num_levels = system.topology.num_levels,
                                     .count = 1 << log2_threads,
                                     .log2_count = log2_threads};
    const Lamina::ApplySweep<double, Layout, Memory> apply{In(in), Out(out)};
    const Impl::SweepShare<System, Stencil, Lamina::ApplySweep<double, Layout, Memory>> image{
        system, shared};
    for_all_threads([&](const SimulatedThread& thread) {
      image.take(thread, apply.begin(false), image.prepare(thread));
    });
    for (std::size_t c = 0; c < x.extent(0); ++c) {
      for (std::size_t k = 0; k < x.extent(1); ++k) {
        ASSERT_NEAR(out(c, k), y(c, k), 1e-12 * (1 + std::abs(y(c, k)))) << c << ", " << k;
      }
    }
    const SweepRun<double> run(1, 1);
    const Lamina::MeasureSweep<double, Layout, Memory> measure{run.step(), In(in)};
    const Impl::SweepShare<System, Stencil, Lamina::MeasureSweep<double, Layout, Memory>> share{
        system, shared};
    sweep_on_host(measure, [&](const SimulatedThread& thread) {
      return share.take(thread, measure.begin(false), share.prepare(thread));
    });
    EXPECT_NEAR(*measure.sums(), energy, 1e-12 * std::abs(energy));
  }

  void expect_all() const {
    using Stencils = Impl::StencilsOfPacks<Coefficients>;
    for (const int log2_threads : {0, 2, 5}) {
      SCOPED_TRACE(testing::Message() << (1 << log2_threads) << " threads a column");
      expect_shared<Impl::ColumnStencil<Coefficients, Impl::few_slots>>(log2_threads);
      expect_shared<Impl::ColumnStencil<Coefficients, Impl::many_slots>>(log2_threads);
    }
    for (const int levels : {1, 4, 19}) {
      SCOPED_TRACE(levels);
      expect_image<typename Stencils::Packs>(levels);
      expect_image<typename Stencils::Pairs>(levels);
      expect_image<Impl::ColumnStencil<Coefficients, Impl::few_slots>>(levels);
      expect_image<Impl::ColumnStencil<Coefficients, Impl::many_slots>>(levels);
      expect_energy<Impl::TwoSides<double, Memory, 2, Coefficients>>(levels);
      expect_energy<Impl::TwoSidesOfPair<double, Memory, Coefficients>>(levels);
      expect_energy<Impl::TwoSides<double, Memory, 1, Coefficients>>(levels);
    }
  }
};

/// Profiles over two decades.
inline Lamina::ColumnProfiles profiles_of_packs(std::size_t columns, std::size_t levels) {
  const auto positive = [](std::size_t count, std::uint64_t seed) {
    Values values = random_values(count, seed);
    for (double& value : values) value = std::pow(10, value);
    return values;
  };
  return {positive(levels, 1), positive(levels - 1, 2), positive(levels, 3), positive(columns, 4),
          positive(columns, 5)};
}

/// check(operator, mesh) without and with bottoms
template <class Check>
void check_profiles_of_packs(const Lamina::ColumnGraph& graph, const Check& check) {
  constexpr int levels = 19;
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const auto columns = static_cast<std::size_t>(mesh.num_columns());
  const auto profiles = profiles_of_packs(columns, levels);
  check(Lamina::ColumnOperator(mesh, levels,
                               Lamina::ProfileCoefficients<double, Memory>(mesh, profiles)),
        mesh);
  const Kokkos::View<int*, Memory> bottoms("bottoms", columns);
  for (std::size_t c = 0; c < columns; ++c) {  // land, full depth, and what is between
    bottoms(c) = std::min(levels, static_cast<int>(Reference::splitmix64(c) % (levels + 4)));
  }
  check(Lamina::ColumnOperator(
            mesh, levels, Lamina::SteppedCoefficients<double, Memory>(mesh, profiles, bottoms)),
        mesh);
}

TEST(ProfilePacks, GiveTheOperator) {
  if constexpr (!Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "tables are set on the host";
  } else {
    for (const auto& graph :
         {Lamina::CubedSpherePanel(8, 8).graph(), Lamina::plane(8, 6, {}, 0.1, 0.2)}) {
      check_profiles_of_packs(graph, [](const auto& op, const auto& mesh) {
        ProfilePackCase(op.system(), Impl::columns_of(mesh).neighbours).expect_all();
      });
    }
  }
}

TEST(ProfilePacks, GiveTheOperatorWithPaddedRows) {
  if constexpr (!Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "tables are set on the host";
  } else {
    check_profiles_of_packs(Lamina::CubedSpherePanel(14, 29).graph(Lamina::PanelEdge::dirichlet),
                            [](const auto& op, const auto& mesh) {
                              const auto padded = op.with_padded_rows();
                              ASSERT_TRUE(padded.has_value());
                              const auto columns = Impl::columns_of(mesh);
                              const auto in_places =
                                  Impl::in_places(columns, Impl::pad_rows(columns));
                              ProfilePackCase(padded->system, in_places.neighbours).expect_all();
                            });
  }
}

}  // namespace LaminaTest
