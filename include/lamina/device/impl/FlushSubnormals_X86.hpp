// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Numbers below the normal range count as zero. Fields that fall off exponentially, as those of a vortex
// or of a line solve far from its right-hand side, are full of such numbers, and some cores are slow
// at them: see docs/developer/tuning.md.

#include <lamina/device/impl/Backend.hpp>

#include <type_traits>

#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
#include <immintrin.h>
#endif

namespace Lamina::Impl {

/// In this thread, while it exists: operands and results are affected. On other processors than x86-64 nothing
/// changes.
class FlushSubnormals {
 public:
#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
  FlushSubnormals() : m_before(_mm_getcsr()) { _mm_setcsr(m_before | results | operands); }
  ~FlushSubnormals() { _mm_setcsr(m_before); }
#else
  FlushSubnormals() {}
  ~FlushSubnormals() {}
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
 private:
  static constexpr unsigned results = 0x8000, operands = 0x0040;  // bits of the control register
  unsigned m_before;
#endif
};

/// The same for some kernels only.
struct KeepSubnormals {};
template <bool Flush>
using FlushSubnormalsIf = std::conditional_t<Flush, FlushSubnormals, KeepSubnormals>;

}  // namespace Lamina::Impl
