// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryNeed.hpp"

#include <fmt/format.h>

#include "HostMachine.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

/// Lists of neighbours, couplings and areas: in double precision on the host and on the device, and
/// rounded in the operator.
constexpr double bytes_per_column = 300;

double needed_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const double unknowns = static_cast<double>(problem.num_unknowns());
  const double scalar = variant.precision == Precision::double_precision ? 8 : 4;
  // right-hand side, solution, scratch, and the four of the solver; on a device also scratch for
  // lines
  double per_unknown = (variant.space->own_memory ? 8 : 7) * scalar;
  if (variant.solver == Solver::csr_pcg) {
    // seven entries with column numbers, start of the row, two tridiagonal fields
    per_unknown += 7 * (scalar + 4) + 8 + 2 * scalar;
  }
  return unknowns * per_unknown + static_cast<double>(problem.num_columns()) * bytes_per_column;
}

/// Copies that the host keeps of the fields of a device.
double mirrored_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                      bool with_output) {
  const double scalar = variant.precision == Precision::double_precision ? 8 : 4;
  return static_cast<double>(problem.num_unknowns()) * scalar * (with_output ? 2 : 1) +
         static_cast<double>(problem.num_columns()) * bytes_per_column;
}

std::string shortage(double needed, double available, std::string_view where) {
  if (needed <= available) return "";
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("needs {:.1f} GiB of {} memory, {:.1f} GiB are available", needed / gib, where,
                     available / gib);
}

}  // namespace

std::string memory_shortage(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                            bool with_output) {
  const Space& space = *variant.space;
  const std::string here = shortage(needed_bytes(problem, variant), space.available_bytes(),
                                    space.own_memory ? space.name : "host");
  if (!here.empty() || !space.own_memory) return here;
  return shortage(mirrored_bytes(problem, variant, with_output), HostMachine::available_bytes(),
                  "host");
}

}  // namespace Lamina::Cli
