// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/MpiTransport.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>

#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/machine/Launcher.hpp"
#include "support/options/InputError.hpp"
#include "support/output/StandardOutput.hpp"
#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {
namespace {

std::unique_ptr<const Ranks> connection;

/// Seconds that connected ranks wait for each other in the midst of a solve.
double time_limit = 0;

/// The same where one may work alone.
double host_time_limit() { return std::max(TransportOptions().host_timeout_seconds, time_limit); }

/// What this process finds.
double wanted_time_limit() {
  constexpr const char* variable = "LAMINA_TIMEOUT";
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return TransportOptions().timeout_seconds;
  const std::string_view word(text);
  double seconds = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
  if (error != std::errc() || end != word.data() + word.size() || !(seconds > 0)) {
    throw InputError(std::string(variable) + ": expected a number of seconds > 0, got " + text);
  }
  return seconds;
}

bool is_started() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

/// Also where nothing is connected yet.
int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace

const Ranks* connect_ranks() {
  const auto launch = find_launch();
  if (!launch || connection) return connection.get();
  int level = 0, size = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != launch->processes) {
    throw InputError("expected " + std::to_string(launch->processes) + " processes, as " +
                     launch->launcher + " tells, got " + std::to_string(size) +
                     " by MPI: the launcher belongs to another MPI, or has no support for it");
  }
  {  // The variable may be another one on another host: that of rank 0 counts.
    const std::shared_ptr<const Transport> host = make_host_transport(MPI_COMM_WORLD);
    const Ranks ranks(host, host);
    time_limit = ranks.of_first(make_agreed(&ranks, wanted_time_limit));
  }
  connection = std::make_unique<const Ranks>(make_host_transport(MPI_COMM_WORLD, host_time_limit()),
                                             make_host_transport(MPI_COMM_WORLD, time_limit));
  return connection.get();
}

const Ranks* connected_ranks() { return connection.get(); }

void disconnect_ranks() {
  connection.reset();
  if (!is_started()) return;
  MPI_Barrier(MPI_COMM_WORLD);  // launchers may kill the others when one has ended with status 2
  MPI_Finalize();
}

void wait_for_turn() {
  constexpr int most_turns = 8;
  constexpr std::chrono::milliseconds turn(250), until_kill(2000);
  const bool before = interrupted();
  // A signal that came before may be one of the launcher, as another rank gave up first: then it kills this one
  // soon, Open MPI after a second. Or it is one of the user, and says nothing of that.
  std::this_thread::sleep_for(std::min(world_rank(), most_turns) * turn +
                              (before ? until_kill : std::chrono::milliseconds(0)));
  // By the launcher, which ends all.
  if (interrupted() && !before) std::_Exit(bad_input);
}

void abort_ranks(const std::string& who, const std::string& message) {
  set_silent(false);
  const std::string rank = "rank " + std::to_string(world_rank()) + ": ";
  print_error(who, message.starts_with(rank) ? message : rank + message);
  MPI_Abort(MPI_COMM_WORLD, bad_input);
  std::_Exit(bad_input);
}

template <ExecutionSpace Space>
std::shared_ptr<const Transport> connect_memory(const Space& space, const std::string& name) {
  return make_transport(
      MPI_COMM_WORLD, space,
      {.name = name, .timeout_seconds = time_limit, .host_timeout_seconds = host_time_limit()});
}

#define LAMINA_CONNECT_MEMORY(Space) \
  template std::shared_ptr<const Transport> connect_memory(const Space&, const std::string&);
LAMINA_FOR_EACH_SPACE(LAMINA_CONNECT_MEMORY)

}  // namespace Lamina::Cli
