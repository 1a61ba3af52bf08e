// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <fcntl.h>
#include <netcdf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "NetcdfInput.hpp"
#include "ReaderProcess.hpp"

namespace Lamina {
namespace {

/// What the child is asked for.
enum Request : std::uint64_t {
  get_text,
  get_number,
  count_variables,
  get_variable,
  get_dimensions,
  check_numbers,
  check_integers,
  read_block,
  close_file
};

/// The file itself, as a variable.
constexpr std::uint64_t whole_file = ~std::uint64_t{0};

int id_of(std::uint64_t variable) {
  return variable == whole_file ? NC_GLOBAL : static_cast<int>(variable);
}

template <class T>
Message message_of(const std::optional<T>& value) {
  Message message;
  message.put(std::uint64_t{value.has_value()});
  if constexpr (std::is_same_v<T, int>) {
    if (value) message.put(static_cast<std::uint64_t>(*value));
  } else {
    if (value) message.put(*value);
  }
  return message;
}

/// In the child.
Message answer_of(std::uint64_t kind, NetcdfInput& input, const SharedValues& shared,
                  Message& request) {
  Message answer;
  if (kind == get_text) {
    const int variable = id_of(request.get_count());
    return message_of(input.find_text(variable, request.get_text()));
  }
  if (kind == get_number) {
    const int variable = id_of(request.get_count());
    return message_of(input.find_number(variable, request.get_text()));
  }
  if (kind == count_variables) {
    return answer.put(static_cast<std::uint64_t>(input.num_variables()));
  }
  if (kind == get_variable) return message_of(input.find_variable(request.get_text()));
  const int variable = id_of(request.get_count());
  if (kind == get_dimensions) {
    const auto dimensions = input.dimensions(variable);
    answer.put(std::uint64_t{dimensions.size()});
    for (const auto& [name, length] : dimensions) answer.put(name).put(std::uint64_t{length});
  } else if (kind == check_numbers) {
    (void)input.numbers(variable);
  } else if (kind == check_integers) {
    answer.put(std::uint64_t{input.holds_integers(variable)});
  } else {
    const auto start = request.get_counts(), count = request.get_counts();
    input.numbers(variable).read(start, count, shared.data(), request.get_count() != 0);
  }
  return answer;
}

/// Calls `function(start, count, offset)` for pieces of a block that hold at most so many values,
/// and are contiguous from `offset` on.
template <class Function>
void for_each_piece(std::vector<std::size_t> start, std::vector<std::size_t> count,
                    std::size_t most_values, const Function& function) {
  if (std::find(count.begin(), count.end(), std::size_t{0}) != count.end()) return;
  std::size_t d = count.size(), inner = 1;  // dimensions from d on are whole in each piece
  while (d > 0 && inner * count[d - 1] <= most_values) inner *= count[--d];
  if (d == 0) {
    function(start, count, std::size_t{0});
    return;
  }
  const std::size_t step = most_values / inner, cut = d - 1;
  const std::vector<std::size_t> first = start, extents = count;
  std::fill_n(count.begin(), cut, std::size_t{1});
  for (std::size_t offset = 0;;) {
    const std::size_t end = first[cut] + extents[cut];
    for (start[cut] = first[cut]; start[cut] < end; start[cut] += step) {
      count[cut] = std::min(step, end - start[cut]);
      function(start, count, offset);
      offset += count[cut] * inner;
    }
    std::size_t outer = cut;  // the next place of the dimensions before
    while (outer > 0 && ++start[outer - 1] == first[outer - 1] + extents[outer - 1]) {
      start[outer - 1] = first[outer - 1];
      --outer;
    }
    if (outer == 0) return;
  }
}

/// An open file, whatever its name; closed at the end.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : m_descriptor(above_streams(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))) {
    if (m_descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) {
      throw FileError(path, "no such file");
    }
    if (m_descriptor < 0) {
      throw FileError(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    struct stat status {};
    if (fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
      close(m_descriptor);
      throw FileError(path, "not a regular file");
    }
    m_size = static_cast<double>(status.st_size);
  }
  ~OpenFile() { close(m_descriptor); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::string name() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }
  double size() const { return m_size; }

 private:
  int m_descriptor;
  double m_size = 0;
};

/// Less than any storage reaches.
constexpr double slowest_file = 1e8, slowest_values = 4e6;  // bytes a second

std::size_t value_bytes(const ReadLimits& limits) { return limits.num_values * sizeof(double); }

}  // namespace

/// The child and what it shares.
class NetcdfReader::Process {
 public:
  Process(const OpenFile& file, const ReadLimits& limits)
      : m_shared(shared_values),
        m_child(
            [this, name = file.name(), cache = value_bytes(limits)] {
              const auto open = [name, cache] {
                return std::make_shared<NetcdfInput>(name, cache);
              };
              return [this, open, input = open()](Message& request) mutable {
                if (!input) input = open();
                const std::uint64_t kind = request.get_count();
                if (kind != close_file) return answer_of(kind, *input, m_shared, request);
                input.reset();
                return Message();
              };
            },
            (limits.megabytes << 20) + copies * value_bytes(limits), "the NetCDF library") {
    m_child.grant(limits.seconds + file.size() / slowest_file +
                  static_cast<double>(value_bytes(limits)) / slowest_values);
    (void)m_child.ask(Message());
  }

