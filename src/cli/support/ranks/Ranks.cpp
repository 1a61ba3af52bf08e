// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/ranks/Ranks.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "support/ErrorText.hpp"

namespace Lamina::Cli {
namespace {

using HostName = std::array<char, 256>;

HostName host_name() {
  HostName name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name = {'?'};
  return name;
}

}  // namespace

Ranks::Ranks(std::shared_ptr<const Transport> host, std::shared_ptr<const Transport> step)
    : m_host(std::move(host)), m_step(std::move(step)) {
  for (const HostName& name : gather(host_name())) m_hosts.emplace_back(name.data());
}

int Ranks::num_on_host() const {
  const std::string& mine = m_hosts[static_cast<std::size_t>(rank())];
  return static_cast<int>(std::count(m_hosts.begin(), m_hosts.end(), mine));
}

void Ranks::agree(const std::exception_ptr& failure) const {
  struct Outcome {
    std::size_t failed, message;
  };
  const std::string text = failure ? error_text(failure) : "";
  const auto outcomes = gather(Outcome{failure ? 1U : 0U, std::hash<std::string>()(text)});
  const bool alike = std::all_of(outcomes.begin(), outcomes.end(), [&](const Outcome& other) {
    return other.failed == outcomes[0].failed && other.message == outcomes[0].message;
  });
  if (alike && failure) throw SharedError(text);
  if (alike) return;
  try {
    m_host->agree(failure ? std::make_exception_ptr(std::runtime_error(text)) : nullptr);
  } catch (const RankFailure& error) {
    throw SharedError(error.what());
  }
}

void Ranks::agree_with_first(const std::exception_ptr& failure) const {
  std::string text = failure ? error_text(failure) : "";
  const auto length = of_first(failure ? static_cast<std::int64_t>(text.size()) : -1);
  if (length < 0) return;
  text.resize(static_cast<std::size_t>(length));
  m_host->broadcast(std::as_writable_bytes(std::span(text)), 0);
  throw SharedError(text);
}

std::vector<std::byte> Ranks::scatter_from_first(
    const std::function<std::vector<std::byte>(int rank)>& make) const {
  std::exception_ptr failure;
  const auto made = [&](int rank) {
    try {
      if (is_first() && !failure) return make(rank);
    } catch (...) {
      failure = std::current_exception();
    }
    return std::vector<std::byte>();
  };
  std::vector<std::byte> mine;
  for (int rank = 1; rank < size(); ++rank) {
    std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(size()));
    outgoing[static_cast<std::size_t>(rank)] = made(rank);
    auto incoming = m_host->all_to_all(outgoing);
    if (rank == this->rank()) mine = std::move(incoming[0]);
  }
  if (is_first()) mine = made(0);
  agree_with_first(failure);
  return mine;
}

std::vector<std::vector<std::byte>> Ranks::gather_at_first(std::vector<std::byte> mine) const {
  std::vector<std::vector<std::byte>> outgoing(static_cast<std::size_t>(size()));
  outgoing[0] = std::move(mine);
  return m_host->all_to_all(outgoing);
}

std::vector<std::string> Ranks::gather_at_first(const std::string& mine) const {
  const auto bytes = std::as_bytes(std::span(mine));
  std::vector<std::string> texts;
  for (const auto& list : gather_at_first(std::vector(bytes.begin(), bytes.end()))) {
    std::string& text = texts.emplace_back(list.size(), ' ');
    if (!list.empty()) std::memcpy(text.data(), list.data(), list.size());
  }
  return texts;
}

std::string binding_warning(const Ranks& ranks, int num_threads) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return "";
  const int cores = CPU_COUNT(&allowed), on_host = ranks.num_on_host();
  const auto all_cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (cores < num_threads) {
    return "threads share cores that the launcher bound them to: mpirun --bind-to none";
  }
  if (on_host > all_cores) return "there are more ranks on this host than cores";
  if (num_threads * on_host > all_cores) {
    return "there are more threads on this host than cores: OMP_NUM_THREADS=" +
           std::to_string(all_cores / on_host);
  }
  return "";
}

void run_agreed(const Ranks* ranks, const std::function<void()>& work) {
  if (ranks == nullptr) return work();
  std::exception_ptr failure;
  try {
    work();
  } catch (const TransportTimeout&) {
    throw;  // that rank would not come here either
  } catch (...) {
    failure = std::current_exception();
  }
  ranks->agree(failure);
}

void run_on_first(const Ranks& ranks, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    if (ranks.is_first()) work();
  } catch (...) {
    failure = std::current_exception();
  }
  ranks.agree_with_first(failure);
}

double sum_of_all(const Ranks* ranks, double mine) {
  if (ranks == nullptr) return mine;
  double sum = 0;
  for (const double part : ranks->gather_in_step(mine)) sum += part;
  return sum;
}

double largest_of_all(const Ranks* ranks, double mine) {
  if (ranks == nullptr) return mine;
  const auto parts = ranks->gather_in_step(mine);
  const bool has_nan = std::any_of(parts.begin(), parts.end(), [](double x) { return x != x; });
  return has_nan ? std::nan("") : *std::max_element(parts.begin(), parts.end());
}

double norm_of_all(const Ranks* ranks, double mine) {
  const double largest = largest_of_all(ranks, mine);
  if (ranks == nullptr || !(largest > 0) || std::isinf(largest)) return largest;
  return largest * std::sqrt(sum_of_all(ranks, mine / largest * (mine / largest)));
}

}  // namespace Lamina::Cli
