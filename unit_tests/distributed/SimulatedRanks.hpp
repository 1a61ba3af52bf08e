// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <support/AddressSanitizer.hpp>
#include <ucontext.h>
#if defined(TEST_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace LaminaTest {

/// Runs a function once for each rank, all in one thread: each on a stack of its own, and one at a
/// time. A rank that waits lets the others run. Ranks that all wait get an exception instead of
/// waiting for ever. No switch may happen within a catch block.
class SimulatedRanks {
 public:
  using Work = std::function<void(int rank)>;

  explicit SimulatedRanks(int count) : m_ranks(static_cast<std::size_t>(count)) {}

  /// \throws what the first rank that failed has thrown
  void run(const Work& work) {
    m_work = &work;
    for (auto& rank : m_ranks) start(rank);
    while (resume_all()) {
    }
    if (m_failure) std::rethrow_exception(m_failure);
  }

  /// To be called by a rank: returns when ready() holds.
  template <class Ready>
  void wait(const Ready& ready) {
    while (!ready()) {
      if (m_stuck) throw Lamina::TransportError("all ranks wait");
      ++m_waiting;
      switch_to_scheduler();
    }
    m_waiting = 0;
  }

 private:
  static constexpr std::size_t stack_bytes = std::size_t(4) << 20;
  struct Rank {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    bool done = false;
  };

  static SimulatedRanks*& running() {
    static SimulatedRanks* ranks = nullptr;
    return ranks;
  }

  void start(Rank& rank) {
    rank.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    getcontext(&rank.context);
    rank.context.uc_stack.ss_sp = rank.stack.get();
    rank.context.uc_stack.ss_size = stack_bytes;
    rank.context.uc_link = &m_scheduler;
    makecontext(
        &rank.context, [] { running()->run_current(); }, 0);
  }

  void run_current() {
    finish_switch(nullptr);
    try {
      (*m_work)(static_cast<int>(m_current));
    } catch (...) {
      if (!m_failure) m_failure = std::current_exception();
    }
    m_ranks[m_current].done = true;
    m_waiting = 0;
    start_switch(nullptr, m_scheduler_stack, m_scheduler_bytes);
  }

  /// Returns whether some rank is left.
  bool resume_all() {
    std::size_t left = 0;
    for (const auto& rank : m_ranks) left += rank.done ? 0 : 1;
    // All have waited since the last one that went on.
    m_stuck = m_waiting > 2 * left;
    for (m_current = 0; m_current < m_ranks.size(); ++m_current) {
      Rank& rank = m_ranks[m_current];
      if (rank.done) continue;
      running() = this;
      void* save = nullptr;
      start_switch(&save, rank.stack.get(), stack_bytes);
      swapcontext(&m_scheduler, &rank.context);
      finish_switch(save);
    }
    return left > 0;
  }

  void switch_to_scheduler() {
    void* save = nullptr;
    start_switch(&save, m_scheduler_stack, m_scheduler_bytes);
    swapcontext(&m_ranks[m_current].context, &m_scheduler);
    finish_switch(save);
  }

  // The address sanitizer must hear of stacks.
#if defined(TEST_ADDRESS_SANITIZER)
  static void start_switch(void** save, const void* stack, std::size_t bytes) {
    __sanitizer_start_switch_fiber(save, stack, bytes);
  }
  void finish_switch(void* save) {
    const void* stack = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(save, &stack, &bytes);
    if (m_scheduler_stack == nullptr) {  // of the first switch, which comes from the scheduler
      m_scheduler_stack = stack;
      m_scheduler_bytes = bytes;
    }
  }
#else
  static void start_switch(void**, const void*, std::size_t) {}
  static void finish_switch(void*) {}
#endif

  std::vector<Rank> m_ranks;
  const Work* m_work = nullptr;
  std::size_t m_current = 0, m_waiting = 0;
  bool m_stuck = false;
  std::exception_ptr m_failure;
  ucontext_t m_scheduler{};
  const void* m_scheduler_stack = nullptr;
  std::size_t m_scheduler_bytes = 0;
};

}  // namespace LaminaTest
