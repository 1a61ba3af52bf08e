// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetcdfNumbers.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <type_traits>

#include "ReaderProcess.hpp"

namespace Lamina {

void require_netcdf(int status, const std::string& where) {
  if (status == NC_ENOMEM) throw std::bad_alloc();
  if (status != NC_NOERR) throw ReadProblem(where + nc_strerror(status));
}

namespace {

bool is_number_type(nc_type type) {
  return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
}

/// The name of a type in CDL, the language of ncdump.
std::string type_name(nc_type type) {
  constexpr std::array names{"no type", "byte",   "char", "short", "int",    "float", "double",
                             "ubyte",   "ushort", "uint", "int64", "uint64", "string"};
  const bool known = type >= 0 && static_cast<std::size_t>(type) < names.size();
  return known ? names[static_cast<std::size_t>(type)] : "a type of the user";
}

/// A variable whose attributes are read; all say which one is wrong.
class Attributes {
 public:
  Attributes(int file, int variable) : m_file(file), m_variable(variable) {
    std::array<char, NC_MAX_NAME + 1> name{};
    require_netcdf(nc_inq_varname(file, variable, name.data()));
    m_where = "variable '" + std::string(name.data()) + "': ";
    require_netcdf(nc_inq_vartype(file, variable, &m_type), m_where);
    if (!is_number_type(m_type)) {
      throw ReadProblem(m_where + "expected numbers, got the type " + type_name(m_type));
    }
  }

  int file() const { return m_file; }
  int variable() const { return m_variable; }
  nc_type type() const { return m_type; }
  const std::string& where() const { return m_where; }

  struct Kind {
    nc_type type;
    std::size_t length;
  };
  std::optional<Kind> find(const char* name) const {
    Kind kind{NC_NAT, 0};
    const int status = nc_inq_att(m_file, m_variable, name, &kind.type, &kind.length);
    if (status == NC_ENOTATT) return std::nullopt;
    require_netcdf(status, m_where);
    return kind;
  }
  [[noreturn]] void refuse(const char* name, const std::string& expected,
                           const std::string& got) const {
    throw ReadProblem(m_where + "attribute '" + name + "': expected " + expected + ", got " + got);
  }

  /// Numbers of any type; none where there is no such attribute.
  /// \param length  which is expected; 0: any but 0
  std::vector<double> numbers(const char* name, std::size_t length) const {
    const auto kind = find(name);
    if (!kind) return {};
    if (!is_number_type(kind->type)) {
      refuse(name, length == 1 ? "a number" : "numbers", "the type " + type_name(kind->type));
    }
    require_length(name, *kind, length);
    std::vector<double> values(kind->length);
    require_netcdf(nc_get_att_double(m_file, m_variable, name, values.data()), m_where);
    return values;
  }

  /// Numbers of the type of the variable, whose representation is T.
  template <class T>
  std::vector<T> own_numbers(const char* name, const Kind& kind, std::size_t length) const {
    require_length(name, kind, length);
    std::vector<T> values(kind.length);
    require_netcdf(nc_get_att(m_file, m_variable, name, values.data()), m_where);
    return values;
  }

  /// One finite number, `otherwise` where there is no such attribute.
  double finite_number(const char* name, double otherwise) const {
    const auto values = numbers(name, 1);
    if (values.empty()) return otherwise;
    if (!std::isfinite(values[0])) refuse(name, "a finite number", std::to_string(values[0]));
    return values[0];
  }

 private:
  void require_length(const char* name, const Kind& kind, std::size_t length) const {
    constexpr std::size_t most = 1000;  // of values that are missing
    if (length != 0 ? kind.length == length : kind.length > 0 && kind.length <= most) return;
    const std::string text = length != 0 ? std::to_string(length) : "1 to " + std::to_string(most);
    refuse(name, text + (length == 1 ? " number" : " numbers"), std::to_string(kind.length));
  }

