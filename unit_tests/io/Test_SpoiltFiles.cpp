// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Readers of text files survive some ten thousand files each that were spoilt: what they return is
// sound, or they say in one line what is wrong, with the file and the line.

#include <lamina/io/ColourFile.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/GmshFile.hpp>
#include <lamina/io/MatrixMarketFile.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Spoil.hpp"
#include "mesh/MeshText.hpp"

namespace LaminaTest {
namespace {

/// A file in memory: so many on a disk would take minutes.
class MemoryFile {
 public:
  MemoryFile() : m_descriptor(memfd_create("spoilt", MFD_CLOEXEC)) {
    if (m_descriptor < 0) throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { close(m_descriptor); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void write(const std::string& text) const {
    const auto size = static_cast<ssize_t>(text.size());
    if (ftruncate(m_descriptor, 0) != 0 ||
        pwrite(m_descriptor, text.data(), text.size(), 0) != size) {
      throw std::runtime_error("a file in memory cannot be written");
    }
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

 private:
  int m_descriptor;
};

/// Counts what became of spoilt files.
class SpoiltFiles : public testing::Test {
 protected:
  /// \param read  reads the file and returns whether what it got is sound
  /// \param without_line  the beginning of a message that concerns no line
  template <class Read>
  void expect_survival(const std::string& good, const Read& read,
                       const std::string& without_line = "expected a diagonal block") {
    m_file.write(good);
    ASSERT_TRUE(read(m_file.path()));
    const auto on_text = [&](const std::string& text) {
      m_file.write(text);
      try {
        if (!read(m_file.path())) ADD_FAILURE() << "not sound:\n" << text;
        ++m_accepted;
      } catch (const Lamina::FileError& error) {
        if (!well_formed(error.what(), text, without_line)) {
          ADD_FAILURE() << error.what() << " for\n" << text;
        }
        ++m_refused;
      }
    };
    truncate_everywhere(good, on_text);
    replace_bytes(good, on_text);
    replace_words(good, on_text);
    rearrange_lines(good, on_text);
    replace_some_words(good, 2000, on_text);
  }

  /// "<file>: line <one of the file>: ...", or byte, in printable characters.
  bool well_formed(const std::string& message, const std::string& text,
                   const std::string& without_line) const {
    const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
    if (!std::all_of(message.begin(), message.end(), printable)) return false;
    const std::string name = m_file.path() + ": ";
    if (message.compare(0, name.size(), name) != 0) return false;
    const std::string problem = message.substr(name.size());
    if (problem.compare(0, without_line.size(), without_line) == 0) return true;
    const std::pair<std::string, std::size_t> places[] = {{"line ", lines_of(text).size()},
                                                          {"byte ", text.size()}};
    for (const auto& [word, last] : places) {
      if (problem.compare(0, word.size(), word) != 0) continue;
      std::size_t end = 0;
      const long long place = std::stoll(problem.substr(word.size()), &end);
      return place >= 0 && place <= static_cast<long long>(last) &&
             problem.compare(word.size() + end, 2, ": ") == 0;
    }
    return false;
  }

  MemoryFile m_file;
  int m_accepted = 0, m_refused = 0;
};

/// Offsets that do not decrease, and columns ascending in each row and in range.
bool sound_pattern(const std::vector<std::int64_t>& offsets, const std::vector<int>& columns) {
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      offsets.back() != static_cast<std::int64_t>(columns.size())) {
    return false;
  }
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    for (auto k = offsets[row]; k < offsets[row + 1]; ++k) {
      const int column = columns[static_cast<std::size_t>(k)];
      const bool ascends = k == offsets[row] || columns[static_cast<std::size_t>(k) - 1] < column;
      if (!ascends || column < 0 || column >= static_cast<int>(offsets.size()) - 1) return false;
    }
  }
  return true;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// A ring of 2 x 2 blocks.
std::string ring(const std::string& symmetry) {
  std::string text = "%%MatrixMarket matrix coordinate real " + symmetry + "\n% a ring\n6 6 12\n";
  for (int n = 1; n <= 6; ++n) {
    const int other = n % 6 + 1;
    text += std::to_string(n) + ' ' + std::to_string(n) + " 2.5\n";
    text +=
        std::to_string(std::max(n, other)) + ' ' + std::to_string(std::min(n, other)) + " -1e-3\n";
  }
  return text;
}

TEST_F(SpoiltFiles, OfMatricesAreSurvived) {
  for (const char* symmetry : {"general", "symmetric"}) {
    expect_survival(ring(symmetry), [](const std::string& path) {
      const auto matrix = Lamina::read_matrix_market(path, 2);
      return sound_pattern(matrix.row_offsets, matrix.columns) && all_finite(matrix.blocks) &&
             matrix.blocks.size() == 4 * matrix.columns.size();
    });
  }
  EXPECT_GT(m_accepted, 100);
  EXPECT_GT(m_refused, 5000);
}

TEST_F(SpoiltFiles, OfVectorsAreSurvived) {
  expect_survival("%%MatrixMarket matrix array real general\n% b\n4 1\n1.5\n-2e3\n0\n+4\n",
                  [](const std::string& path) {
                    const auto values = Lamina::read_matrix_market_vector(path, 4);
                    return values.size() == 4 && all_finite(values);
                  });
  EXPECT_GT(m_accepted, 100);
  EXPECT_GT(m_refused, 2000);
}

TEST_F(SpoiltFiles, OfColoursAreSurvived) {
  const auto graph = Lamina::BlockGraph::of_pattern({0, 1, 2, 3, 4, 4}, {1, 2, 3, 4});
  expect_survival("0\n1\n0\n+2\n1\n", [&](const std::string& path) {
    const auto colours = Lamina::read_colours(path, graph);
    for (std::size_t row = 0; row + 1 < 5; ++row) {
      if (colours[row] == colours[row + 1]) return false;
    }
    return colours.size() == 5;
  });
  EXPECT_GT(m_accepted, 100);
  EXPECT_GT(m_refused, 1000);
}

TEST_F(SpoiltFiles, OfMeshesAreSurvived) {
  const auto read = [](const std::string& path) {
    const auto mesh = Lamina::read_gmsh(path);
    const auto num_points = static_cast<std::size_t>(mesh.graph.num_rows());
    for (const auto& point : mesh.points) {
      if (!all_finite({point.begin(), point.end()})) return false;
    }
    return sound_pattern(mesh.graph.offsets, mesh.graph.columns) && mesh.cells.size() > 0 &&
           mesh.points.size() == num_points && mesh.tags.size() == num_points &&
           std::is_sorted(mesh.tags.begin(), mesh.tags.end());
  };
  for (const auto& mesh : {two_tetrahedra, binary_mesh(2), binary_mesh(4)}) {
    expect_survival(mesh, read);
  }
  EXPECT_GT(m_accepted, 100);
  EXPECT_GT(m_refused, 5000);
}

}  // namespace
}  // namespace LaminaTest
