// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Horizontal geometry straight from the formulas: areas, couplings, boundary couplings.

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

struct Coupling {
  int first, second;
  double alpha;
};

/// Columns 0 to num_owned - 1 have rows in the matrix; later columns are only neighbours.
struct Horizontal {
  int num_owned = 0;
  std::vector<double> area;
  std::vector<Coupling> couplings;
  std::vector<double> boundary;  // alpha to a wall on which u = 0

  int num_columns() const { return static_cast<int>(area.size()); }
};

struct Vector3 {
  double x, y, z;
};

inline Vector3 gnomonic_point(double x, double y) {
  const double r = std::sqrt(x * x + y * y + 1);
  return {x / r, y / r, 1 / r};
}

inline double arc_length(const Vector3& a, const Vector3& b) {
  const double cx = a.y * b.z - a.z * b.y, cy = a.z * b.x - a.x * b.z, cz = a.x * b.y - a.y * b.x;
  return std::atan2(std::hypot(cx, cy, cz), a.x * b.x + a.y * b.y + a.z * b.z);
}

/// One gnomonic panel of nx x ny cells, column ny i + j.
inline Horizontal panel(int nx, int ny, bool dirichlet) {
  const auto x = [&](double p) { return -1 + 2 * p / nx; };
  const auto y = [&](double q) { return -1 + 2 * q / ny; };
  const auto point = [&](double p, double q) { return gnomonic_point(x(p), y(q)); };
  const auto w = [](double a, double b) { return std::atan(a * b / std::sqrt(1 + a * a + b * b)); };

  Horizontal result;
  result.num_owned = nx * ny;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      result.area.push_back(w(x(i + 1), y(j + 1)) - w(x(i), y(j + 1)) - w(x(i + 1), y(j)) +
                            w(x(i), y(j)));
      const Vector3 centre = point(i + 0.5, j + 0.5);
      // The four edges: corner to corner, centre of the cell beyond, middle of the edge.
      struct {
        int di, dj;
        double p0, q0, p1, q1;
      } const edges[] = {
          {-1, 0, 0, 0, 0, 1}, {1, 0, 1, 0, 1, 1}, {0, -1, 0, 0, 1, 0}, {0, 1, 0, 1, 1, 1}};
      double wall = 0;
      for (const auto& edge : edges) {
        const double length =
            arc_length(point(i + edge.p0, j + edge.q0), point(i + edge.p1, j + edge.q1));
        const int ni = i + edge.di, nj = j + edge.dj;
        if (ni >= 0 && ni < nx && nj >= 0 && nj < ny) {
          const double distance = arc_length(centre, point(ni + 0.5, nj + 0.5));
          if (edge.di + edge.dj > 0) {
            result.couplings.push_back({ny * i + j, ny * ni + nj, length / distance});
          }
        } else if (dirichlet) {
          const Vector3 middle = point(i + (edge.p0 + edge.p1) / 2, j + (edge.q0 + edge.q1) / 2);
          wall += length / arc_length(centre, middle);
        }
      }
      result.boundary.push_back(wall);
    }
  }
  return result;
}

}  // namespace Reference
