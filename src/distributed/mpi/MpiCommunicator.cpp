// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/Tuning.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

namespace Lamina::Impl {
namespace {

/// Bytes to or from a rank that are one message.
struct Piece {
  std::span<std::byte> bytes;
  int rank;
};

/// The messages of lists to or from all ranks but `own`.
std::vector<Piece> pieces_of(std::vector<std::vector<std::byte>>& lists, std::size_t own,
                             std::size_t longest) {
  std::vector<Piece> pieces;
  for (std::size_t n = 0; n < lists.size(); ++n) {
    if (n == own) continue;
    for (std::span<std::byte> rest(lists[n]); !rest.empty();) {
      const auto piece = rest.first(std::min(longest, rest.size()));
      pieces.push_back({piece, static_cast<int>(n)});
      rest = rest.subspan(piece.size());
    }
  }
  return pieces;
}

}  // namespace

bool MpiRequests::pending() const {
  return std::any_of(requests.begin(), requests.end(),
                     [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
}

MpiCommunicator::MpiCommunicator(MPI_Comm communicator, double timeout_seconds,
                                 double host_timeout_seconds)
    : m_timeout(timeout_seconds), m_host_timeout(host_timeout_seconds) {
  check("MPI_Comm_dup", MPI_Comm_dup(communicator, &m_communicator));
  check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(m_communicator, MPI_ERRORS_RETURN));
  check("MPI_Comm_rank", MPI_Comm_rank(m_communicator, &m_rank));
  check("MPI_Comm_size", MPI_Comm_size(m_communicator, &m_size));
  int* largest_tag = nullptr;
  int found = 0;
  check("MPI_Comm_get_attr",
        MPI_Comm_get_attr(m_communicator, MPI_TAG_UB, static_cast<void*>(&largest_tag), &found));
  constexpr int least_by_the_standard = 32767;
  m_largest_tag = found != 0 ? *largest_tag : least_by_the_standard;
}

MpiCommunicator::~MpiCommunicator() {
  if (can_free()) MPI_Comm_free(&m_communicator);
}

bool MpiCommunicator::can_free() const {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized == 0 && std::uncaught_exceptions() == 0;
}

/// Starts messages on the host and waits for them. Where it fails MPI may still read or write the
/// buffers: they stay.
template <class Buffers, class Start>
void MpiCommunicator::run_on_host(const char* call, MpiRequests& requests,
                                  std::unique_ptr<Buffers>& buffers, const Start& start) const {
  try {
    start();
    if (!wait_seconds(requests, m_host_timeout)) {
      give_up("no answer of other ranks in " + std::string(call), m_host_timeout);
    }
  } catch (...) {
    static_cast<void>(buffers.release());
    throw;
  }
}

template <class Start>
void MpiCommunicator::run_collective(const char* call, std::span<const std::byte> from,
                                     std::span<std::byte> to, const Start& start) const {
  struct Buffers {
    std::vector<std::byte> from, to;
  };
  auto buffers =
      std::make_unique<Buffers>(Buffers{{from.begin(), from.end()}, {to.begin(), to.end()}});
  MpiRequests requests(1);
  run_on_host(call, requests, buffers, [&] {
    check(call, start(buffers->from.data(), buffers->to.data(), &requests.requests[0]));
  });
  std::copy(buffers->to.begin(), buffers->to.end(), to.begin());
}

void MpiCommunicator::barrier() const {
  run_collective("MPI_Ibarrier", {}, {}, [&](const void*, void*, MPI_Request* request) {
    return MPI_Ibarrier(m_communicator, request);
  });
}

void MpiCommunicator::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const {
  const int length = count(mine.size());
  run_collective("MPI_Iallgather", mine, all,
                 [&](const void* from, void* to, MPI_Request* request) {
                   return MPI_Iallgather(from, length, MPI_BYTE, to, length, MPI_BYTE,
                                         m_communicator, request);
                 });
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes, int root) const {
  const int length = count(bytes.size());
  run_collective("MPI_Ibcast", {}, bytes, [&](const void*, void* to, MPI_Request* request) {
    return MPI_Ibcast(to, length, MPI_BYTE, root, m_communicator, request);
  });
}

void MpiCommunicator::all_to_all(std::span<const std::byte> outgoing,
                                 std::span<std::byte> incoming) const {
  const int length = count(outgoing.size() / static_cast<std::size_t>(m_size));
  run_collective(
      "MPI_Ialltoall", outgoing, incoming, [&](const void* from, void* to, MPI_Request* request) {
        return MPI_Ialltoall(from, length, MPI_BYTE, to, length, MPI_BYTE, m_communicator, request);
      });
}

std::vector<std::vector<std::byte>> MpiCommunicator::all_to_all(
    std::vector<std::vector<std::byte>> outgoing, std::size_t longest) const {
  const auto ranks = static_cast<std::size_t>(m_size), own = static_cast<std::size_t>(m_rank);
  std::vector<std::uint64_t> sent, received(ranks);
  for (const auto& list : outgoing) sent.push_back(list.size());
  all_to_all(std::as_bytes(std::span(sent)), std::as_writable_bytes(std::span(received)));

  constexpr int tag = 0;  // of no channels
  struct Buffers {
    std::vector<std::vector<std::byte>> outgoing, incoming;
  };
  auto buffers = std::make_unique<Buffers>(
      Buffers{std::move(outgoing), std::vector<std::vector<std::byte>>(ranks)});
  auto &from = buffers->outgoing, &to = buffers->incoming;
  to[own] = std::exchange(from[own], {});
  for (std::size_t n = 0; n < ranks; ++n) {
    if (n != own) to[n].resize(received[n]);
  }
  // Nothing is in flight where memory or a count does not suffice.
  const std::vector<Piece> to_receive = pieces_of(to, own, longest),
                           to_send = pieces_of(from, own, longest);
  static_cast<void>(count(longest));
  MpiRequests requests(to_receive.size() + to_send.size());
  run_on_host("MPI_Isend, MPI_Irecv", requests, buffers, [&] {
    MPI_Request* request = requests.requests.data();
    for (const auto& [bytes, rank] : to_receive) {
      check("MPI_Irecv", MPI_Irecv(bytes.data(), count(bytes.size()), MPI_BYTE, rank, tag,
                                   m_communicator, request++));
    }
    for (const auto& [bytes, rank] : to_send) {
      check("MPI_Isend", MPI_Isend(bytes.data(), count(bytes.size()), MPI_BYTE, rank, tag,
                                   m_communicator, request++));
    }
  });
  return std::move(buffers->incoming);
}

int MpiCommunicator::next_tag() {
  m_last_tag = m_last_tag < m_largest_tag ? m_last_tag + 1 : 1;
  return m_last_tag;
}

void MpiCommunicator::fail(const std::string& text) const {
  throw TransportError("rank " + std::to_string(m_rank) + ": " + text);
}

void MpiCommunicator::check(const char* call, int code) const {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  fail(std::string(call) + ": " + text.data());
}

int MpiCommunicator::count(std::size_t bytes) const {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fail("expected a message of fewer than 2^31 bytes, got " + std::to_string(bytes));
  }
  return static_cast<int>(bytes);
}

bool MpiCommunicator::test(MpiRequests& requests) const {
  int done = 0;
  const int code = MPI_Testall(static_cast<int>(requests.requests.size()), requests.requests.data(),
                               &done, requests.statuses.data());
  if (code == MPI_ERR_IN_STATUS) {
    for (const MPI_Status& status : requests.statuses) {
      if (status.MPI_ERROR != MPI_ERR_PENDING) check("MPI_Testall", status.MPI_ERROR);
    }
  }
  check("MPI_Testall", code);
  return done != 0;
}

bool MpiCommunicator::wait_seconds(MpiRequests& requests, double seconds) const {
  using Clock = std::chrono::steady_clock;
  // Messages of ranks of one host come within microseconds: test often, and read the clock seldom.
  const auto start = Clock::now();
  while (true) {
    for (int n = 0; n < WaitTuning::message_tests; ++n) {
      if (test(requests)) return true;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (waited > seconds) return false;
    if (waited > WaitTuning::message_patience) std::this_thread::yield();
  }
}

void MpiCommunicator::give_up(const std::string& missing, double seconds) const {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), " for %g s", seconds);
  throw TransportTimeout("rank " + std::to_string(m_rank) + ": " + missing + text.data());
}

}  // namespace Lamina::Impl
