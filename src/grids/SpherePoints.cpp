// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpherePoints.hpp"

#include <cmath>

namespace Lamina::Impl {

SpherePoint operator+(const SpherePoint& a, const SpherePoint& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
SpherePoint operator-(const SpherePoint& a, const SpherePoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
SpherePoint operator*(double factor, const SpherePoint& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
double dot(const SpherePoint& a, const SpherePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
SpherePoint cross(const SpherePoint& a, const SpherePoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double norm(const SpherePoint& a) { return std::sqrt(dot(a, a)); }
SpherePoint on_sphere(const SpherePoint& a) {
  const double length = norm(a);
  return {a[0] / length, a[1] / length, a[2] / length};
}

[[gnu::noinline]] double arc(const SpherePoint& a, const SpherePoint& b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

double triangle_area(const SpherePoint& a, const SpherePoint& b, const SpherePoint& c) {
  // The triple product of three points, of which two are differences: of the points themselves it
  // would cancel.
  const double volume = dot(a, cross(b - a, c - a));
  return 2 * std::atan2(volume, 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

SpherePoint circumcentre(const SpherePoint& a, const SpherePoint& b, const SpherePoint& c) {
  return on_sphere(cross(b - a, c - a));
}

}  // namespace Lamina::Impl
