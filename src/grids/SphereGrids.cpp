// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace Lamina {
namespace {

constexpr double radian = 3.14159265358979323846 / 180;

/// sin(b) - sin(a) of degrees, without cancellation.
double difference_of_sines(double a, double b) {
  return 2 * std::cos(radian * (a + b) / 2) * std::sin(radian * (b - a) / 2);
}

void require_zone(int num_longitudes, int num_latitudes, double south, double north) {
  const char* const function = "latitude_longitude";
  const std::string extents =
      std::to_string(num_longitudes) + " x " + std::to_string(num_latitudes);
  LAMINA_REQUIRE(num_longitudes >= 3 && num_latitudes >= 1, function,
                 "expected at least 3 longitudes and 1 latitude, got " + extents);
  LAMINA_REQUIRE(num_longitudes <= std::numeric_limits<int>::max() / num_latitudes, function,
                 "expected fewer than 2^31 cells, got " + extents);
  LAMINA_REQUIRE(south >= -90 && south < north && north <= 90, function,
                 "expected -90 <= south < north <= 90, got " + std::to_string(south) + " and " +
                     std::to_string(north));
}

/// Of the line between two rows of cells. The last one is north itself: a pole is a pole.
double parallel_of(int j, int num_latitudes, double south, double north) {
  return j == num_latitudes ? north : south + (north - south) * j / num_latitudes;
}

}  // namespace

ColumnGraph cubed_sphere(int m) { return voronoi_cells(cubed_sphere_triangulation(m)); }

ColumnGraph icosahedral_hexagons(int n) {
  return along_hilbert_curve(voronoi_cells(icosahedral_triangulation(n))).graph;
}

ColumnGraph icosahedral_triangles(int n) {
  return along_hilbert_curve(triangle_cells(icosahedral_triangulation(n))).graph;
}

ColumnGraph latitude_longitude(int num_longitudes, int num_latitudes, double south, double north) {
  require_zone(num_longitudes, num_latitudes, south, north);
  const double width = 360.0 / num_longitudes, height = (north - south) / num_latitudes;
  const auto parallel = [&](int j) { return parallel_of(j, num_latitudes, south, north); };
  ColumnGraph graph;
  for (int j = 0; j < num_latitudes; ++j) {
    const double latitude = (parallel(j) + parallel(j + 1)) / 2;
    const double z = std::sin(radian * latitude), radius = std::cos(radian * latitude);
    for (int i = 0; i < num_longitudes; ++i) {
      const int here = num_longitudes * j + i, east = num_longitudes * j + (i + 1) % num_longitudes;
      const double longitude = radian * width * (i + 0.5);
      graph.areas.push_back(radian * width * difference_of_sines(parallel(j), parallel(j + 1)));
      graph.centres.points.push_back(
          {radius * std::cos(longitude), radius * std::sin(longitude), z});
      graph.edges.push_back({here, east, radian * height, radius * radian * width});
      if (j + 1 == num_latitudes) continue;
      graph.edges.push_back({here, here + num_longitudes,
                             std::cos(radian * parallel(j + 1)) * radian * width, radian * height});
    }
  }
  return graph;
}

CellPolygons latitude_longitude_polygons(int num_longitudes, int num_latitudes, double south,
                                         double north) {
  require_zone(num_longitudes, num_latitudes, south, north);
  LAMINA_REQUIRE(num_latitudes > 1 || south > -90 || north < 90, "latitude_longitude_polygons",
                 "expected at least 2 latitudes from pole to pole, got 1");
  CellPolygons polygons;
  std::vector<int> first;  // point of each parallel; a pole is one point
  std::vector<bool> is_pole;
  for (int j = 0; j <= num_latitudes; ++j) {
    const double latitude = parallel_of(j, num_latitudes, south, north);
    first.push_back(static_cast<int>(polygons.points.size()));
    is_pole.push_back(std::abs(latitude) == 90);
    const double z = std::sin(radian * latitude), radius = std::cos(radian * latitude);
    for (int i = 0; i < (is_pole.back() ? 1 : num_longitudes); ++i) {
      const double longitude = radian * 360.0 / num_longitudes * i;
      if (is_pole.back()) {
        polygons.points.push_back({0, 0, z});
      } else {
        polygons.points.push_back({radius * std::cos(longitude), radius * std::sin(longitude), z});
      }
    }
  }
  for (std::size_t j = 0; j + 1 < first.size(); ++j) {
    for (int i = 0; i < num_longitudes; ++i) {
      const int next = (i + 1) % num_longitudes;
      std::vector<int> corners{first[j] + (is_pole[j] ? 0 : i)};
      if (!is_pole[j]) corners.push_back(first[j] + next);
      corners.push_back(first[j + 1] + (is_pole[j + 1] ? 0 : next));
      if (!is_pole[j + 1]) corners.push_back(first[j + 1] + i);
      polygons.add(corners);
    }
  }
  return polygons;
}

}  // namespace Lamina