  int m_file, m_variable;
  nc_type m_type = NC_NAT;
  std::string m_where;
};

/// Whether integers are to be taken for unsigned ones of the same size.
bool is_unsigned(const Attributes& attributes) {
  constexpr const char* name = "_Unsigned";
  const nc_type type = attributes.type();
  const bool by_type =
      type == NC_UBYTE || type == NC_USHORT || type == NC_UINT || type == NC_UINT64;
  const auto kind = attributes.find(name);
  if (!kind) return by_type;
  if (type == NC_FLOAT || type == NC_DOUBLE) {
    attributes.refuse(name, "it on integers only", "it on the type " + type_name(type));
  }
  constexpr std::size_t longest = 5;
  if (kind->type != NC_CHAR || kind->length > longest) {
    attributes.refuse(name, "true or false", "something else");
  }
  std::string text(kind->length, ' ');
  require_netcdf(nc_get_att_text(attributes.file(), attributes.variable(), name, text.data()),
                 attributes.where());
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (text != "true" && text != "false") attributes.refuse(name, "true or false", "something else");
  return text == "true";
}

/// The nearest number of type T; T's largest or smallest beyond them. Without NaN, 0 stands for it.
template <class T>
T nearest(double value) {
  if (std::isnan(value)) {
    return std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN() : T{};
  }
  constexpr T lowest = std::numeric_limits<T>::lowest(), largest = std::numeric_limits<T>::max();
  if (value <= static_cast<double>(lowest)) return lowest;
  if (value >= static_cast<double>(largest)) return largest;
  return static_cast<T>(value);
}

/// What the library writes where nothing is written. Types of one byte are too short to spare a
/// value for it.
template <class T>
std::optional<T> default_fill(nc_type type) {
  switch (type) {
    case NC_SHORT: return static_cast<T>(NC_FILL_SHORT);
    case NC_USHORT: return static_cast<T>(NC_FILL_USHORT);
    case NC_INT: return static_cast<T>(NC_FILL_INT);
    case NC_UINT: return static_cast<T>(NC_FILL_UINT);
    case NC_INT64: return static_cast<T>(NC_FILL_INT64);
    case NC_UINT64: return static_cast<T>(NC_FILL_UINT64);
    case NC_FLOAT: return static_cast<T>(NC_FILL_FLOAT);
    case NC_DOUBLE: return static_cast<T>(NC_FILL_DOUBLE);
    default: return std::nullopt;
  }
}

/// \tparam T  of the packed numbers
template <class T>
class TypedNumbers : public NetcdfNumbers {
 public:
  explicit TypedNumbers(const Attributes& attributes) : m_attributes(attributes) {
    const bool packed = attributes.find("scale_factor") || attributes.find("add_offset");
    if (packed) {
      m_packing = Packing{attributes.finite_number("scale_factor", 1),
                          attributes.finite_number("add_offset", 0)};
    }
    read_fill_value();
    read_missing_values();
    read_limits();
  }

