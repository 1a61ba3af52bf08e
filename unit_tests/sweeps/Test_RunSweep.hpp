// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/sweeps/RunSweep.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>
#include <sweeps/OwnCoefficients.hpp>

#include <cstddef>
#include <vector>

namespace LaminaTest {

/// One column with so many neighbours, each of which has only this one.
inline Lamina::ColumnGraph star_graph(int num_neighbours) {
  Lamina::ColumnGraph graph;
  graph.num_owned = num_neighbours + 1;
  graph.areas.assign(static_cast<std::size_t>(graph.num_owned), 1.0);
  for (int n = 1; n <= num_neighbours; ++n) graph.edges.push_back({0, n, 1.0, 1.0});
  return graph;
}

/// Meshes of every number of neighbours that kernels treat apart, with and without halo columns.
inline std::vector<Lamina::ColumnGraph> graphs_of_all_kinds() {
  return {star_graph(0),
          star_graph(1),
          star_graph(8),
          star_graph(9),
          star_graph(13),
          Lamina::CubedSpherePanel(8, 8).graph(),
          Lamina::CubedSpherePanel(5, 7).graph(),
          Lamina::plane(8, 6, {}, 0.1, 0.2),
          irregular_graph(61, 0),
          irregular_graph(130, 9)};
}

/// Twice the values of a field, with a sum of its own: a source and a sink without rows.
template <class Field>
struct TwiceSource {
  Field x;
  template <class Value, class Columns>
  KOKKOS_FUNCTION Value value(const Columns& columns, int level) const {
    return typename Field::non_const_value_type(2) * Lamina::read<Value>(x, columns, level);
  }
  KOKKOS_FUNCTION void prefetch(std::int64_t, int, std::int64_t) const {}
};
template <class Field>
struct StoreAndSum {
  static constexpr int num_sums = 2;
  static constexpr bool stores = true;
  Field y;
  template <class Columns, class Value, class Sums>
  KOKKOS_FUNCTION void operator()(const Columns& columns, int level, const Value& x,
                                  const Value& image, Sums& sums) const {
    using Scalar = typename Field::non_const_value_type;
    Lamina::write(y, columns, level, image);
    Lamina::add_product<Scalar>(sums[0], x, x);
    Lamina::add_product<Scalar>(sums[1], x, image);
  }
  KOKKOS_FUNCTION void prefetch(std::int64_t, int, std::int64_t) const {}
};
template <class In, class Out>
struct OwnSweep {
  using array_layout = typename In::array_layout;
  In x;
  Out y;
  Kokkos::View<double*, Memory> target;

  double* sums() const { return target.data(); }
  template <class Visit>
  auto with_fields(const Visit& visit) const {
    return visit(x, y);
  }
  KOKKOS_FUNCTION Lamina::SweepPass<TwiceSource<In>, StoreAndSum<Out>> begin(bool) const {
    return {true, {x}, {y}};
  }
};

template <class Type>
class RunSweep : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;

  /// check(system, x) for meshes and numbers of levels of all kinds.
  template <class Check>
  void for_each_system(const Check& check) const {
    for (const auto& graph : graphs_of_all_kinds()) {
      const Lamina::ColumnMesh<Memory> mesh(graph);
      for (const int levels : {1, 2, 17, 64, 131}) {
        SCOPED_TRACE(testing::Message() << mesh.num_owned() << " columns of " << levels
                                        << " levels, " << mesh.max_neighbours() << " neighbours");
        const Lamina::ColumnSystem<OwnCoefficients<Scalar>> system{
            Lamina::column_topology(mesh, levels), {levels}};
        const auto size =
            static_cast<std::size_t>(mesh.num_columns()) * static_cast<std::size_t>(levels);
        check(system, rounded<Scalar>(random_values(size, 3)));
      }
    }
  }
  static double tolerance(const Lamina::ColumnTopology<Memory>& topology) {
    return rounding<Scalar>(4.0 + static_cast<double>(topology.neighbours.extent(1)));
  }
};
TYPED_TEST_SUITE(RunSweep, FieldTypes, FieldTypeNames);

TYPED_TEST(RunSweep, AppliesCoefficientsOfAUser) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TestFixture::Layout;
  this->for_each_system([](const auto& system, const Values& x) {
    const int columns = system.topology.num_columns, levels = system.topology.num_levels;
    const typename TestFixture::Field in(columns, levels, x, column_padding),
        out(columns, levels, all_padding);
    const Lamina::ApplySweep<Scalar, Layout, Memory> sweep{in.const_view(), out.view()};
    Lamina::run_sweep("LaminaTest::apply", TEST_SPACE(), system, sweep);
    const Image expected = image_of(system, x);
    EXPECT_TRUE(all_within(first_entries(out.get(), expected.values.size()), expected.values,
                           TestFixture::tolerance(system.topology), expected.magnitudes));
    EXPECT_TRUE(out.surroundings_untouched());
  });
}

TYPED_TEST(RunSweep, TakesSourcesSinksAndSumsOfAUser) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Lamina::SweepScratch<Memory> scratch("LaminaTest::scratch");
  this->for_each_system([&](const auto& system, const Values& x) {
    const int columns = system.topology.num_columns, levels = system.topology.num_levels;
    const Field in(columns, levels, x), out(columns, levels);
    using Sweep = OwnSweep<typename Field::const_view_type, typename Field::view_type>;
    const Sweep sweep{in.const_view(), out.view(), Kokkos::View<double*, Memory>("sums", 2)};
    Lamina::run_sweep("LaminaTest::own", space, system, sweep, scratch);
    space.fence();
    Values twice = x;
    for (double& value : twice) value *= 2;
    const Image expected = image_of(system, twice);
    const double tolerance = TestFixture::tolerance(system.topology);
    EXPECT_TRUE(all_within(first_entries(out.get(), expected.values.size()), expected.values,
                           tolerance, expected.magnitudes));
    double square = 0, energy = 0, magnitude = 0;
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      square += twice[i] * twice[i];
      energy += twice[i] * expected.values[i];
      magnitude += std::abs(twice[i]) * expected.magnitudes[i];
    }
    const auto sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sweep.target);
    EXPECT_NEAR(sums(0), square, rounding<double>(static_cast<double>(x.size())) * square);
    EXPECT_NEAR(sums(1), energy, 2 * tolerance * magnitude);
  });
}

}  // namespace LaminaTest
