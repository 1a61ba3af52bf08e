// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Times of the sequential baseline.

#include <support/machine/HostMachine.hpp>

#include <cstdio>
#include <optional>
#include <type_traits>

#include "../../support/PanelCase.hpp"
#include "../PaperTables_Timing.hpp"
#include "Helmholtz_CSerial.hpp"
#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {
namespace {

template <class Real, template <class> class Operator>
void measure_c_solver(const Settings& settings, const Operator<Real>& op,
                      const std::vector<Real>& f, Times& times, std::vector<double>& history) {
  const Kokkos::DefaultHostExecutionSpace host;
  CWorkspace<Real> work(f.size());
  std::vector<Real> u(f.size());
  const int repetitions = settings.repetitions, iterations = settings.iterations;
  times.apply = time_of(host, repetitions, [&] { c_apply(op, f.data(), work.q.data()); });
  times.precondition =
      time_of(host, repetitions, [&] { c_precondition(op, f.data(), work.z.data()); });
  times.iteration =
      per(iterations, time_of(host, repetitions, [&] { c_pcg(op, f, u, work, iterations); }));
  times.total = times.setup +
                Perf::seconds_of(host, [&] { history = c_pcg(op, f, u, work, total_iterations); });
}

template <class Real>
void measure_c_interleaved(const Settings& settings, const CPanel<Real>& panel,
                           const std::vector<Real>& f, Times& times, std::vector<double>& history) {
  const Kokkos::DefaultHostExecutionSpace host;
  CWorkspace<Real> work(f.size());
  std::vector<Real> u(f.size());
  const int repetitions = settings.repetitions, iterations = settings.iterations;
  work.r = f;
  times.precondition = time_of(host, repetitions, [&] {
    c_interleaved_precondition(panel, Real(0), work.q.data(), work.r.data(), work.z.data());
  });
  times.apply = time_of(host, repetitions, [&] {
    c_interleaved_apply(panel, Real(0), Real(0.5), work.z.data(), u.data(), work.p.data(),
                        work.q.data());
  });
  times.iteration =
      per(iterations,
          time_of(host, repetitions, [&] { c_interleaved_pcg(panel, f, u, work, iterations); }));
  times.total = times.setup + Perf::seconds_of(host, [&] {
                  history = c_interleaved_pcg(panel, f, u, work, total_iterations);
                });
}

template <class Real>
void measure_precision(const Settings& settings, Column& column) {
  using Case = Perf::PanelCase<Kokkos::DefaultHostExecutionSpace, Real, Kokkos::LayoutRight>;
  const Precision precision = std::is_same_v<Real, float> ? single_precision : double_precision;
  std::fprintf(stderr, "  %s, %s precision\n", column.name.c_str(),
               precision_names[precision].data());
  const Case panel_case(settings.size);
  const auto field = panel_case.right_hand_side();
  const std::vector<Real> f(field.data(), field.data() + field.size());
  auto& times = column.times[precision];
  auto& histories = column.histories[precision];

  std::optional<CPanel<Real>> panel;
  const double panel_setup = Perf::seconds_of(panel_case.space, [&] {
    panel.emplace(panel_case.panel, panel_case.grid, panel_case.parameters);
  });
  times[matrix_free].setup = times[interleaved].setup = panel_setup;
  measure_c_solver(settings, *panel, f, times[matrix_free], histories[matrix_free]);
  measure_c_interleaved(settings, *panel, f, times[interleaved], histories[interleaved]);

  std::optional<CMatrix<Real>> matrix;
  times[matrix_explicit].setup = Perf::seconds_of(panel_case.space, [&] {
    matrix.emplace(panel_case.panel, panel_case.grid, panel_case.parameters);
  });
  measure_c_solver(settings, *matrix, f, times[matrix_explicit], histories[matrix_explicit]);
}

}  // namespace

Column measure_c(const Settings& settings) {
  Column column;
  column.name = "C here";
  column.device = Cli::HostMachine::describe(1);
  column.is_baseline = true;
  column.layout = Perf::layout_name<Kokkos::LayoutRight>;
  measure_precision<float>(settings, column);
  measure_precision<double>(settings, column);
  return column;
}

}  // namespace Lamina::Paper
