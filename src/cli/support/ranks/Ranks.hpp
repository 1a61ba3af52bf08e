// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Transport.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Lamina::Cli {

/// What went wrong on one rank or on all. All ranks throw it, with the same message.
class SharedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The processes of one launch that work on a command together. All functions but `rank`, `size`,
/// `hosts` and `num_on_host` are collective. A null pointer stands for a process of its own.
class Ranks {
 public:
  /// \param host  calls on the host, of all processes, between which one may work alone for long
  /// \param step  the same in the midst of work that all do at the same pace
  Ranks(std::shared_ptr<const Transport> host, std::shared_ptr<const Transport> step);

  int rank() const { return m_host->rank(); }
  int size() const { return m_host->size(); }
  bool is_first() const { return rank() == 0; }  ///< the one that writes and prints
  /// Calls on the host.
  const Transport& transport() const { return *m_host; }
  /// The name of the host of each rank.
  const std::vector<std::string>& hosts() const { return m_hosts; }
  /// Ranks on the host of this one.
  int num_on_host() const;

  /// The end of a phase that may fail on some ranks only.
  /// \throws SharedError on all ranks where `failure` is set on one; it names the lowest such rank,
  ///   unless all have failed with one message
  void agree(const std::exception_ptr& failure) const;
  /// The end of work of rank 0 that the others wait for.
  /// \throws SharedError on all ranks where `failure` is set on rank 0, with its message alone
  void agree_with_first(const std::exception_ptr& failure) const;

  /// A value of each rank.
  template <class Value>
  std::vector<Value> gather(const Value& mine) const {
    return gather_over(*m_host, mine);
  }
  /// The same in the midst of work that all do at the same pace.
  /// \throws TransportTimeout where a rank does not come soon
  template <class Value>
  std::vector<Value> gather_in_step(const Value& mine) const {
    return gather_over(*m_step, mine);
  }
  /// The bytes of each rank on rank 0, and none of the others elsewhere.
  std::vector<std::vector<std::byte>> gather_at_first(std::vector<std::byte> mine) const;
  std::vector<std::string> gather_at_first(const std::string& mine) const;
  /// What rank 0 makes for this rank. It makes the bytes of one rank after the other, and holds no
  /// more of them. \throws SharedError on all ranks where `make` throws
  std::vector<std::byte> scatter_from_first(
      const std::function<std::vector<std::byte>(int rank)>& make) const;
  /// The value of rank 0.
  template <class Value>
  Value of_first(Value value) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    m_host->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
    return value;
  }

 private:
  template <class Value>
  static std::vector<Value> gather_over(const Transport& transport, const Value& mine) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::vector<Value> all(static_cast<std::size_t>(transport.size()));
    transport.all_gather(std::as_bytes(std::span(&mine, 1)),
                         std::as_writable_bytes(std::span(all)));
    return all;
  }

  std::shared_ptr<const Transport> m_host, m_step;
  std::vector<std::string> m_hosts;
};

/// What is wrong with the cores that ranks have for so many threads each, and what helps; empty: nothing.
std::string binding_warning(const Ranks& ranks, int num_threads);

/// Runs work of this process alone, the same on all ranks.
/// \throws SharedError on all ranks where it throws on one; without ranks what it throws
/// \throws TransportTimeout where `work` waited for a rank that does not come
void run_agreed(const Ranks* ranks, const std::function<void()>& work);

/// The same with a value that is made.
template <class Make>
auto make_agreed(const Ranks* ranks, const Make& make) {
  std::optional<decltype(make())> value;
  run_agreed(ranks, [&] { value.emplace(make()); });
  return std::move(*value);
}

/// Runs work of rank 0 alone.
/// \throws SharedError on all ranks where it throws, with its message alone
void run_on_first(const Ranks& ranks, const std::function<void()>& work);

// --- A number of each rank as one of all, added in the order of the ranks, by `gather_in_step` ---

double sum_of_all(const Ranks* ranks, double mine);
double largest_of_all(const Ranks* ranks, double mine);
/// The 2-norm of fields in parts, from the norms of the parts.
double norm_of_all(const Ranks* ranks, double mine);

}  // namespace Lamina::Cli