  Message ask(const Message& request) { return m_child.ask(request); }

  void read(int variable, const std::vector<std::size_t>& start,
            const std::vector<std::size_t>& count, double* values, Missing missing) {
    for_each_piece(start, count, m_shared.size(),
                   [&](const auto& from, const auto& extents, std::size_t offset) {
                     std::size_t size = 1;
                     for (const std::size_t extent : extents) size *= extent;
                     m_child.grant(static_cast<double>(size * sizeof(double)) / slowest_values);
                     (void)m_child.ask(Message()
                                           .put(std::uint64_t{read_block})
                                           .put(static_cast<std::uint64_t>(variable))
                                           .put(from)
                                           .put(extents)
                                           .put(std::uint64_t{missing == Missing::as_nan}));
                     std::copy_n(m_shared.data(), size, values + offset);
                   });
  }

 private:
  /// 2 MiB: fits into caches, and the way there and back is short beside it.
  static constexpr std::size_t shared_values = std::size_t{1} << 18;
  /// Chunks as they are stored and unpacked, the cache, and a spare one.
  static constexpr std::size_t copies = 4;

  SharedValues m_shared;
  ReaderProcess m_child;
};

std::string shape_text(const std::vector<NetcdfDimension>& dimensions) {
  std::string text;
  for (const auto& [name, length] : dimensions) {
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(length);
  }
  return '(' + text + ')';
}

namespace {

/// Calls `function`, and names the file in what it throws.
template <class Function>
auto for_file(const std::filesystem::path& path, const Function& function) {
  try {
    return function();
  } catch (const ReadProblem& problem) {
    throw FileError(path, problem.what());
  } catch (const std::out_of_range&) {
    throw FileError(path, "not readable: the NetCDF library crashed on it");
  }
}

}  // namespace

NetcdfReader::NetcdfReader(const std::filesystem::path& path, const ReadLimits& limits)
    : m_path(path),
      m_process(for_file(path, [&] { return std::make_unique<Process>(OpenFile(path), limits); })) {
}
NetcdfReader::~NetcdfReader() = default;
NetcdfReader::NetcdfReader(NetcdfReader&&) noexcept = default;

std::optional<std::string> NetcdfReader::find_text(const std::string& name) const {
  return find_text(-1, name);
}

std::optional<std::string> NetcdfReader::find_text(int variable, const std::string& name) const {
  return for_file(m_path, [&]() -> std::optional<std::string> {
    const std::uint64_t id = variable < 0 ? whole_file : static_cast<std::uint64_t>(variable);
    auto answer = m_process->ask(Message().put(std::uint64_t{get_text}).put(id).put(name));
    if (answer.get_count() == 0) return std::nullopt;
    return answer.get_text();
  });
}

std::optional<double> NetcdfReader::find_number(const std::string& name) const {
  return find_number(-1, name);
}

std::optional<double> NetcdfReader::find_number(int variable, const std::string& name) const {
  return for_file(m_path, [&]() -> std::optional<double> {
    const std::uint64_t id = variable < 0 ? whole_file : static_cast<std::uint64_t>(variable);
    auto answer = m_process->ask(Message().put(std::uint64_t{get_number}).put(id).put(name));
    if (answer.get_count() == 0) return std::nullopt;
    return answer.get_number();
  });
}

int NetcdfReader::num_variables() const {
  return for_file(m_path, [&] {
    auto answer = m_process->ask(Message().put(std::uint64_t{count_variables}));
    return static_cast<int>(answer.get_count());
  });
}

std::optional<int> NetcdfReader::find_variable(const std::string& name) const {
  return for_file(m_path, [&]() -> std::optional<int> {
    auto answer = m_process->ask(Message().put(std::uint64_t{get_variable}).put(name));
    if (answer.get_count() == 0) return std::nullopt;
    return static_cast<int>(answer.get_count());
  });
}

std::vector<NetcdfDimension> NetcdfReader::dimensions(int variable) const {
  return for_file(m_path, [&] {
    auto answer = m_process->ask(
        Message().put(std::uint64_t{get_dimensions}).put(static_cast<std::uint64_t>(variable)));
    std::vector<NetcdfDimension> dimensions;
    for (std::uint64_t n = answer.get_count(); n > 0; --n) {
      std::string name = answer.get_text();
      dimensions.push_back({std::move(name), answer.get_count()});
    }
    return dimensions;
  });
}

void NetcdfReader::require_numbers(int variable) const {
  for_file(m_path, [&] {
    (void)m_process->ask(
        Message().put(std::uint64_t{check_numbers}).put(static_cast<std::uint64_t>(variable)));
  });
}

bool NetcdfReader::holds_integers(int variable) const {
  return for_file(m_path, [&] {
    auto answer = m_process->ask(
        Message().put(std::uint64_t{check_integers}).put(static_cast<std::uint64_t>(variable)));
    return answer.get_count() != 0;
  });
}

void NetcdfReader::read(int variable, const std::vector<std::size_t>& start,
                        const std::vector<std::size_t>& count, double* values,
                        Missing missing) const {
  for_file(m_path, [&] { m_process->read(variable, start, count, values, missing); });
}

void NetcdfReader::release() const {
  for_file(m_path, [&] { (void)m_process->ask(Message().put(std::uint64_t{close_file})); });
}

}  // namespace Lamina
