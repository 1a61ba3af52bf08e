// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/impl/ScaledSolve.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace Lamina::Impl {

template <class Memory>
template <class Space, class Scalar, class ResidualScalar>
void ScaledSolve<Memory>::solve(const Space& space, const LookInterval& interval,
                                const SolveVectors<Scalar, ResidualScalar>& vectors,
                                const SolveCalls<ResidualScalar>& calls) {
  SolveEvent event =
      m_state.planned() ? begin_scaled(space, vectors, calls) : begin_plain(space, vectors, calls);
  while (event != SolveEvent::end) {
    event = run_to_event(space, interval, calls.run);
    if (event == SolveEvent::out_of_range) {
      event = rescale(space, vectors, calls);
    } else if (event != SolveEvent::end) {
      event = replace_residual(space, vectors.u, event == SolveEvent::restart, calls);
    }
  }
}

/// Runs passes until a look finds an event.
template <class Memory>
template <class Space>
SolveEvent ScaledSolve<Memory>::run_to_event(const Space& space, const LookInterval& interval,
                                             FunctionRef<void(int, int)> run) {
  SolveEvent event = SolveEvent::none;
  for (int first = m_state.begin, last = 0; event == SolveEvent::none; first = last + 1) {
    const int count = this->template passes_to_look<Space>(first, interval);
    last = first + std::min(count - 1, m_state.limit - first);
    run(first, last);
    event = this->look(space, last, interval.early);
  }
  return event;
}

template <class Memory>
template <class Space, class Vectors, class Calls>
SolveEvent ScaledSolve<Memory>::begin_plain(const Space& space, const Vectors& vectors,
                                            const Calls& calls) {
  calls.begin();
  m_rows.sum_reference(space, m_state.criteria->relative_to, vectors.b, 1, m_state.range);
  m_rows.complete_start(space, m_state.criteria->relative_to);
  return SolveEvent::none;
}

/// Recomputes the residual after `report.iterations`.
template <class Memory>
template <class Space, class Scalar, class Calls>
SolveEvent ScaledSolve<Memory>::replace_residual(const Space& space, const FieldRows<Scalar>& u,
                                                 bool restart, const Calls& calls) {
  const int pass = m_state.report->iterations;
  const double recursive2 = residual2(pass);
  unscale(space, u);
  const auto r = calls.replace(pass);
  m_state.begin = pass;
  if (restart) m_state.fresh = pass;
  m_state.broke_down = restart;  // a residual that has fallen to a replacement is progress
  m_state.next = m_state.planned() ? pass + 1 : pass;
  m_state.report->restarts += restart;
  if (m_state.planned()) {
    m_rows.complete_residual(space, pass);
    m_rows.fetch(space);
    return settle_replacement(residual2(pass), recursive2);
  }
  if (m_state.scaled) {
    scale_rows(space, r, m_state.scale);
    scale_rows(space, u, m_state.scale);
    m_rows.sum_residual(space, pass, r.as_const());
  }
  return SolveEvent::none;
}

/// Takes the recomputed residual of pass `begin`.
template <class Memory>
SolveEvent ScaledSolve<Memory>::settle_replacement(double true2, double recursive2) {
  const int pass = m_state.begin;
  m_state.take_residual(pass, true2);
  if (!m_state.is_finite(true2)) return m_state.end(SolveStatus::breakdown_not_finite);
  if (const auto event = m_state.settle(true2, this->reference2()); event != SolveEvent::none)
    return event;
  if (pass > 0) {
    if (const auto trend = m_state.replacement.look(m_state.report->residual_norm))
      return m_state.end(*trend);
  }
  m_state.expected = ResidualReplacement::none_expected;
  if (m_state.replacement.take(true2, recursive2) && m_state.fresh != pass) {
    m_state.fresh = pass;
    ++m_state.report->restarts;
  }
  return SolveEvent::none;
}

