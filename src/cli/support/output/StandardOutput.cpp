// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/StandardOutput.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "support/options/InputError.hpp"

namespace Lamina::Cli {
namespace {

/// A character of UTF-8 and its bytes; no bytes where the text does not begin with one.
struct Character {
  std::uint32_t code = 0;
  std::size_t num_bytes = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t num_bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < num_bytes) return {};
  std::uint32_t code = lead & (0x7fU >> num_bytes);
  for (std::size_t n = 1; n < num_bytes; ++n) {
    if ((byte(n) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(n) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // others are written too long
  const bool valid = code >= least[num_bytes] && code <= 0x10ffff && (code & ~0x7ffU) != 0xd800;
  return valid ? Character{code, num_bytes} : Character{};
}

bool is_printable(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool separator = code == 0x2028 || code == 0x2029;  // of lines and paragraphs
  const bool direction = code == 0x061c || code == 0x200e || code == 0x200f ||
                         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !control && !separator && !direction;
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  if (bytes == "\r") return "\\r";
  std::string result;
  for (const char byte : bytes) {
    result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return result;
}

bool is_silent = false;
int first_error = 0;  // of writes to standard output; 0: none

void remember_error() {
  if (first_error == 0) first_error = errno != 0 ? errno : EIO;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t count = character.num_bytes > 0 ? character.num_bytes : 1;
    const bool shown = character.num_bytes > 0 && is_printable(character.code);
    const std::string_view bytes = text.substr(0, count);
    result += shown ? std::string(bytes) : escaped(bytes);
    text.remove_prefix(count);
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    result += printable(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return result + printable(text);
}

void set_silent(bool silent) { is_silent = silent; }

void write_output(std::string_view bytes) {
  if (is_silent) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) remember_error();
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) remember_error();
}

void print_error(const std::string& who, std::string_view message) {
  if (is_silent) return;
  const std::string line = printable(who) + ": " + printable(message) + '\n';
  flush_output();  // what came before stands before
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // Takes the lowest free number. Writes to standard output are to fail, as it is closed.
    const int flags = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", flags) < 0) return;
  }
}

std::string output_problem() {
  flush_output();
  if (first_error == 0) return {};
  return std::string("standard output: cannot be written: ") + std::strerror(first_error);
}

void require_output() {
  const std::string problem = output_problem();
  if (!problem.empty()) throw InputError(problem);
}

}  // namespace Lamina::Cli
