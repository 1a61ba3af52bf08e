// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>

// Points and arcs on the unit sphere. They are compiled in one place: a compiler contracts products
// and sums where it likes, and all ranks, and the whole grid, must get the same bits.

namespace Lamina::Impl {

using SpherePoint = std::array<double, 3>;

SpherePoint operator+(const SpherePoint& a, const SpherePoint& b);
SpherePoint operator-(const SpherePoint& a, const SpherePoint& b);
SpherePoint operator*(double factor, const SpherePoint& a);
double dot(const SpherePoint& a, const SpherePoint& b);
SpherePoint cross(const SpherePoint& a, const SpherePoint& b);
double norm(const SpherePoint& a);
/// a / |a|
SpherePoint on_sphere(const SpherePoint& a);

/// Length of the great-circle arc between two points; accurate for short arcs too.
double arc(const SpherePoint& a, const SpherePoint& b);

/// Solid angle of the spherical triangle a, b, c, negative where they are clockwise seen from
/// outside. Its relative error is rounding over the size of the triangle.
double triangle_area(const SpherePoint& a, const SpherePoint& b, const SpherePoint& c);

/// The point at the same distance from a, b and c, on the side from which they are
/// counter-clockwise.
SpherePoint circumcentre(const SpherePoint& a, const SpherePoint& b, const SpherePoint& c);

}  // namespace Lamina::Impl