/// Starts a solve in mixed precision: computes the initial residual, the norm that tolerances
/// refer to, and the scale. Scales by b first where squares leave the range of double precision.
/// Solves b = 0 by u = 0. Fences `space`.
template <class Memory>
template <class Space, class Vectors, class Calls>
SolveEvent ScaledSolve<Memory>::begin_scaled(const Space& space, const Vectors& vectors,
                                             const Calls& calls) {
  const auto find = [&] {
    calls.begin();
    // The part of a rank may be 0: all of it is looked at below.
    m_rows.sum_reference(space, m_state.criteria->relative_to, vectors.b, m_state.scale,
                         SafeRange());
    m_rows.complete_start(space, m_state.criteria->relative_to);
    m_rows.fetch(space);
  };
  const SafeRange range = safe_range<double>();
  find();
  const double reference2 = this->reference2();
  if (!std::isnan(residual2(0)) && !(range.contains(residual2(0)) && range.contains(reference2))) {
    m_state.solution_range.start(true);
    const double size = m_rows.size_over_ranks(space, vectors.b);
    const bool finite =
        std::isfinite(size) && std::isfinite(m_rows.size_over_ranks(space, vectors.u.as_const()));
    if (finite && size > 0) {
      m_state.scale = scale_of<double>(size);
      find();
    }
    if (finite && (size == 0 || !(residual2(0) <= worthless * worthless))) {
      fill_rows(space, vectors.u, 0);
      find();
    }
  }
  const double found_with = m_state.scale;
  const SolveEvent event = settle_start();
  if (event == SolveEvent::none && m_state.scale != found_with) {
    calls.begin();  // with the scale, which is known now
    m_rows.complete_residual(space, 0);
  }
  return event;
}

/// Takes the initial residual, not scaled to 1 yet, from row 0.
template <class Memory>
SolveEvent ScaledSolve<Memory>::settle_start() {
  const double norm = std::sqrt(residual2(0)), reference = std::sqrt(this->reference2());
  const double before = m_state.scale;
  m_state.take_norms(norm / before, reference / before);
  // Nothing is lost without a scale where entries and sums of single precision are far from its limits.
  constexpr double near = 0x1p20;
  const bool rescales = std::isfinite(norm) && norm > 0 && (norm < 1 / near || norm > near);
  if (rescales) {  // the reciprocal must be a normal number, too
    m_state.scale = std::clamp(before * scale_of<double>(norm), 0x1p-1000, 0x1p+1000);
  }
  const double by = m_state.scale / before;
  const double target = std::max(m_state.criteria->tolerance * (reference * by),
                                 m_state.criteria->absolute_tolerance * m_state.scale);
  m_state.replacement.start(target * target, m_state.report->reference_norm,
                            m_state.criteria->fixed_count, m_state.drops());
  m_state.next = 1;
  const double scaled = norm * by;
  return settle_replacement(scaled * scaled, scaled * scaled);
}

/// Scales r and u, and computes the sums of row 0 again. Solves b = 0 by u = 0. Fences `space`.
template <class Memory>
template <class Space, class Vectors, class Calls>
SolveEvent ScaledSolve<Memory>::rescale(const Space& space, const Vectors& vectors,
                                        const Calls& calls) {
  const Reference refers_to = m_state.criteria->relative_to;
  // Infinite where an entry is not finite.
  const double residual = m_rows.size_over_ranks(space, vectors.residual.as_const());
  const double reference =
      refers_to == Reference::rhs ? m_rows.size_over_ranks(space, vectors.b) : residual;
  const bool finite = std::isfinite(residual) && std::isfinite(reference);
  if (!finite || reference == 0) {
    const bool by_zero = finite && refers_to == Reference::rhs;
    if (by_zero) fill_rows(space, vectors.u, 0);
    m_state.report->initial_residual_norm = std::sqrt(residual2(0));
    m_state.report->reference_norm = reference;
    m_state.report->residual_norm = by_zero ? 0 : residual;
    m_state.report->residual_history = {m_state.report->relative_residual()};
    return m_state.end(finite ? SolveStatus::converged : SolveStatus::breakdown_not_finite);
  }
  m_state.scaled = true;
  m_state.solution_range.start(true);
  m_state.scale = scale_of<std::remove_pointer_t<decltype(vectors.u.values)>>(reference);
  // A worthless guess is dropped.
  if (residual * m_state.scale > worthless) fill_rows(space, vectors.u, 0);
  calls.begin();  // passes that did nothing may still have changed vectors
  scale_rows(space, vectors.residual, m_state.scale);
  scale_rows(space, vectors.u, m_state.scale);
  m_rows.sum_reference(space, refers_to, vectors.b, m_state.scale, SafeRange());
  m_rows.sum_residual(space, 0, vectors.residual.as_const());
  m_rows.complete_start(space, refers_to);
  return SolveEvent::none;
}

}  // namespace Lamina::Impl
