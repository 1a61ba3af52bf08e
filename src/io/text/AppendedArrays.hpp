// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/Version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {

/// The begin of a file of VTK with one unstructured grid, to the list of its data.
inline std::string vtu_head(std::size_t num_points, std::size_t num_cells) {
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  return "<?xml version=\"1.0\"?>\n<!-- Lamina " LAMINA_VERSION_STRING
         " -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" +
         std::string(order) +
         "\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
         std::to_string(num_points) + "\" NumberOfCells=\"" + std::to_string(num_cells) + "\">\n";
}

/// What follows the lists of points and cells.
constexpr const char* vtu_data =
    "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
constexpr const char* vtu_end = "\n</AppendedData>\n</VTKFile>\n";

/// Arrays that an XML head describes and whose bytes follow it, each after its size.
class AppendedArrays {
 public:
  /// Adds an array, which must outlive this object. \return its description
  template <class Value>
  std::string add(const std::string& type, const std::string& name, int num_components,
                  const std::vector<Value>& values) {
    return add(type, name, num_components, values.size() * sizeof(Value),
               [&values](std::ostream& stream) { put(stream, values); });
  }
  /// Adds an array of so many bytes, which `write` is going to write.
  std::string add(const std::string& type, const std::string& name, int num_components,
                  std::uint64_t num_bytes, std::function<void(std::ostream&)> write) {
    const std::string element = "<DataArray type=\"" + type + "\" Name=\"" + name +
                                "\" NumberOfComponents=\"" + std::to_string(num_components) +
                                "\" format=\"appended\" offset=\"" + std::to_string(m_offset) +
                                "\"/>\n";
    m_parts.push_back({num_bytes, std::move(write)});
    m_offset += sizeof(std::uint64_t) + num_bytes;
    return element;
  }
  void write(std::ostream& stream) const {
    for (const Part& part : m_parts) {
      stream.write(reinterpret_cast<const char*>(&part.size), sizeof(part.size));
      part.write(stream);
    }
  }

  template <class Value>
  static void put(std::ostream& stream, const std::vector<Value>& values) {
    stream.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(Value)));
  }

 private:
  struct Part {
    std::uint64_t size;
    std::function<void(std::ostream&)> write;
  };
  std::vector<Part> m_parts;
  std::uint64_t m_offset = 0;
};

}  // namespace Lamina::Impl
