// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>

namespace Lamina {

/// Thrown where an argument of a host function violates what its documentation asks for. The
/// message is one line: function, argument, what was expected, what was given.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

namespace Impl {

[[noreturn]] void fail_requirement(const char* function, const std::string& message);

/// "solve: argument x: expected 12 columns, got 13" when the two differ.
void require_extent(const char* function, const char* argument, const char* what,
                    long long expected, long long got);

/// Checks that Kokkos is initialized. A constructor that takes no execution-space instance calls it
/// before its first allocation: the message of Kokkos itself does not name the cause.
void require_initialized(const char* function);

/// Checks that a field has exactly `columns` columns and `levels` levels.
template <class FieldType>
void require_field(const char* function, const char* argument, const FieldType& field,
                   long long columns, long long levels) {
  require_extent(function, argument, "columns", columns, static_cast<long long>(field.extent(0)));
  require_extent(function, argument, "levels", levels, static_cast<long long>(field.extent(1)));
}

}  // namespace Impl
}  // namespace Lamina

/// Checks a condition on the arguments of a host function, in every build type.
/// `message` says what was expected and what was given; it is evaluated only on failure.
#define LAMINA_REQUIRE(condition, function, message)                       \
  do {                                                                     \
    if (!(condition)) ::Lamina::Impl::fail_requirement(function, message); \
  } while (false)
