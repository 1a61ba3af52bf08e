// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The tendencies of shallow water, found by walking across the lines of the grid: what two lines
// give serves both of them, so that potential vorticity, fluxes and energies are computed once or
// twice, and stored nowhere. Names end in the column that a value belongs to, west of the cell, its
// own (centre), or east of it; `before` is the line before.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/StreamingStore_X86.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// What a point needs to know beside the fields, where the bottom is flat and f a number.
template <class Scalar>
struct TendencyFactors {
  Scalar inverse_h, coriolis;

  /// f at the corner south-west of a cell, and for all its lanes.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Scalar coriolis_at(std::int64_t, std::int64_t) const {
    return coriolis;
  }
  /// The height of the surface, from that of the water column.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value surface(const Value& height, std::int64_t, std::int64_t) const {
    return height;
  }
  /// F_V, unless it is that of a wall.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value inside(const Value& tendency, std::int64_t) const {
    return tendency;
  }
  void prefetch(std::int64_t, std::int64_t) const {}
};

/// The same with f and bottom as fields, and walls. What is constant is a line with the stride 0.
template <class Scalar>
struct BasinFactors {
  Scalar inverse_h;
  GridField<const Scalar> coriolis;  ///< at corners
  GridField<const Scalar> bottom;    ///< at centres
  int first_v;                       ///< V of the lines before this one is on a wall

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value coriolis_at(std::int64_t i, std::int64_t j) const {
    return load<Value>(coriolis.line(j) + i);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value surface(const Value& height, std::int64_t i,
                                            std::int64_t j) const {
    return height + load<Value>(bottom.line(j) + i);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value inside(const Value& tendency, std::int64_t j) const {
    return j < first_v ? Value{} : tendency;
  }
  void prefetch(std::int64_t i, std::int64_t j) const {
    prefetch_line(coriolis.line(j) + i);
    prefetch_line(bottom.line(j) + i);
  }
};

/// dPhi/dt, F_U and F_V of a cell.
template <class Value>
struct CellTendency {
  Value height, u, v;
};

/// What is kept of a line for the next one.
template <class Value>
class TendencyMarch {
 public:
  /// Takes the cells at i of line j, and finds the tendency of line j - 1; it is meaningless until
  /// three lines have been taken.
  template <class Scalar, class Factors>
  KOKKOS_FORCEINLINE_FUNCTION CellTendency<Value> take(const StateFields<const Scalar>& fields,
                                                       const Factors& factors, std::int64_t i,
                                                       std::int64_t j) {
    const Scalar half(0.5), quarter(0.25);
    const Scalar *const height = fields.height.line(j) + i, *const u = fields.u.line(j) + i,
                        *const v = fields.v.line(j) + i;
    const Value height_west = load<Value>(height - 1), height_centre = load<Value>(height),
                height_east = load<Value>(height + 1);
    const Value u_west = load<Value>(u - 1), u_centre = load<Value>(u), u_east = load<Value>(u + 1);
    const Value v_west = load<Value>(v - 1), v_centre = load<Value>(v), v_east = load<Value>(v + 1);

    // Twice the mean height at edges
    const Value edge_west = height_west + height_centre, edge_east = height_centre + height_east;
    const Value flux_u = half * edge_west * u_centre, flux_u_east = half * edge_east * u_east;
    const Value flux_v_west = half * (m_height_west + height_west) * v_west,
                flux_v = half * (m_height_centre + height_centre) * v_centre;

    const Value vorticity =
        vorticity_of(factors.inverse_h, factors.template coriolis_at<Value>(i, j),
                     v_centre - v_west, u_centre - m_u_centre, quarter * (edge_west + m_edge_west));
    const Value vorticity_east =
        vorticity_of(factors.inverse_h, factors.template coriolis_at<Value>(i + 1, j),
                     v_east - v_centre, u_east - m_u_east, quarter * (edge_east + m_edge_east));

    const Value mean_v_west = half * (m_v_west + v_west), mean_v = half * (m_v_centre + v_centre);
    const Value energy_west = m_energy_west + half * mean_v_west * mean_v_west,
                energy = m_energy + half * mean_v * mean_v;

    CellTendency<Value> result;
    result.height = factors.inverse_h * (m_outflow_u + m_flux_v - flux_v);
    // -F_x and F_y of the notation above
    const Value across_u = quarter * (m_flux_v_west + flux_v_west + m_flux_v + flux_v),
                across_v = quarter * (m_flux_u_sum + m_flux_u_sum_before);
    result.u =
        half * (m_vorticity + vorticity) * across_u - factors.inverse_h * (energy - energy_west);
    result.v = factors.inside(Value(-(half * (m_vorticity + m_vorticity_east)) * across_v -
                                    factors.inverse_h * (energy - m_energy_before)),
                              j - 1);

    m_height_west = height_west;
    m_height_centre = height_centre;
    m_edge_west = edge_west;
    m_edge_east = edge_east;
    m_u_centre = u_centre;
    m_u_east = u_east;
    m_v_west = v_west;
    m_v_centre = v_centre;
    m_outflow_u = flux_u - flux_u_east;
    m_flux_u_sum_before = m_flux_u_sum;
    m_flux_u_sum = flux_u + flux_u_east;
    m_flux_v_west = flux_v_west;
    m_flux_v = flux_v;
    m_vorticity = vorticity;
    m_vorticity_east = vorticity_east;
    m_energy_before = energy;
    const Value mean_u_west = half * (u_west + u_centre), mean_u = half * (u_centre + u_east);
    m_energy_west = factors.surface(height_west, i - 1, j) + half * mean_u_west * mean_u_west;
    m_energy = factors.surface(height_centre, i, j) + half * mean_u * mean_u;
    return result;
  }

 private:
  /// (rot u + f) / Phi at a corner
  template <class Scalar, class Coriolis>
  KOKKOS_FORCEINLINE_FUNCTION static Value vorticity_of(Scalar inverse_h, const Coriolis& coriolis,
                                                        const Value& v_step, const Value& u_step,
                                                        const Value& height) {
    return (inverse_h * (v_step - u_step) + coriolis) * reciprocal(height);
  }

  Value m_height_west{}, m_height_centre{}, m_edge_west{}, m_edge_east{}, m_u_centre{}, m_u_east{},
      m_v_west{}, m_v_centre{};
  Value m_outflow_u{};  // flux_u - its eastern neighbour
  Value m_flux_u_sum{}, m_flux_u_sum_before{}, m_flux_v_west{}, m_flux_v{};
  Value m_vorticity{}, m_vorticity_east{};
  Value m_energy_west{}, m_energy{};  // without the part of v, which takes the next line
  Value m_energy_before{};            // whole, of the line before
};

/// What an explicit stage does with tendencies: writes F_U and F_V, and the new height
/// base_factor * base + centre_factor * (the height itself) + step * dPhi/dt.
/// `Stream`: lanes go past the caches; the height unless it takes the place of the base, because a
/// line that was just read would have to leave the caches first.
template <class Scalar, bool HasBase, bool Stream, bool InPlace>
struct StageSink {
  GridField<const Scalar> base, centre;
  GridField<Scalar> height, u, v;
  Scalar base_factor, centre_factor, step;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, std::int64_t j,
                                              const CellTendency<Value>& tendency) const {
    Value value = centre_factor * load<Value>(centre.line(j) + i) + step * tendency.height;
    if constexpr (HasBase) value = value + base_factor * load<Value>(base.line(j) + i);
    if constexpr (InPlace) {
      store(height.line(j) + i, value);
    } else {
      store_or_stream<Stream>(height.line(j) + i, value);
    }
    store_or_stream<Stream>(u.line(j) + i, tendency.u);
    store_or_stream<Stream>(v.line(j) + i, tendency.v);
  }
  void prefetch(std::int64_t i, std::int64_t j) const {
    if constexpr (HasBase) prefetch_line(base.line(j) + i);
  }
};

/// Tendencies of one state, handed to a sink.
template <class Scalar, class Factors, class Sink>
struct TendencySweep {
  static constexpr bool has_sum = false;
  StateFields<const Scalar> fields;
  Factors factors;
  Sink sink;

  template <class Value>
  struct March {
    TendencyMarch<Value> march;

    KOKKOS_FORCEINLINE_FUNCTION void take(const TendencySweep& sweep, std::int64_t i,
                                          std::int64_t j) {
      (void)march.take(sweep.fields, sweep.factors, i, j);
    }
    /// Takes line j + 1, and hands over what it finds for line j.
    template <class Sum>
    KOKKOS_FORCEINLINE_FUNCTION void finish(const TendencySweep& sweep, std::int64_t i,
                                            std::int64_t j, Sum&) {
      sweep.sink(i, j, march.take(sweep.fields, sweep.factors, i, j + 1));
    }
  };
  void prefetch(std::int64_t i, std::int64_t j) const {
    prefetch_line(fields.height.line(j) + i);
    prefetch_line(fields.u.line(j) + i);
    prefetch_line(fields.v.line(j) + i);
    factors.prefetch(i, j);
    sink.prefetch(i, j - 1);
  }
};

}  // namespace Lamina::Impl
