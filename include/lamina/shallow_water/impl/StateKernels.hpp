// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/GhostedField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The first cell with a fault and of which kind, as one number that a minimum finds.
struct FirstFault {
  static constexpr std::int64_t none = INT64_MAX;
  std::int64_t code = none;  ///< 2 (i + nx j), and 1 more where all values are finite
};

/// What is done with states as such. All enqueue on `space`; n is the number of cells in the
/// statements of traffic.
template <class Space, class Scalar>
struct StateKernels {
  using Field = GridField<Scalar>;

  /// Fills the ghosts of a field, corners too, from the other side. traffic: next to nothing
  static void exchange(const Space& space, const Rectangle& rectangle, const Field& field);
  /// The same for three fields in one kernel.
  static void exchange(const Space& space, const Rectangle& rectangle,
                       const StateFields<Scalar>& fields);

  /// Fills the ghosts at the ends of lines -1 to ny only, the others are filled.
  static void exchange_along(const Space& space, const Rectangle& rectangle, const Field& field);
  static void exchange_along(const Space& space, const Rectangle& rectangle,
                             const StateFields<Scalar>& fields);

  /// The ghost lines beyond walls, without their ends, from the lines before these. The lines of v on
  /// walls become 0.
  static void mirror(const Space& space, const Rectangle& rectangle, bool south, bool north,
                     const Field& field);
  static void mirror(const Space& space, const Rectangle& rectangle, bool south, bool north,
                     const StateFields<Scalar>& fields);
  /// Line ny, ghosts at its ends too, continues lines ny - 2 and ny - 1 linearly; `is_one_line`: it is
  /// line ny - 1 again.
  static void extend_north(const Space& space, const Rectangle& rectangle, bool is_one_line,
                           const Field& field);

  /// All three fields with their ghosts.  traffic: reads 3n, writes 3n
  static void copy(const Space& space, const Rectangle& rectangle,
                   const StateFields<const Scalar>& from, const StateFields<Scalar>& to);

  /// to(i, j) = from(i, j).  traffic: reads n, writes n
  static void copy_cells(const Space& space, const Rectangle& rectangle,
                         const StridedCells<const Scalar>& from, const StridedCells<Scalar>& to);

  /// Fences `space`.  traffic: reads 3n; flops: 6n
  static FirstFault first_fault(const Space& space, const Rectangle& rectangle,
                                const StateFields<const Scalar>& state);
};

#define LAMINA_EXTERN_STATE(Space)                   \
  extern template struct StateKernels<Space, float>; \
  extern template struct StateKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_STATE)
#undef LAMINA_EXTERN_STATE

}  // namespace Lamina::Impl

#include <lamina/shallow_water/impl/StateKernels_Bodies.hpp>
