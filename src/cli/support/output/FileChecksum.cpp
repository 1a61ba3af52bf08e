// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/FileChecksum.hpp"

#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

namespace Lamina::Cli {
namespace {

/// What stands behind a file: a mark, and the sum of all before the mark.
struct Trailer {
  std::array<char, 8> mark{'L', 'a', 'm', 'i', 'n', 'a', 'C', 'S'};
  std::uint64_t sum = 0;
};
static_assert(sizeof(Trailer) == 16);

/// Each step maps sums to sums one to one, and words too: one changed word always shows.
std::uint64_t sum_of(std::uint64_t sum, const char* bytes, std::size_t count) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  for (std::size_t n = 0; n < count; n += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + n, std::min(sizeof word, count - n));
    sum = (sum ^ word) * odd;
    sum ^= sum >> 32;
  }
  return sum;
}

/// Of the first `size` bytes.
std::uint64_t checksum(std::ifstream& stream, std::uintmax_t size) {
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t sum = size;
  while (size > 0 && stream) {
    const auto count = static_cast<std::size_t>(std::min<std::uintmax_t>(size, block.size()));
    stream.read(block.data(), static_cast<std::streamsize>(count));
    sum = sum_of(sum, block.data(), count);
    size -= count;
  }
  return sum;
}

}  // namespace

void append_checksum(const std::filesystem::path& path, const std::filesystem::path& name) {
  Trailer trailer;
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  trailer.sum = checksum(in, std::filesystem::file_size(path, error));
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  out.close();
  if (!out) throw FileError(name, write_problem(path, errno));
  if (error || !in) throw FileError(name, "cannot be read");
}

ChecksumState find_checksum(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FileError(path, "no such file");
  if (!std::filesystem::is_regular_file(status)) throw FileError(path, "not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) throw FileError(path, "cannot be read");
  if (size < sizeof(Trailer)) return ChecksumState::none;
  const std::uintmax_t before = size - sizeof(Trailer);
  Trailer found;
  stream.seekg(static_cast<std::streamoff>(before));
  stream.read(reinterpret_cast<char*>(&found), sizeof found);
  if (stream && found.mark != Trailer().mark) return ChecksumState::none;
  stream.seekg(0);
  const std::uint64_t sum = checksum(stream, before);
  if (!stream) throw FileError(path, "cannot be read");
  return found.sum == sum ? ChecksumState::valid : ChecksumState::wrong;
}

}  // namespace Lamina::Cli
