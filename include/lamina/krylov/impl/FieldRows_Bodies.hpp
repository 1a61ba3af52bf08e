// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/core/impl/SafeNorm.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace Lamina::Impl {

/// The work items of a field: parts of rows, on a device of so many values.
template <bool OnHost, int OnDevice = 1>
struct RowItems {
  static constexpr std::int64_t longest = OnHost ? 4096 : OnDevice;
  std::int64_t length, count, in_row;

  struct Part {
    std::int64_t row, begin, end;
  };
  KOKKOS_FORCEINLINE_FUNCTION Part part(std::int64_t item) const {
    const std::int64_t row = count == 1 ? 0 : item / in_row;
    const std::int64_t begin = (item - row * in_row) * longest, end = begin + longest;
    return {row, begin, end < length ? end : length};
  }
  std::int64_t size() const { return in_row * count; }
};

/// The items of fields of the same extents. Where none is padded, all rows become one.
template <class Space, int OnDevice = 1, class First, class... Others>
auto items_of(FieldRows<First>& first, FieldRows<Others>&... others) {
  using Items = RowItems<runs_on_host<Space>, OnDevice>;
  if (first.contiguous() && (others.contiguous() && ...)) {
    const std::int64_t size = first.length * first.count;
    const auto join = [size](auto& rows) { rows.stride = rows.length = size, rows.count = 1; };
    join(first);
    (join(others), ...);
  }
  const std::int64_t in_row = (first.length + Items::longest - 1) / Items::longest;
  return Items{first.length, first.count, in_row};
}

template <class Space>
using ItemPolicy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// Sum of (factor v)^2, in double precision; NaN where it is out of range.
template <class Scalar, bool OnHost>
struct SumSquares {
  using value_type = double;
  /// Several sums, so that additions, and loads of a device, do not wait for each other.
  static constexpr int lanes = OnHost ? 8 : 32 / sizeof(Scalar);
  FieldRows<const Scalar> field;
  RowItems<OnHost, lanes> items;
  double factor;
  SafeRange range;
  double nan = std::numeric_limits<double>::quiet_NaN();

  KOKKOS_FORCEINLINE_FUNCTION double square(Scalar value) const {
    const double scaled = factor * static_cast<double>(value);
    return scaled * scaled;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t item, double& sum) const {
    const auto part = items.part(item);
    const Scalar* const values = field.row(part.row);
    std::int64_t i = part.begin;
    double sums[extent_of<lanes>] = {};
    for (; i + lanes <= part.end; i += lanes) {
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < lanes; ++n) sums[n] += square(values[i + n]);
    }
    for (const double other : sums) sum += other;
    for (; i < part.end; ++i) sum += square(values[i]);
  }
  KOKKOS_FUNCTION void final(double& sum) const {
    if (!range.contains(sum)) sum = nan;
  }
};

/// \param result  of `Kokkos::parallel_reduce`: a number, with a fence, or a View
template <class Space, class Scalar, class Result>
void sum_squares(const Space& space, FieldRows<const Scalar> field, double factor,
                 const SafeRange& range, Result&& result) {
  using Kernel = SumSquares<Scalar, runs_on_host<Space>>;
  const auto items = items_of<Space, Kernel::lanes>(field);
  const Kernel kernel{field, items, factor, range};
  Kokkos::parallel_reduce("Lamina::FieldRows::sum_squares",
                          ItemPolicy<Space>(space, 0, items.size()), kernel, result);
}

template <class Space, class Scalar>
void sum_squares_to(const Space& space, FieldRows<const Scalar> field, double factor,
                    const SafeRange& range, double* result) {
  using Sum =
      Kokkos::View<double, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  sum_squares(space, field, factor, range, Sum(result));
}

template <class Scalar, bool OnHost>
struct LargestSize {
  FieldRows<const Scalar> field;
  RowItems<OnHost> items;
  double infinity = std::numeric_limits<double>::infinity();

  KOKKOS_FUNCTION void operator()(std::int64_t item, double& largest) const {
    const auto part = items.part(item);
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      const auto value = static_cast<double>(field.row(part.row)[i]);
      const double size = value < 0 ? -value : value;
      if (!(size <= largest)) largest = size <= DBL_MAX ? size : infinity;
    }
  }
};

template <class Space, class Scalar>
double largest_size(const Space& space, FieldRows<const Scalar> field) {
  using Kernel = LargestSize<Scalar, runs_on_host<Space>>;
  const auto items = items_of<Space>(field);
  const Kernel kernel{field, items};
  double largest = 0;
  Kokkos::parallel_reduce("Lamina::FieldRows::largest_size",
                          ItemPolicy<Space>(space, 0, items.size()), kernel,
                          Kokkos::Max<double>(largest));
  return std::max(largest, 0.0);
}

template <class Scalar, bool OnHost>
struct FillRows {
  FieldRows<Scalar> field;
  RowItems<OnHost> items;
  Scalar value;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    Scalar* const values = field.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) values[i] = value;
  }
};

template <class Space, class Scalar>
void fill_rows(const Space& space, FieldRows<Scalar> field, std::type_identity_t<Scalar> value) {
  const auto items = items_of<Space>(field);
  Kokkos::parallel_for("Lamina::FieldRows::fill", ItemPolicy<Space>(space, 0, items.size()),
                       FillRows<Scalar, runs_on_host<Space>>{field, items, value});
}

template <class Scalar, bool OnHost>
struct ScaleRows {
  FieldRows<Scalar> field;
  RowItems<OnHost> items;
  double factor;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    Scalar* const values = field.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      values[i] = static_cast<Scalar>(factor * static_cast<double>(values[i]));
    }
  }
};

