// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Level-1 operations on fields of callers, which may be padded, or subviews. Blas1.hpp has the
// operations of an iteration on the vectors of a plan.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/krylov/impl/SafeRange.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// A field as rows of contiguous values.
template <class Scalar>
struct FieldRows {
  Scalar* values;
  std::int64_t stride;         ///< from a row to the next
  std::int64_t length, count;  ///< values of a row, rows

  KOKKOS_FORCEINLINE_FUNCTION Scalar* row(std::int64_t n) const { return values + n * stride; }
  bool contiguous() const { return count <= 1 || stride == length; }
  FieldRows<const Scalar> as_const() const { return {values, stride, length, count}; }
};

/// The first `num_columns` columns of a field.
template <class FieldType>
FieldRows<typename FieldType::value_type> rows_of(const FieldType& field, std::size_t num_columns) {
  const auto columns = static_cast<std::int64_t>(num_columns);
  const auto levels = static_cast<std::int64_t>(field.extent(1));
  if constexpr (levels_contiguous<typename FieldType::array_layout>) {
    return {field.data(), static_cast<std::int64_t>(field.stride_0()), levels, columns};
  } else {
    return {field.data(), static_cast<std::int64_t>(field.stride_1()), columns, levels};
  }
}
template <class FieldType>
auto rows_of(const FieldType& field) {
  return rows_of(field, field.extent(0));
}

// The operations, which are compiled in the library. All enqueue on `space`; n is the number of values of a field.

/// Writes the sum of (factor v)^2, in double precision, to memory of the space; NaN where it is out of range.
// traffic: reads n; flops: 2n
template <class Space, class Scalar>
void sum_squares_to(const Space& space, FieldRows<const Scalar> field, double factor,
                    const SafeRange& range, double* result);

/// Largest |v|; infinite where a value is not finite, 0 without values. Fences `space`.
// traffic: reads n; flops: 0
template <class Space, class Scalar>
double largest_size(const Space& space, FieldRows<const Scalar> field);

/// v = value
// traffic: writes n; flops: 0
template <class Space, class Scalar>
void fill_rows(const Space& space, FieldRows<Scalar> field, std::type_identity_t<Scalar> value);

/// v = factor v
// traffic: reads n, writes n; flops: n
template <class Space, class Scalar>
void scale_rows(const Space& space, FieldRows<Scalar> field, double factor);

/// to = from
// traffic: reads n, writes n; flops: 0
template <class Space, class Scalar>
void copy_rows(const Space& space, std::type_identity_t<FieldRows<const Scalar>> from,
               FieldRows<Scalar> to);

/// to = left - right; `to` may be one of the others.
// traffic: reads 2n, writes n; flops: n
template <class Space, class Scalar>
void subtract_rows(const Space& space, std::type_identity_t<FieldRows<const Scalar>> left,
                   std::type_identity_t<FieldRows<const Scalar>> right, FieldRows<Scalar> to);

/// y += (*a) x, the coefficient in device memory.
// traffic: reads 2n, writes n; flops: 2n
template <class Space, class Scalar>
void add_rows(const Space& space, const std::type_identity_t<Scalar>* a,
              std::type_identity_t<FieldRows<const Scalar>> x, FieldRows<Scalar> y);

/// y += a x, in the precision of y.
// traffic: reads 2n, writes n; flops: 2n
template <class Space, class From, class Scalar>
void add_scaled(const char* label, const Space& space, std::type_identity_t<Scalar> a,
                FieldRows<const From> x, FieldRows<Scalar> y);

/// The 2-norm, summed in double precision. It is right over the whole range of the precision.
/// Fences `space`.
// traffic: reads n; flops: 2n
template <class Space, class Scalar>
double norm_of_rows(const Space& space, FieldRows<const Scalar> field);

/// sqrt(<left, right>). It is right over the whole range of the precision. Fences `space`.
// traffic: reads 4n; flops: 4n
template <class Space, class Scalar>
double root_of_product(const Space& space, FieldRows<const Scalar> left,
                       FieldRows<const Scalar> right);

#define LAMINA_ADD_SCALED(Space, From, Scalar, prefix)                       \
  LAMINA_FUNCTION(prefix, void add_scaled(const char*, const Space&, Scalar, \
                                          FieldRows<const From>, FieldRows<Scalar>))
#define LAMINA_ROWS_OF(Space, Scalar, prefix)                                                 \
  LAMINA_FUNCTION(prefix, void sum_squares_to(const Space&, FieldRows<const Scalar>, double,  \
                                              const SafeRange&, double*))                     \
  LAMINA_FUNCTION(prefix, double largest_size(const Space&, FieldRows<const Scalar>))         \
  LAMINA_FUNCTION(prefix, void fill_rows(const Space&, FieldRows<Scalar>, Scalar))            \
  LAMINA_FUNCTION(prefix, void scale_rows(const Space&, FieldRows<Scalar>, double))           \
  LAMINA_FUNCTION(prefix,                                                                     \
                  void copy_rows(const Space&, FieldRows<const Scalar>, FieldRows<Scalar>))   \
  LAMINA_FUNCTION(prefix, void subtract_rows(const Space&, FieldRows<const Scalar>,           \
                                             FieldRows<const Scalar>, FieldRows<Scalar>))     \
  LAMINA_FUNCTION(prefix, void add_rows(const Space&, const Scalar*, FieldRows<const Scalar>, \
                                        FieldRows<Scalar>))                                   \
  LAMINA_FUNCTION(prefix, double norm_of_rows(const Space&, FieldRows<const Scalar>))         \
  LAMINA_FUNCTION(prefix, double root_of_product(const Space&, FieldRows<const Scalar>,       \
                                                 FieldRows<const Scalar>))                    \
  LAMINA_ADD_SCALED(Space, Scalar, Scalar, prefix)
#define LAMINA_FIELD_ROWS(Space, prefix) \
  LAMINA_ROWS_OF(Space, float, prefix)   \
  LAMINA_ROWS_OF(Space, double, prefix)  \
  LAMINA_ADD_SCALED(Space, float, double, prefix)
#define LAMINA_EXTERN_ROWS(Space) LAMINA_FIELD_ROWS(Space, extern)
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_ROWS)
#undef LAMINA_EXTERN_ROWS

}  // namespace Lamina::Impl

#include <lamina/krylov/impl/FieldRows_Bodies.hpp>
