// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/StoppingCriteria.hpp>

namespace Lamina::Impl {

/// Criteria of a `SweepHistory` by which all ranks end where `stop_requested` of one rank says so. Each
/// rank asks its own one before each look, and the sum of the norm tells all ranks. One process has the
/// criteria of the caller.
class AgreedCriteria {
 public:
  /// \param own  must outlive this
  AgreedCriteria(const StoppingCriteria& own, bool is_decomposed)
      : m_own(own), m_agreed(own), m_is_decomposed(is_decomposed) {
    if (is_decomposed) m_agreed.stop_requested = [this] { return m_stop; };
  }
  AgreedCriteria(const AgreedCriteria&) = delete;
  AgreedCriteria& operator=(const AgreedCriteria&) = delete;

  const StoppingCriteria& get() const { return m_agreed; }

  /// A residual norm for the next look.
  /// \param norm  norm(flag) is the norm, and makes `flag` true on all ranks where it is true on one
  template <class Norm>
  double ask(const Norm& norm) {
    m_stop = m_is_decomposed && m_own.stop_requested && m_own.stop_requested();
    return norm(m_stop);
  }

 private:
  const StoppingCriteria& m_own;
  StoppingCriteria m_agreed;
  bool m_is_decomposed, m_stop = false;
};

/// Criteria by which all ranks end where `stop_requested` of one rank says so, where all of them have set it: they add
/// up the answers. One process has those of the caller.
/// \param own          must outlive the result
/// \param on_any_rank  on_any_rank(found): whether it is true on one of all ranks
template <class OnAnyRank>
StoppingCriteria agree_on_stops(const StoppingCriteria& own, bool is_decomposed,
                                const OnAnyRank& on_any_rank) {
  StoppingCriteria agreed = own;
  if (own.stop_requested && is_decomposed) {
    agreed.stop_requested = [&own, on_any_rank] { return on_any_rank(own.stop_requested()); };
  }
  return agreed;
}

}  // namespace Lamina::Impl
