// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <distributed/mpi/MpiCommunicator.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace LaminaTest {
namespace {

/// What rank `from` sends to rank `to`: lists without bytes, too.
std::vector<std::byte> list_between(int from, int to, int round) {
  std::vector<std::byte> list(static_cast<std::size_t>((3 * from + 5 * to) % 8 * round));
  for (std::size_t n = 0; n < list.size(); ++n) {
    list[n] = static_cast<std::byte>(16 * from + to + 7 * static_cast<int>(n));
  }
  return list;
}

/// As lists of 2^30 bytes and more do, which a test has no memory for.
TEST(MpiCommunicator, SendsLongListsInPieces) {
  const Lamina::Impl::MpiCommunicator communicator(MPI_COMM_WORLD, 60, 60);
  for (const std::size_t longest : {1, 7, 64, 1 << 30}) {
    for (const int round : {1, 10}) {
      std::vector<std::vector<std::byte>> outgoing, expected;
      for (int other = 0; other < communicator.size(); ++other) {
        outgoing.push_back(list_between(communicator.rank(), other, round));
        expected.push_back(list_between(other, communicator.rank(), round));
      }
      EXPECT_EQ(communicator.all_to_all(outgoing, longest), expected) << longest;
    }
  }
}

}  // namespace
}  // namespace LaminaTest
