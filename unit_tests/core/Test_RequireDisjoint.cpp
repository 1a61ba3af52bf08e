// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <string>

namespace {

using Kokkos::ALL;
using Kokkos::make_pair;
using Lamina::Impl::require_disjoint;
using Lamina::Impl::require_same_or_disjoint;
using Right = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Left = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

template <class A, class B>
bool disjoint(const A& a, const B& b) {
  bool result = true;
  for (const bool swapped : {false, true}) {
    try {
      swapped ? require_disjoint("f", "b", b, "x", a) : require_disjoint("f", "x", a, "b", b);
    } catch (const Lamina::InvalidArgument&) {
      result = false;
    }
  }
  return result;
}

TEST(RequireDisjoint, RefusesTheSameViewAndSaysWhich) {
  const Right a("a", 5, 3);
  EXPECT_EQ(LaminaTest::message_of<Lamina::InvalidArgument>(
                [&] { require_disjoint("Class::solve", "b", a, "x", a); }),
            "Lamina::Class::solve: arguments b and x: expected memory of their own, got Views that "
            "overlap");
  const Kokkos::View<const double**, Kokkos::LayoutRight, Kokkos::HostSpace> read_only = a;
  EXPECT_FALSE(disjoint(read_only, a));
}

TEST(RequireDisjoint, TakesViewsOfTheirOwnAndEmptyOnes) {
  const Right a("a", 5, 3), b("b", 5, 3), no_rows("c", 0, 3), no_columns("d", 5, 0);
  EXPECT_TRUE(disjoint(a, b));
  EXPECT_TRUE(disjoint(no_rows, no_rows));
  EXPECT_TRUE(disjoint(no_columns, no_columns));
  EXPECT_TRUE(disjoint(Right(), Right()));
  EXPECT_TRUE(disjoint(a, Right(a.data(), 0, 3)));
}

TEST(RequireDisjoint, TellsPartsOfOneArrayApart) {
  const Right all("all", 10, 6);
  const auto rows = [&](int first, int last) {
    return Kokkos::subview(all, make_pair(first, last), ALL);
  };
  EXPECT_TRUE(disjoint(rows(0, 5), rows(5, 10)));
  EXPECT_FALSE(disjoint(rows(0, 6), rows(5, 10)));
  const auto window = [&](int first, int last) {
    return Kokkos::subview(all, ALL, make_pair(first, last));
  };
  EXPECT_TRUE(disjoint(window(0, 3), window(3, 6)));
  EXPECT_TRUE(disjoint(window(0, 1), window(5, 6)));
  EXPECT_FALSE(disjoint(window(0, 4), window(3, 6)));
  EXPECT_FALSE(disjoint(window(2, 3), window(0, 6)));
  EXPECT_FALSE(disjoint(window(2, 3), all));
  // One row of a window is a single run.
  const auto row = Kokkos::subview(all, make_pair(4, 5), make_pair(3, 6));
  EXPECT_TRUE(disjoint(row, window(0, 3)));
  EXPECT_FALSE(disjoint(row, window(0, 4)));
  EXPECT_FALSE(disjoint(row, window(5, 6)));
}

TEST(RequireDisjoint, KnowsBothLayoutsAndOtherTypes) {
  const Left all("all", 10, 6);
  const auto window = [&](int first, int last) {
    return Kokkos::subview(all, make_pair(first, last), ALL);
  };
  EXPECT_TRUE(disjoint(window(0, 5), window(5, 10)));
  EXPECT_FALSE(disjoint(window(0, 6), window(5, 10)));
  const Kokkos::View<float*, Kokkos::HostSpace> floats(reinterpret_cast<float*>(all.data()), 12),
      behind(reinterpret_cast<float*>(all.data() + 60), 12);
  EXPECT_FALSE(disjoint(floats, all));
  EXPECT_TRUE(disjoint(behind, all));
}

TEST(RequireDisjoint, LooksAtThreeIndices) {
  const Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> all("all", 7, 4, 3);
  const auto part = [&](int first, int last) {
    return Kokkos::subview(all, ALL, make_pair(first, last), ALL);
  };
  EXPECT_TRUE(disjoint(part(0, 2), part(2, 4)));
  EXPECT_FALSE(disjoint(part(0, 3), part(2, 4)));
  const auto one = Kokkos::subview(all, ALL, 1, ALL);
  EXPECT_TRUE(disjoint(one, part(2, 4)));
  EXPECT_FALSE(disjoint(one, part(1, 3)));
}

TEST(RequireDisjoint, SeesARunThatIsLongerThanTheGap) {
  const Right wide("wide", 10, 8);
  const Right narrow(wide.data() + 6, 4, 2);  // across two rows
  EXPECT_FALSE(disjoint(Kokkos::subview(wide, ALL, make_pair(0, 2)), narrow));
}

TEST(RequireDisjoint, MayAllowTheSameViewButNotAPartOfIt) {
  const Right all("all", 10, 6);
  const auto rows = Kokkos::subview(all, make_pair(0, 9), ALL),
             shifted = Kokkos::subview(all, make_pair(1, 10), ALL);
  EXPECT_NO_THROW(require_same_or_disjoint("f", "b", all, "y", all));
  EXPECT_NO_THROW(require_same_or_disjoint("f", "b", all, "y", Right("other", 10, 6)));
  EXPECT_THROW(require_same_or_disjoint("f", "b", rows, "y", shifted), Lamina::InvalidArgument);
  EXPECT_THROW(require_same_or_disjoint("f", "b", all, "y", rows), Lamina::InvalidArgument);
}

}  // namespace
