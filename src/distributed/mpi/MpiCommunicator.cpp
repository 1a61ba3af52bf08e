// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/distributed/Transport.hpp>

#include <distributed/mpi/MpiCommunicator.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <thread>

namespace Lamina::Impl {

bool MpiRequests::pending() const {
  return std::any_of(requests.begin(), requests.end(),
                     [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
}

MpiCommunicator::MpiCommunicator(MPI_Comm communicator, double timeout_seconds)
    : m_timeout(timeout_seconds) {
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

void MpiCommunicator::barrier() const {
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Ibarrier", MPI_Ibarrier(m_communicator, &request));
  wait(request);
}

void MpiCommunicator::gather_bytes(const void* mine, void* all, std::size_t bytes) const {
  MPI_Request request = MPI_REQUEST_NULL;
  const int length = count(bytes);
  check("MPI_Iallgather",
        MPI_Iallgather(mine, length, MPI_BYTE, all, length, MPI_BYTE, m_communicator, &request));
  wait(request);
}

void MpiCommunicator::all_to_all(const void* outgoing, void* incoming, std::size_t bytes) const {
  MPI_Request request = MPI_REQUEST_NULL;
  const int length = count(bytes);
  check("MPI_Ialltoall", MPI_Ialltoall(outgoing, length, MPI_BYTE, incoming, length, MPI_BYTE,
                                       m_communicator, &request));
  wait(request);
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
  constexpr int tests_between_clocks = 128;
  constexpr double patience = 1e-3;  // afterwards other processes may have the core
  const auto start = Clock::now();
  while (true) {
    for (int n = 0; n < tests_between_clocks; ++n) {
      if (test(requests)) return true;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (waited > seconds) return false;
    if (waited > patience) std::this_thread::yield();
  }
}

void MpiCommunicator::wait(MpiRequests& requests) const {
  wait_seconds(requests, std::numeric_limits<double>::infinity());
}

void MpiCommunicator::wait(MPI_Request request) const {
  MpiRequests requests(1);
  requests.requests[0] = request;
  wait(requests);
}

std::string MpiCommunicator::timeout_text() const {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", m_timeout);
  return text.data();
}

}  // namespace Lamina::Impl
