// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// Requests in flight.
struct MpiRequests {
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;

  explicit MpiRequests(std::size_t count) : requests(count, MPI_REQUEST_NULL), statuses(count) {}
  bool pending() const;
};

/// A duplicate of a communicator. All objects of a transport share it.
class MpiCommunicator {
 public:
  /// Collective.
  /// \param host_timeout_seconds  of collective calls on the host
  MpiCommunicator(MPI_Comm communicator, double timeout_seconds, double host_timeout_seconds);
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  MPI_Comm get() const { return m_communicator; }
  int rank() const { return m_rank; }
  int size() const { return m_size; }

  /// Throws TransportError("rank 1: " + text).
  [[noreturn]] void fail(const std::string& text) const;
  /// The same with the text of MPI, unless `code` is a success.
  void check(const char* call, int code) const;
  /// A number of bytes as MPI counts. Fails where it does not fit.
  int count(std::size_t bytes) const;

  /// A tag that no other channels have. Collective.
  int next_tag();

  // Collective calls on the host

  /// Waits for all ranks.
  void barrier() const;
  /// One value of each rank.
  template <class Value>
  std::vector<Value> gather(const Value& mine) const {
    std::vector<Value> all(static_cast<std::size_t>(m_size));
    all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
  }
  /// As many bytes of each rank.
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) const;
  /// The bytes of one rank.
  void broadcast(std::span<std::byte> bytes, int root) const;
  /// As many bytes to each rank, and from each.
  void all_to_all(std::span<const std::byte> outgoing, std::span<std::byte> incoming) const;
  /// Most bytes of a message: MPI counts with int.
  static constexpr std::size_t longest_message = std::size_t{1} << 30;
  /// Lists of any lengths. Those longer than `longest` travel in several messages, that of the own
  /// rank in none.
  /// \param longest  the same on all ranks
  std::vector<std::vector<std::byte>> all_to_all(std::vector<std::vector<std::byte>> outgoing,
                                                 std::size_t longest = longest_message) const;

  /// Whether objects can be freed, which is collective. After an error a rank may be alone.
  bool can_free() const;
  double timeout_seconds() const { return m_timeout; }
  /// Waits for all requests. Gives up with missing().
  template <class Missing>
  void wait_at_most(MpiRequests& requests, const Missing& missing) const {
    if (!wait_seconds(requests, m_timeout)) give_up(missing(), m_timeout);
  }
  /// Throws TransportTimeout("rank 1: " + missing + " for 60 s").
  [[noreturn]] void give_up(const std::string& missing) const { give_up(missing, m_timeout); }

 private:
  bool wait_seconds(MpiRequests& requests, double seconds) const;
  bool test(MpiRequests& requests) const;
  [[noreturn]] void give_up(const std::string& missing, double seconds) const;
  template <class Start>
  void run_collective(const char* call, std::span<const std::byte> from, std::span<std::byte> to,
                      const Start& start) const;
  template <class Buffers, class Start>
  void run_on_host(const char* call, MpiRequests& requests, std::unique_ptr<Buffers>& buffers,
                   const Start& start) const;

  MPI_Comm m_communicator = MPI_COMM_NULL;
  int m_rank = 0, m_size = 1, m_last_tag = 0, m_largest_tag = 0;
  double m_timeout, m_host_timeout;
};

}  // namespace Lamina::Impl
