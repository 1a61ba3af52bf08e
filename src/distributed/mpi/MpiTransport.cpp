// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>
#include <distributed/mpi/TransportMethods.hpp>
#include <distributed/mpi/TransportTest.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace Lamina {
namespace {

constexpr const char* function = "make_transport";

/// "Open MPI v4.1.4, package: ...", of which the first line is kept.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version = text.data();
  std::string line = version.substr(0, version.find('\n'));
#if defined(LAMINA_HAVE_NCCL)
  line += ", NCCL " + Impl::NcclCommunicator::version();
#endif
  return line;
}

/// Options are agreed on before they are judged.
double host_timeout(const TransportOptions& options) {
  return options.host_timeout_seconds > 0 ? options.host_timeout_seconds
                                          : TransportOptions().host_timeout_seconds;
}

template <class Memory>
class MpiTransport final : public Transport {
 public:
  MpiTransport(MPI_Comm communicator, const TransportOptions& options)
      : m_communicator(std::make_shared<Impl::MpiCommunicator>(
            communicator, options.timeout_seconds, host_timeout(options))),
        m_report{"none", {}, library_version()} {}

  int rank() const override { return m_communicator->rank(); }
  int size() const override { return m_communicator->size(); }
  std::string_view name() const override { return m_report.name; }
  std::string_view memory() const override { return m_method ? Memory::name() : "none"; }
  TransportReport report() const override { return m_report; }
  const std::shared_ptr<Impl::MpiCommunicator>& communicator() const { return m_communicator; }
  void add_to_report(TransportReport::Candidate candidate) {
    m_report.candidates.push_back(std::move(candidate));
  }
  void use(std::string_view name, std::unique_ptr<Impl::TransportMethod> method) {
    m_report.name = name;
    m_method = std::move(method);
  }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const override {
    LAMINA_REQUIRE(all.size() == mine.size() * static_cast<std::size_t>(size()), "all_gather",
                   "all: expected the bytes of all ranks, got " + std::to_string(all.size()));
    m_communicator->all_gather(mine, all);
  }
  void broadcast(std::span<std::byte> bytes, int root) const override {
    m_communicator->broadcast(bytes, root);
  }
  std::vector<std::vector<std::byte>> all_to_all(
      const std::vector<std::vector<std::byte>>& outgoing) const override {
    Impl::require_extent("all_to_all", "outgoing", "lists", size(),
                         static_cast<long long>(outgoing.size()));
    return m_communicator->all_to_all(outgoing);
  }

  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes> peers) const override {
    return method("open_channels").open_channels(peers);
  }
  std::unique_ptr<RankSums> open_sums() const override { return method("open_sums").open_sums(); }

 private:
  const Impl::TransportMethod& method(const char* call) const {
    if (m_method) return *m_method;
    throw TransportError(std::string(call) + ": expected a transport of make_transport, got one " +
                         "of make_host_transport");
  }

  std::shared_ptr<Impl::MpiCommunicator> m_communicator;
  std::unique_ptr<Impl::TransportMethod> m_method;  // none: calls on the host alone
  TransportReport m_report;
};

void require_communicator(const char* caller, MPI_Comm communicator) {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0) {
    throw TransportError(std::string(caller) +
                         ": expected a call between MPI_Init and MPI_Finalize");
  }
  LAMINA_REQUIRE(communicator != MPI_COMM_NULL, caller,
                 "communicator: expected one, got MPI_COMM_NULL");
  int between_groups = 0;
  MPI_Comm_test_inter(communicator, &between_groups);
  LAMINA_REQUIRE(between_groups == 0, caller,
                 "communicator: expected one of a single group, got an intercommunicator");
}

/// A name of the caller, or of the environment where there is none.
std::string wanted_name(const TransportOptions& options) {
  constexpr const char* variable = "LAMINA_TRANSPORT";
  const char* const value = std::getenv(variable);
  const bool from_environment = options.name == "auto" && value != nullptr && *value != '\0';
  const std::string name = from_environment ? value : options.name;
  const auto& names = Impl::transport_names;
  const bool is_known =
      name == "auto" || std::find(names.begin(), names.end(), name) != names.end();
  LAMINA_REQUIRE(is_known, function,
                 std::string(from_environment ? variable : "options.name") +
                     ": expected auto, peer, nccl, mpi-device or mpi-host, got " + name);
  return name;
}

