// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>

namespace Lamina {
namespace {

std::string message_of(const std::exception_ptr& failure) {
  if (!failure) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

class LoopbackTransport final : public Transport {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string_view name() const override { return "none"; }
  std::string_view memory() const override { return "any"; }
  TransportReport report() const override { return {"none", {}, {}}; }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
  std::vector<std::vector<std::byte>> all_to_all(
      const std::vector<std::vector<std::byte>>& outgoing) const override {
    return outgoing;
  }
  void broadcast(std::span<std::byte>, int) const override {}
  // The exchange itself copies what stays within the rank, and a sum of one part is that part.
  std::unique_ptr<Channels> open_channels(std::span<const PeerBytes>) const override {
    return nullptr;
  }
  std::unique_ptr<RankSums> open_sums() const override { return nullptr; }
};

}  // namespace

RankFailure::RankFailure(int rank, const std::string& message)
    : std::runtime_error("rank " + std::to_string(rank) + ": " + message), m_rank(rank) {}

void Transport::agree(const std::exception_ptr& failure) const {
  const std::string mine = message_of(failure);
  // The length of the message of a rank that has failed, or -1.
  const auto lengths = Impl::gather_values(*this, failure ? static_cast<long>(mine.size()) : -1L);
  const auto failed =
      std::find_if(lengths.begin(), lengths.end(), [](long length) { return length >= 0; });
  if (failed == lengths.end()) return;
  if (size() == 1) std::rethrow_exception(failure);
  const int root = static_cast<int>(failed - lengths.begin());
  std::string message = rank() == root ? mine : std::string(static_cast<std::size_t>(*failed), ' ');
  broadcast(std::as_writable_bytes(std::span(message)), root);
  throw RankFailure(root, message);
}

void Impl::require_memory(const char* function, const Transport& transport,
                          const std::string& memory) {
  LAMINA_REQUIRE(transport.size() == 1 || transport.memory() == memory, function,
                 "transport: expected one for memory space " + memory + ", got one for " +
                     std::string(transport.memory()));
}

void Impl::run_agreed(const Transport& transport, FunctionRef<void()> work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  transport.agree(failure);
}

void Impl::run_agreed(const Transport* transport, FunctionRef<void()> work) {
  if (transport == nullptr) return work();
  run_agreed(*transport, work);
}

std::shared_ptr<const Transport> make_loopback_transport() {
  return std::make_shared<const LoopbackTransport>();
}

}  // namespace Lamina