template <class Space, class Scalar>
void scale_rows(const Space& space, FieldRows<Scalar> field, double factor) {
  const auto items = items_of<Space>(field);
  Kokkos::parallel_for("Lamina::FieldRows::scale", ItemPolicy<Space>(space, 0, items.size()),
                       ScaleRows<Scalar, runs_on_host<Space>>{field, items, factor});
}

template <class Scalar, bool OnHost>
struct CopyRows {
  FieldRows<const Scalar> from;
  FieldRows<Scalar> to;
  RowItems<OnHost> items;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    const Scalar* const source = from.row(part.row);
    Scalar* const values = to.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) values[i] = source[i];
  }
};

template <class Space, class Scalar>
void copy_rows(const Space& space, std::type_identity_t<FieldRows<const Scalar>> from,
               FieldRows<Scalar> to) {
  const auto items = items_of<Space>(from, to);
  Kokkos::parallel_for("Lamina::FieldRows::copy", ItemPolicy<Space>(space, 0, items.size()),
                       CopyRows<Scalar, runs_on_host<Space>>{from, to, items});
}

template <class Scalar, bool OnHost>
struct SubtractRows {
  FieldRows<const Scalar> left, right;
  FieldRows<Scalar> to;
  RowItems<OnHost> items;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    const Scalar *const l = left.row(part.row), *const r = right.row(part.row);
    Scalar* const values = to.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) values[i] = l[i] - r[i];
  }
};

template <class Space, class Scalar>
void subtract_rows(const Space& space, std::type_identity_t<FieldRows<const Scalar>> left,
                   std::type_identity_t<FieldRows<const Scalar>> right, FieldRows<Scalar> to) {
  const auto items = items_of<Space>(left, right, to);
  Kokkos::parallel_for("Lamina::FieldRows::subtract", ItemPolicy<Space>(space, 0, items.size()),
                       SubtractRows<Scalar, runs_on_host<Space>>{left, right, to, items});
}

template <class Scalar, bool OnHost>
struct AddRows {
  const Scalar* a;
  FieldRows<const Scalar> x;
  FieldRows<Scalar> y;
  RowItems<OnHost> items;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    const Scalar factor = *a, *const from = x.row(part.row);
    Scalar* const to = y.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) to[i] += factor * from[i];
  }
};

template <class Space, class Scalar>
void add_rows(const Space& space, const std::type_identity_t<Scalar>* a,
              std::type_identity_t<FieldRows<const Scalar>> x, FieldRows<Scalar> y) {
  const auto items = items_of<Space>(x, y);
  Kokkos::parallel_for("Lamina::FieldRows::add", ItemPolicy<Space>(space, 0, items.size()),
                       AddRows<Scalar, runs_on_host<Space>>{a, x, y, items});
}

template <class Space, class Scalar>
double norm_of_rows(const Space& space, FieldRows<const Scalar> field) {
  constexpr SafeRange any{0, std::numeric_limits<double>::infinity()};
  return safe_norm([&](double factor) {
    double sum = 0;
    sum_squares(space, field, factor, any, sum);
    return sum;
  });
}

template <class From, class Scalar, bool OnHost>
struct AddScaledRows {
  Scalar a;
  FieldRows<const From> x;
  FieldRows<Scalar> y;
  RowItems<OnHost> items;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto part = items.part(item);
    const From* const from = x.row(part.row);
    Scalar* const to = y.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) to[i] += a * static_cast<Scalar>(from[i]);
  }
};

template <class Space, class From, class Scalar>
void add_scaled(const char* label, const Space& space, std::type_identity_t<Scalar> a,
                FieldRows<const From> x, FieldRows<Scalar> y) {
  const auto items = items_of<Space>(x, y);
  Kokkos::parallel_for(label, ItemPolicy<Space>(space, 0, items.size()),
                       AddScaledRows<From, Scalar, runs_on_host<Space>>{a, x, y, items});
}

/// Sum of (left_factor left) (right_factor right), in double precision.
template <class Scalar, bool OnHost>
struct SumProducts {
  FieldRows<const Scalar> left, right;
  RowItems<OnHost> items;
  double left_factor, right_factor;

  KOKKOS_FUNCTION void operator()(std::int64_t item, double& sum) const {
    const auto part = items.part(item);
    const Scalar *const l = left.row(part.row), *const r = right.row(part.row);
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      sum += left_factor * static_cast<double>(l[i]) * (right_factor * static_cast<double>(r[i]));
    }
  }
};

template <class Space, class Scalar>
double root_of_product(const Space& space, FieldRows<const Scalar> left,
                       FieldRows<const Scalar> right) {
  const double left_size = largest_size(space, left), right_size = largest_size(space, right);
  if (left_size == 0 || right_size == 0) return 0;
  if (!std::isfinite(left_size) || !std::isfinite(right_size)) return left_size * right_size;
  const double left_factor = scale_of<double>(left_size),
               right_factor = scale_of<double>(right_size);
  const auto items = items_of<Space>(left, right);
  using Kernel = SumProducts<Scalar, runs_on_host<Space>>;
  double sum = 0;
  Kokkos::parallel_reduce("Lamina::FieldRows::sum_products",
                          ItemPolicy<Space>(space, 0, items.size()),
                          Kernel{left, right, items, left_factor, right_factor}, sum);
  return std::sqrt(sum) / std::sqrt(left_factor) / std::sqrt(right_factor);
}

}  // namespace Lamina::Impl
