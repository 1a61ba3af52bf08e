// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/sweeps/RunSweep.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <support/FieldTypes.hpp>
#include <sweeps/OwnCoefficients.hpp>

namespace LaminaTest {

/// The same coefficients under another name, for kernels that ask for each by itself.
template <class Scalar>
struct CellByCell {
  using scalar_type = Scalar;
  using memory_space = Memory;
  static constexpr double fields = 0;
  Lamina::TensorCoefficients<Scalar, Memory> tensor;

  KOKKOS_FUNCTION Lamina::CellRow<Scalar> row(int column, int level) const {
    return tensor.row(column, level);
  }
  KOKKOS_FUNCTION Scalar coupling(int column, int slot, int level) const {
    return tensor.coupling(column, slot, level);
  }
};

template <class Type>
class TensorCoefficients : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;

  static void expect_same_both_ways(const HelmholtzCase<Scalar>& system) {
    const Lamina::ColumnSystem<CellByCell<Scalar>> cells{system.op.system().topology,
                                                         {system.op.system().coefficients}};
    const Values x = rounded<Scalar>(random_values(system.size(), 5));
    const Field in(system.num_columns(), system.num_levels(), x),
        out(system.num_columns(), system.num_levels());
    const Lamina::ApplySweep<Scalar, Layout, Memory> sweep{in.const_view(), out.view()};
    const double tolerance = rounding<Scalar>(system.operations());
    const auto matrix = system.matrix();
    for (const bool by_cells : {false, true}) {
      SCOPED_TRACE(by_cells ? "cell by cell" : "as a tensor product");
      if (by_cells) {
        Lamina::run_sweep("LaminaTest::cells", TEST_SPACE(), cells, sweep);
      } else {
        Lamina::run_sweep("LaminaTest::tensor", TEST_SPACE(), system.op.system(), sweep);
      }
      EXPECT_TRUE(all_within(first_entries(out.get(), system.owned_size()), matrix.multiply(x),
                             tolerance, matrix.multiply_magnitudes(x)));
    }
  }
};
TYPED_TEST_SUITE(TensorCoefficients, FieldTypes, FieldTypeNames);

TYPED_TEST(TensorCoefficients, AreRowsOfTheMatrixForAnyKernel) {
  using Scalar = typename TestFixture::Scalar;
  for (const int levels : {1, 2, 33}) {
    SCOPED_TRACE(testing::Message() << levels << " levels");
    for (const bool dirichlet : {false, true}) {
      TestFixture::expect_same_both_ways(HelmholtzCase<Scalar>::panel(8, 6, levels, dirichlet));
    }
    TestFixture::expect_same_both_ways(
        HelmholtzCase<Scalar>(irregular_graph(67, 5), Lamina::VerticalGrid::graded(levels, 0.5),
                              {.omega2 = 0.3, .lambda2 = 0.2}));
  }
}

TYPED_TEST(TensorCoefficients, CountTheBytesOfGeometryOnce) {
  using Scalar = typename TestFixture::Scalar;
  const auto system = HelmholtzCase<Scalar>::panel(8, 6, 5);
  const auto& coefficients = system.op.system().coefficients;
  const double vectors = 4.0 * 5 * sizeof(Scalar), columns = 48;
  EXPECT_EQ(coefficients.line_bytes(), columns * 2 * sizeof(Scalar) + vectors);
  EXPECT_EQ(coefficients.stencil_bytes(),
            columns * (6 * sizeof(Scalar) + 4 * sizeof(int)) + vectors);
}

}  // namespace LaminaTest
