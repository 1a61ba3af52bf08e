// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/SphereGrids.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::ColumnGraph;
using Vector = std::vector<double>;

constexpr double pi = 3.14159265358979323846;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// (|T| + L) x, where L x = sum over edges of length / distance (x - x_n).
Vector image(const ColumnGraph& graph, const Vector& x) {
  Vector y(x.size());
  for (std::size_t c = 0; c < x.size(); ++c) y[c] = graph.areas[c] * x[c];
  for (const auto& edge : graph.edges) {
    const auto a = static_cast<std::size_t>(edge.first), b = static_cast<std::size_t>(edge.second);
    const double flux = edge.length / edge.distance * (x[a] - x[b]);
    y[a] += flux;
    y[b] -= flux;
  }
  return y;
}

/// Solves that system by plain conjugate gradients.
Vector solve(const ColumnGraph& graph, const Vector& b) {
  Vector x(b.size(), 0), r = b, p = b;
  double r2 = dot(r, r);
  const double target2 = 1e-24 * r2;
  for (int n = 0; n < 5000 && r2 > target2; ++n) {
    const Vector q = image(graph, p);
    const double alpha = r2 / dot(p, q), before = r2;
    for (std::size_t c = 0; c < x.size(); ++c) {
      x[c] += alpha * p[c];
      r[c] -= alpha * q[c];
    }
    r2 = dot(r, r);
    for (std::size_t c = 0; c < x.size(); ++c) p[c] = r[c] + r2 / before * p[c];
  }
  EXPECT_LE(r2, target2);
  return x;
}

/// Relative error of the solution of (1 - Laplacian) u = f, whose solution is the spherical harmonic
/// of degree l with values z, x y or an l = 4 one.
double error_of(const ColumnGraph& graph, int l) {
  Vector u, b;
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    const auto& [x, y, z] = graph.centres.points[c];
    const double z2 = z * z;
    u.push_back(l == 1 ? z : l == 2 ? x * y : 35 * z2 * z2 - 30 * z2 + 3 + x * y * (7 * z2 - 1));
    b.push_back(graph.areas[c] * (1 + l * (l + 1)) * u.back());
  }
  const Vector found = solve(graph, b);
  double error2 = 0, norm2 = 0;
  for (std::size_t c = 0; c < u.size(); ++c) {
    error2 += graph.areas[c] * (found[c] - u[c]) * (found[c] - u[c]);
    norm2 += graph.areas[c] * u[c] * u[c];
  }
  return std::sqrt(error2 / norm2);
}

/// Errors fall by four where cells are halved.
void expect_second_order(const std::function<ColumnGraph(int)>& grid, int size, double largest) {
  for (const int l : {1, 2, 4}) {
    SCOPED_TRACE(l);
    const double coarse = error_of(grid(size), l), fine = error_of(grid(2 * size), l);
    EXPECT_LT(fine, largest);
    EXPECT_GT(std::log2(coarse / fine), 1.8);
    EXPECT_LT(std::log2(coarse / fine), 2.3);
  }
}

std::vector<int> counts_of_neighbours(const ColumnGraph& graph) {
  std::vector<int> degrees(graph.areas.size(), 0), counts(8, 0);
  for (const auto& edge : graph.edges) {
    ++degrees[static_cast<std::size_t>(edge.first)];
    ++degrees[static_cast<std::size_t>(edge.second)];
  }
  for (const int degree : degrees) ++counts.at(static_cast<std::size_t>(degree));
  return counts;
}

TEST(SphereGrids, OfACubeAreOfSecondOrder) {
  expect_second_order(Lamina::cubed_sphere, 12, 9e-3);
  const auto counts = counts_of_neighbours(Lamina::cubed_sphere(12));
  EXPECT_EQ(counts[4] + counts[5] + counts[6], 864);
  EXPECT_GT(counts[6], 300) << "a share that grows with m";
}

TEST(SphereGrids, OfHexagonsAreOfSecondOrder) {
  expect_second_order(Lamina::icosahedral_hexagons, 8, 9e-3);
  const auto counts = counts_of_neighbours(Lamina::icosahedral_hexagons(8));
  EXPECT_EQ(counts[5], 12);
  EXPECT_EQ(counts[6], 630);
}

TEST(SphereGrids, OfTrianglesAreOfSecondOrder) {
  expect_second_order(Lamina::icosahedral_triangles, 8, 5e-3);
  EXPECT_EQ(counts_of_neighbours(Lamina::icosahedral_triangles(8))[3], 1280);
}

TEST(SphereGrids, OfLatitudesAreOfSecondOrder) {
  expect_second_order([](int n) { return Lamina::latitude_longitude(2 * n, n); }, 16, 3e-2);
}

TEST(SphereGrids, OfLatitudesCoverTheirZone) {
  const auto graph = Lamina::latitude_longitude(8, 5, -30, 60);
  ASSERT_EQ(graph.areas.size(), 40u);
  EXPECT_NEAR(std::accumulate(graph.areas.begin(), graph.areas.end(), 0.0),
              2 * pi * (std::sin(pi / 3) + 0.5), 1e-13);
  ASSERT_EQ(graph.edges.size(), 40u + 32u);
  EXPECT_EQ(graph.edges[0].first, 0);
  EXPECT_EQ(graph.edges[0].second, 1);
  EXPECT_NEAR(graph.edges[0].length, pi / 10, 1e-15);
  EXPECT_NEAR(graph.edges[0].distance, pi / 4 * std::cos(pi / 180 * 21), 1e-15);
  EXPECT_EQ(graph.edges[1].second, 8);
  EXPECT_NEAR(graph.edges[1].length, pi / 4 * std::cos(pi / 180 * 12), 1e-15);
  EXPECT_NEAR(graph.edges[1].distance, pi / 10, 1e-15);
}

TEST(SphereGrids, RefusesZonesThatAreNone) {
  const auto message = [](int nx, int ny, double south, double north) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Lamina::latitude_longitude(nx, ny, south, north); });
  };
  const std::string name = "Lamina::latitude_longitude: expected ";
  EXPECT_EQ(message(2, 1, -90, 90), name + "at least 3 longitudes and 1 latitude, got 2 x 1");
  EXPECT_EQ(message(1 << 16, 1 << 15, -90, 90), name + "fewer than 2^31 cells, got 65536 x 32768");
  EXPECT_EQ(message(8, 4, 10, 10),
            name + "-90 <= south < north <= 90, got 10.000000 and 10.000000");
  EXPECT_EQ(message(8, 4, std::nan(""), 10).substr(0, name.size()), name);
}

}  // namespace
}  // namespace LaminaTest
