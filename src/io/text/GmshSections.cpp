// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GmshSections.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "GmshElements.hpp"

namespace Lamina::Impl {
namespace {

// Bytes of numbers in binary files.
constexpr int int_bytes = 4, size_bytes = 8;

/// What the first line of a section states, and how much of it was read.
class Inventory {
 public:
  Inventory(GmshRecords& records, const char* what) : m_records(records), m_what(what) {
    const std::string in_version_2 = std::string("the number of ") + what;
    const std::string in_version_4 =
        std::string("numbers of blocks and ") + what + ", least and largest tag";
    if (records.version() == 2) {
      records.begin_line(in_version_2);
      m_count = records.take_integer(0);
    } else {
      records.begin(in_version_4);
      m_num_blocks = records.take_integer(size_bytes);
      m_count = records.take_integer(size_bytes);
      m_least = std::max<std::int64_t>(1, records.take_integer(size_bytes));
      m_largest = records.take_integer(size_bytes);
    }
    records.end();
    if (m_num_blocks < 0 || m_count < 0) records.fail("expected numbers >= 0");
    if (m_count > std::numeric_limits<int>::max()) {
      records.fail(std::string("expected fewer than 2^31 ") + what + ", got " +
                   std::to_string(m_count));
    }
  }

  std::int64_t num_blocks() const { return m_num_blocks; }
  bool is_complete() const { return m_read == m_count; }

  void add_block(std::int64_t count) {
    if (count < 0 || count > m_count - m_read) {
      m_records.fail("expected a block of 0 to " + std::to_string(m_count - m_read) + ' ' + m_what +
                     ", as there are " + std::to_string(m_count) + ", got " +
                     std::to_string(count));
    }
    m_read += count;
  }
  void require_tag(std::int64_t tag) const {
    if (tag >= m_least && tag <= m_largest) return;
    m_records.fail("expected tags " + std::to_string(m_least) + " to " + std::to_string(m_largest) +
                   ", got " + std::to_string(tag));
  }
  void require_complete() const {
    if (is_complete()) return;
    m_records.fail("expected " + std::to_string(m_count) + ' ' + m_what + ", got " +
                   std::to_string(m_read));
  }

 private:
  GmshRecords& m_records;
  const char* m_what;
  std::int64_t m_num_blocks = 0, m_count = 0, m_read = 0;
  std::int64_t m_least = 1, m_largest = std::numeric_limits<std::int64_t>::max();
};

template <class Tagged>
void sort_by_tag(std::vector<Tagged>& all) {
  const auto less = [](const Tagged& a, const Tagged& b) {
    return a.tag != b.tag ? a.tag < b.tag : a.place < b.place;
  };
  if (!std::is_sorted(all.begin(), all.end(), less)) std::sort(all.begin(), all.end(), less);
}

template <class Tagged>
[[noreturn]] void fail_twice(const GmshRecords& records, const Tagged& first, const Tagged& second,
                             const std::string& what) {
  records.fail_at(second.place, "expected each " + what + " once, got that of " +
                                    records.place_text(first.place) + " again");
}

void sort_nodes(const GmshRecords& records, std::vector<GmshNode>& nodes) {
  sort_by_tag(nodes);
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    if (nodes[n].tag == nodes[n - 1].tag) fail_twice(records, nodes[n - 1], nodes[n], "node");
  }
}

/// An element of several physical groups may come several times, the same each time.
void sort_elements(const GmshRecords& records, std::vector<GmshElement>& elements) {
  sort_by_tag(elements);
  const auto repeats = [&](const GmshElement& first, const GmshElement& second) {
    if (first.tag != second.tag) return false;
    if (first.corners != second.corners) fail_twice(records, first, second, "element");
    return true;
  };
  elements.erase(std::unique(elements.begin(), elements.end(), repeats), elements.end());
}

/// Three coordinates of a record, and parameters after them.
std::array<double, 3> take_point(GmshRecords& records, std::int64_t num_parameters) {
  std::array<double, 3> point{};
  for (double& coordinate : point) coordinate = records.take_real();
  for (std::int64_t n = 0; n < num_parameters; ++n) static_cast<void>(records.take_real());
  records.end();
  return point;
}

void read_node_block(GmshRecords& records, Inventory& inventory, std::vector<GmshNode>& nodes) {
  records.begin("dimension, entity, parametric or not, and number of nodes");
  const std::int64_t dimension = records.take_integer(int_bytes);
  static_cast<void>(records.take_integer(int_bytes));
  const std::int64_t parametric = records.take_integer(int_bytes);
  const std::int64_t count = records.take_integer(size_bytes);
  records.end();
  if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
    records.fail("expected a dimension of 0 to 3, and 0 or 1 for parametric, got " +
                 std::to_string(dimension) + " and " + std::to_string(parametric));
  }
  inventory.add_block(count);
  const std::size_t first = nodes.size();
  for (std::int64_t k = 0; k < count; ++k) {
    records.begin("the tag of a node");
    nodes.push_back({records.take_integer(size_bytes), records.place(), {}});
    records.end();
    inventory.require_tag(nodes.back().tag);
  }
  const std::int64_t num_parameters = parametric * dimension;
  const std::string what =
      "three finite coordinates" + (num_parameters > 0
                                        ? " and " + std::to_string(num_parameters) + " parameters"
                                        : std::string());
  for (std::size_t k = first; k < nodes.size(); ++k) {
    records.begin(what);
    nodes[k].point = take_point(records, num_parameters);
  }
}

