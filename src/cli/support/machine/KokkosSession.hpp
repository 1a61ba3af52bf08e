// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <vector>

namespace Lamina::Cli {

/// The arguments of the program, Kokkos' own apart.
struct Arguments {
  std::vector<std::string> own, kokkos;
};
Arguments split_arguments(int count, char** arguments);

/// Initialises Kokkos for its lifetime.
class KokkosSession {
 public:
  /// \throws InputError for arguments that Kokkos does not accept, more threads than it has room for, or
  /// than the system lets it start
  explicit KokkosSession(const std::vector<std::string>& arguments);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

/// "3.4.1"
std::string kokkos_version();

}  // namespace Lamina::Cli