  void read(const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
            double* values, bool missing_as_nan) const override {
    const std::size_t size =
        std::accumulate(count.begin(), count.end(), std::size_t{1}, std::multiplies<>());
    m_packed.resize(size);
    require_netcdf(nc_get_vara(m_attributes.file(), m_attributes.variable(), start.data(),
                               count.data(), m_packed.data()),
                   m_attributes.where());
    const bool bad = any_bad();
    if (bad && !missing_as_nan) refuse_bad(start, count);
    const auto begin = m_packed.begin(), end = m_packed.end();
    if (m_packing) {
      const auto [scale, offset] = *m_packing;
      std::transform(begin, end, values, [scale = scale, offset = offset](T value) {
        return static_cast<double>(value) * scale + offset;
      });
    } else {
      std::transform(begin, end, values, [](T value) { return static_cast<double>(value); });
    }
    for (std::size_t n = 0; bad && n < size; ++n) {
      if (is_bad(m_packed[n])) values[n] = std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  struct Packing {
    double scale, offset;
  };
  struct Missing {
    T value;
    const char* reason;

    bool is(T other) const { return other == value || (other != other && value != value); }
  };
  bool is_outside(T value) const { return value < m_lowest || value > m_largest; }
  bool is_bad(T value) const {
    return is_outside(value) || std::any_of(m_missing.begin(), m_missing.end(),
                                            [value](const Missing& m) { return m.is(value); });
  }

  /// Goes through all values without a branch, so that the loops are vectorised.
  bool any_bad() const {
    int bad = 0;
    for (const T value : m_packed) bad |= static_cast<int>(is_outside(value));
    for (const Missing& missing : m_missing) {
      for (const T value : m_packed) bad |= static_cast<int>(missing.is(value));
    }
    return bad != 0;
  }

  [[noreturn]] void refuse_bad(const std::vector<std::size_t>& start,
                               const std::vector<std::size_t>& count) const {
    for (std::size_t n = 0;; ++n) {
      const T value = m_packed[n];
      for (const Missing& missing : m_missing) {
        if (missing.is(value)) refuse(start, count, n, missing.reason);
      }
      if (is_outside(value)) refuse(start, count, n, "which its valid range excludes");
    }
  }

  void read_fill_value() {
    constexpr const char* name = "_FillValue";
    const auto kind = m_attributes.find(name);
    if (kind) {
      if (kind->type != m_attributes.type()) refuse_type(name, *kind);
      m_missing.push_back({m_attributes.own_numbers<T>(name, *kind, 1).front(),
                           "which its _FillValue marks as missing"});
      return;
    }
    int without_fill = 0;
    require_netcdf(
        nc_inq_var_fill(m_attributes.file(), m_attributes.variable(), &without_fill, nullptr),
        m_attributes.where());
    const auto fill = default_fill<T>(m_attributes.type());
    if (without_fill == 0 && fill) m_missing.push_back({*fill, "which was never written"});
  }

  void read_missing_values() {
    constexpr const char* name = "missing_value";
    const auto kind = m_attributes.find(name);
    if (!kind) return;
    constexpr const char* reason = "which its missing_value marks as missing";
    if (kind->type == m_attributes.type()) {
      for (const T value : m_attributes.own_numbers<T>(name, *kind, 0)) {
        m_missing.push_back({value, reason});
      }
      return;
    }
    // Many programs write a double to floats and integers. It stands for a packed number, too.
    for (const double value : m_attributes.numbers(name, 0)) {
      const T packed = nearest<T>(value);
      const bool is_one = std::is_floating_point_v<T> ? !(std::abs(value) > largest_finite)
                                                      : static_cast<double>(packed) == value;
      if (!is_one) refuse_type(name, *kind);
      m_missing.push_back({packed, reason});
    }
  }

  void read_limits() {
    const bool range = m_attributes.find("valid_range").has_value();
    for (const char* name : {"valid_min", "valid_max"}) {
      if (range && m_attributes.find(name)) {
        m_attributes.refuse(name, "none beside valid_range", "both");
      }
    }
    if (range) {
      const auto limits = limits_of("valid_range", 2);
      m_lowest = limits[0];
      m_largest = limits[1];
    } else {
      if (m_attributes.find("valid_min")) m_lowest = limits_of("valid_min", 1).front();
      if (m_attributes.find("valid_max")) m_largest = limits_of("valid_max", 1).front();
    }
  }

  /// As packed numbers.
  std::vector<T> limits_of(const char* name, std::size_t length) const {
    const auto kind = m_attributes.find(name).value_or(Attributes::Kind{NC_NAT, 0});
    std::vector<T> limits;
    if (kind.type == m_attributes.type()) {
      limits = m_attributes.own_numbers<T>(name, kind, length);
    } else {
      const auto values = m_attributes.numbers(name, length);
      // Of another type, conventions differ on whether they limit packed or unpacked numbers.
      if (m_packing) refuse_type(name, kind);
      for (std::size_t n = 0; n < length; ++n) {
        if (std::isnan(values[n])) m_attributes.refuse(name, "numbers", "nan");
        const bool is_lower = n == 0 && std::string(name) != "valid_max";
        const bool whole = std::is_integral_v<T>;
        limits.push_back(nearest<T>(!whole     ? values[n]
                                    : is_lower ? std::ceil(values[n])
                                               : std::floor(values[n])));
      }
    }
    for (const T limit : limits) {
      if (limit != limit) m_attributes.refuse(name, "numbers", "nan");
    }
    return limits;
  }

  [[noreturn]] void refuse_type(const char* name, const Attributes::Kind& kind) const {
    const std::string own = type_name(m_attributes.type());
    m_attributes.refuse(
        name, "a value of the type of the variable, " + own,
        kind.type == m_attributes.type() ? "another" : "one of type " + type_name(kind.type));
  }

  /// "variable 'h': expected a number at (y, x) = (1, 2), got one which ..."
  [[noreturn]] void refuse(const std::vector<std::size_t>& start,
                           const std::vector<std::size_t>& count, std::size_t place,
                           const std::string& reason) const {
    std::vector<int> dimensions(count.size());
    require_netcdf(
        nc_inq_vardimid(m_attributes.file(), m_attributes.variable(), dimensions.data()));
    std::string names, indices;
    std::size_t rest = place;
    for (std::size_t d = count.size(); d-- > 0;) {
      std::array<char, NC_MAX_NAME + 1> name{};
      require_netcdf(nc_inq_dimname(m_attributes.file(), dimensions[d], name.data()));
      const char* comma = names.empty() ? "" : ", ";
      names = name.data() + (comma + names);
      indices = std::to_string(start[d] + rest % count[d]) + comma + indices;
      rest /= count[d];
    }
    throw ReadProblem(m_attributes.where() + "expected a number at (" + names + ") = (" + indices +
                      "), got one " + reason);
  }

  static constexpr double largest_finite = static_cast<double>(std::numeric_limits<T>::max());

  Attributes m_attributes;
  std::optional<Packing> m_packing;
  std::vector<Missing> m_missing;
  T m_lowest = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::lowest();
  T m_largest = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                            : std::numeric_limits<T>::max();
  mutable std::vector<T> m_packed;  // of one call
};

template <class Signed, class Unsigned>
std::unique_ptr<NetcdfNumbers> integers(const Attributes& attributes) {
  if (is_unsigned(attributes)) return std::make_unique<TypedNumbers<Unsigned>>(attributes);
  return std::make_unique<TypedNumbers<Signed>>(attributes);
}

}  // namespace

std::unique_ptr<NetcdfNumbers> NetcdfNumbers::of(int file, int variable) {
  const Attributes attributes(file, variable);
  switch (attributes.type()) {
    case NC_BYTE:
    case NC_UBYTE: return integers<std::int8_t, std::uint8_t>(attributes);
    case NC_SHORT:
    case NC_USHORT: return integers<std::int16_t, std::uint16_t>(attributes);
    case NC_INT:
    case NC_UINT: return integers<std::int32_t, std::uint32_t>(attributes);
    case NC_INT64:
    case NC_UINT64: return integers<std::int64_t, std::uint64_t>(attributes);
    case NC_FLOAT:
      (void)is_unsigned(attributes);
      return std::make_unique<TypedNumbers<float>>(attributes);
    default:
      (void)is_unsigned(attributes);
      return std::make_unique<TypedNumbers<double>>(attributes);
  }
}

}  // namespace Lamina