void require_time(const char* caller, const char* argument, double seconds) {
  LAMINA_REQUIRE(seconds > 0, caller,
                 std::string(argument) + ": expected a time > 0, got " + std::to_string(seconds));
}

void require_options(const TransportOptions& options) {
  require_time(function, "options.timeout_seconds", options.timeout_seconds);
  require_time(function, "options.host_timeout_seconds", options.host_timeout_seconds);
}

/// \param several  whether kernels run in threads beside the one that calls
void require_threads(bool several) {
  int level = MPI_THREAD_SINGLE, is_main = 0;
  MPI_Query_thread(&level);
  if (several && level < MPI_THREAD_FUNNELED) {
    throw TransportError(
        "make_transport: expected MPI_Init_thread with MPI_THREAD_FUNNELED or more for a space "
        "with several threads, got MPI_THREAD_SINGLE");
  }
  MPI_Is_thread_main(&is_main);
  if (level <= MPI_THREAD_FUNNELED && is_main == 0) {
    throw TransportError(
        "make_transport: expected MPI_THREAD_SERIALIZED or more for a call from another than the "
        "main thread");
  }
}

/// Makes one method that of the transport.
/// \throws TransportTimeout where a rank is missing
/// \return whether it works here, the same on all ranks
template <class Space>
bool try_method(MpiTransport<typename Space::memory_space>& transport, const Space& space,
                std::string_view name, bool self_test) {
  TransportReport::Candidate candidate;
  candidate.name = name;
  try {
    const Impl::TransportMethods<Space> methods(transport.communicator(), space);
    candidate.reason = methods.obstacle(name);
    if (candidate.reason.empty()) {
      transport.use(name, methods.make(name));
      if (self_test) candidate = Impl::TransportTest<Space>(transport, space).run();
      candidate.usable = true;
    }
  } catch (const TransportTimeout&) {
    throw;  // that rank tries no other method either
  } catch (const std::exception& error) {
    candidate.reason = error.what();
  }
  if (!candidate.usable || self_test) transport.add_to_report(candidate);
  return candidate.usable;
}

template <class Space>
void choose_method(MpiTransport<typename Space::memory_space>& transport, const Space& space,
                   const std::string& wanted, bool self_test) {
  std::string reasons;
  for (const std::string_view name : Impl::transport_names) {
    if (wanted != "auto" && wanted != name) continue;
    if (try_method(transport, space, name, self_test)) return;
    const auto refused = transport.report().candidates.back();
    reasons += (reasons.empty() ? "" : "; ") + refused.name + ": " + refused.reason;
  }
  throw TransportError("make_transport: expected a transport that works, got " + reasons);
}

}  // namespace

template <ExecutionSpace Space>
std::shared_ptr<const Transport> make_transport(MPI_Comm communicator, const Space& space,
                                                const TransportOptions& options) {
  using Memory = typename Space::memory_space;
  Impl::require_initialized(function);
  require_communicator(function, communicator);
  const auto transport = std::make_shared<MpiTransport<Memory>>(communicator, options);
  std::string name;
  Impl::run_agreed(*transport, [&] {
    require_options(options);
    name = wanted_name(options);
    require_threads(runs_on_host<Space> && space.concurrency() > 1);
  });
  const auto names = Impl::gather_values(*transport, std::hash<std::string>()(name));
  Impl::run_agreed(*transport, [&] {
    LAMINA_REQUIRE(std::count(names.begin(), names.end(), names[0]) == transport->size(), function,
                   "options.name, LAMINA_TRANSPORT: expected the same on all ranks, got " + name);
  });
  choose_method(*transport, space, name, options.self_test);
  return transport;
}

std::shared_ptr<const Transport> make_host_transport(MPI_Comm communicator,
                                                     double timeout_seconds) {
  require_communicator("make_host_transport", communicator);
  require_time("make_host_transport", "timeout_seconds", timeout_seconds);
  return std::make_shared<const MpiTransport<Kokkos::HostSpace>>(
      communicator, TransportOptions{.host_timeout_seconds = timeout_seconds});
}

#define LAMINA_INSTANTIATE(Space)                                                  \
  template std::shared_ptr<const Transport> make_transport(MPI_Comm, const Space&, \
                                                           const TransportOptions&);
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Lamina