/// A node of MSH 2: tag and coordinates in one record.
void read_node(GmshRecords& records, Inventory& inventory, std::vector<GmshNode>& nodes) {
  inventory.add_block(1);
  records.begin("the tag of a node and three finite coordinates");
  const std::int64_t tag = records.take_integer(int_bytes), place = records.place();
  inventory.require_tag(tag);
  nodes.push_back({tag, place, take_point(records, 0)});
}

/// The place of a tag in sorted nodes. Where tags have no gaps, as is common, nothing is searched.
std::optional<int> find_node(const std::vector<GmshNode>& nodes, std::int64_t tag) {
  if (nodes.empty() || tag < nodes.front().tag) return std::nullopt;
  const auto guess =
      static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(nodes.front().tag);
  if (guess < nodes.size() && nodes[guess].tag == tag) return static_cast<int>(guess);
  const auto place =
      std::lower_bound(nodes.begin(), nodes.end(), tag,
                       [](const GmshNode& node, std::int64_t wanted) { return node.tag < wanted; });
  if (place == nodes.end() || place->tag != tag) return std::nullopt;
  return static_cast<int>(place - nodes.begin());
}

GmshElementType require_type(const GmshRecords& records, std::int64_t number) {
  const auto type = find_gmsh_element_type(number);
  if (!type) {
    records.fail(
        "expected a type of elements of Gmsh's lines, surfaces, tetrahedra, hexahedra, "
        "prisms or pyramids, got " +
        std::to_string(number));
  }
  return *type;
}

/// Reads the sections $Elements of both versions; keeps volume elements.
class ElementReader {
 public:
  ElementReader(GmshRecords& records, const std::vector<GmshNode>& nodes)
      : m_records(records), m_nodes(nodes), m_inventory(records, "elements") {}

  std::vector<GmshElement> read() {
    for (std::int64_t n = 0; n < m_inventory.num_blocks(); ++n) read_block();
    while (m_records.version() == 2 && !m_inventory.is_complete()) {
      if (m_records.binary()) {
        read_binary_block();
      } else {
        read_line();
      }
    }
    m_records.require_line("$EndElements");
    m_inventory.require_complete();
    sort_elements(m_records, m_elements);
    return std::move(m_elements);
  }

 private:
  /// Of MSH 4: elements of one type.
  void read_block() {
    m_records.begin("dimension, entity, type and number of elements");
    const std::int64_t dimension = m_records.take_integer(int_bytes);
    static_cast<void>(m_records.take_integer(int_bytes));
    const std::int64_t number = m_records.take_integer(int_bytes);
    const std::int64_t count = m_records.take_integer(size_bytes);
    m_records.end();
    m_inventory.add_block(count);
    const GmshElementType type = require_type(m_records, number);
    if (type.cell.has_value() != (dimension == 3)) {
      m_records.fail("expected elements of dimension " + std::to_string(dimension) + ", got type " +
                     std::to_string(number));
    }
    const std::string what = element_text(type);
    for (std::int64_t k = 0; k < count; ++k) {
      m_records.begin(what);
      const std::int64_t tag = m_records.take_integer(size_bytes);
      m_inventory.require_tag(tag);
      take_nodes(type, tag, size_bytes);
    }
  }

