// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <mpi.h>

#include <cstddef>
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
  MpiCommunicator(MPI_Comm communicator, double timeout_seconds);
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

  /// Waits for all ranks.
  void barrier() const;
  /// One value of each rank. Collective.
  template <class Value>
  std::vector<Value> gather(const Value& mine) const {
    std::vector<Value> all(static_cast<std::size_t>(m_size));
    gather_bytes(&mine, all.data(), sizeof(Value));
    return all;
  }
  /// `bytes` bytes to each rank, and from each. Collective.
  void all_to_all(const void* outgoing, void* incoming, std::size_t bytes) const;
  /// Whether objects can be freed, which is collective. After an error a rank may be alone.
  bool can_free() const;
  double timeout_seconds() const { return m_timeout; }
  std::string timeout_text() const;

  /// Waits for all requests.
  void wait(MpiRequests& requests) const;
  void wait(MPI_Request request) const;
  /// The same for a time at most. Fails with missing() + " for 60 s".
  template <class Missing>
  void wait_at_most(MpiRequests& requests, const Missing& missing) const {
    if (!wait_seconds(requests, m_timeout)) fail(missing() + " for " + timeout_text());
  }

 private:
  bool wait_seconds(MpiRequests& requests, double seconds) const;
  bool test(MpiRequests& requests) const;
  void gather_bytes(const void* mine, void* all, std::size_t bytes) const;

  MPI_Comm m_communicator = MPI_COMM_NULL;
  int m_rank = 0, m_size = 1, m_last_tag = 0, m_largest_tag = 0;
  double m_timeout;
};

}  // namespace Lamina::Impl
