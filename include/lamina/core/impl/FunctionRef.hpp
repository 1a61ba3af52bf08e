// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <concepts>
#include <utility>

namespace Lamina::Impl {

template <class Signature>
class FunctionRef;

/// Something callable that lives longer than this reference to it. `std::function_ref` of C++26.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  /// Of nothing: not to be called.
  FunctionRef() = default;
  template <class Callable>
  requires(!std::same_as<Callable, FunctionRef>) FunctionRef(const Callable& callable)
      : m_callable(&callable), m_call([](const void* called, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(called))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return m_call(m_callable, std::forward<Arguments>(arguments)...);
  }

 private:
  const void* m_callable = nullptr;
  Result (*m_call)(const void*, Arguments...) = nullptr;
};

}  // namespace Lamina::Impl