  /// Of MSH 2, text: an element with its type.
  void read_line() {
    m_inventory.add_block(1);
    m_records.begin("an element: its tag, type, number of tags, tags and nodes");
    const std::int64_t tag = m_records.take_integer(0), number = m_records.take_integer(0);
    skip_tags(m_records.take_integer(0));
    m_inventory.require_tag(tag);
    take_nodes(require_type(m_records, number), tag, 0);
  }

  /// Of MSH 2, binary: elements of one type.
  void read_binary_block() {
    m_records.begin("type, number of elements, and number of their tags");
    const std::int64_t number = m_records.take_integer(int_bytes);
    const std::int64_t count = m_records.take_integer(int_bytes);
    const std::int64_t num_tags = m_records.take_integer(int_bytes);
    if (count < 1) m_records.fail("expected elements, got " + std::to_string(count));
    m_inventory.add_block(count);
    const GmshElementType type = require_type(m_records, number);
    const std::string what = element_text(type);
    for (std::int64_t k = 0; k < count; ++k) {
      m_records.begin(what);
      const std::int64_t tag = m_records.take_integer(int_bytes);
      m_inventory.require_tag(tag);
      skip_tags(num_tags);
      take_nodes(type, tag, int_bytes);
    }
  }

  void skip_tags(std::int64_t count) {
    constexpr std::int64_t most = 100;  // partitions count as tags
    if (count < 0 || count > most) {
      m_records.fail("expected 0 to " + std::to_string(most) + " tags, got " +
                     std::to_string(count));
    }
    for (std::int64_t n = 0; n < count; ++n) static_cast<void>(m_records.take_integer(int_bytes));
  }

  static std::string element_text(const GmshElementType& type) {
    return "the tags of an element and " + std::to_string(type.num_nodes) + " nodes";
  }

  /// The nodes of an element, of which the corners of a volume element are kept.
  void take_nodes(const GmshElementType& type, std::int64_t tag, int bytes) {
    const std::size_t num_nodes = static_cast<std::size_t>(type.num_nodes);
    if (!type.cell) return m_records.skip(num_nodes * static_cast<std::size_t>(bytes));
    GmshElement element{tag, m_records.place(), *type.cell, {}};
    const auto corners = static_cast<std::size_t>(num_corners(*type.cell));
    for (std::size_t n = 0; n < corners; ++n) {
      element.corners[n] = require_node(m_records.take_integer(bytes));
      const auto first = element.corners.begin(), last = first + static_cast<std::ptrdiff_t>(n);
      if (std::find(first, last, element.corners[n]) != last) {
        m_records.fail("expected different nodes, got " +
                       std::to_string(m_nodes[static_cast<std::size_t>(*last)].tag) + " twice");
      }
    }
    if (corners == num_nodes) {
      m_records.end();
    } else {  // nodes on edges and faces and inside; their line may be very long
      m_records.skip((num_nodes - corners) * static_cast<std::size_t>(bytes));
    }
    m_elements.push_back(element);
  }

  int require_node(std::int64_t tag) const {
    const auto place = find_node(m_nodes, tag);
    if (!place) m_records.fail("expected nodes of $Nodes, got " + std::to_string(tag));
    return *place;
  }

  GmshRecords& m_records;
  const std::vector<GmshNode>& m_nodes;
  Inventory m_inventory;
  std::vector<GmshElement> m_elements;
};

}  // namespace

std::vector<GmshNode> read_gmsh_nodes(GmshRecords& records) {
  Inventory inventory(records, "nodes");
  std::vector<GmshNode> nodes;
  for (std::int64_t n = 0; n < inventory.num_blocks(); ++n) {
    read_node_block(records, inventory, nodes);
  }
  while (records.version() == 2 && !inventory.is_complete()) read_node(records, inventory, nodes);
  records.require_line("$EndNodes");
  inventory.require_complete();
  sort_nodes(records, nodes);
  return nodes;
}

std::vector<GmshElement> read_gmsh_elements(GmshRecords& records,
                                            const std::vector<GmshNode>& nodes) {
  return ElementReader(records, nodes).read();
}

}  // namespace Lamina::Impl
