// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/PendingFile.hpp>
#include <lamina/io/PointFile.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Lamina {

namespace {

void write_coordinates(NetcdfFile& file, int point, const PointPlaces& places) {
  const char* names[] = {"x", "y", "z"};
  const char* axes[] = {"X", "Y", "Z"};
  std::vector<double> values(places.coordinates.size());
  for (std::size_t d = 0; d < 3; ++d) {
    const int variable = file.add_variable<double>(names[d], {point});
    file.add_attribute(variable, "long_name", std::string(names[d]) + " of points");
    file.add_attribute(variable, "units", "1");
    file.add_attribute(variable, "axis", axes[d]);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = places.coordinates[n][d];
    file.write(variable, {0}, {values.size()}, values.data());
  }
}

void write_tags(NetcdfFile& file, int point, const std::vector<std::int64_t>& tags) {
  const int variable = file.add_variable<std::int64_t>("node_tag", {point});
  file.add_attribute(variable, "long_name", "tags of the points in the mesh file");
  file.write(variable, {0}, {tags.size()}, tags.data());
}

}  // namespace

void write_point_file(const std::filesystem::path& path,
                      const std::vector<FileAttribute>& attributes, const PointPlaces& places,
                      int num_components, const std::vector<double>& solution) {
  Impl::require_point_values("write_point_file", places, num_components, solution.size());
  const auto components = static_cast<std::size_t>(num_components);
  const std::size_t num_points = solution.size() / components;
  PendingFile pending(path);
  NetcdfFile file = NetcdfFile::create(pending.temporary(), path);
  file.add_attributes(attributes);
  const int point = file.add_dimension("point", num_points);
  const int component = file.add_dimension("component", components);
  if (!places.coordinates.empty()) write_coordinates(file, point, places);
  if (!places.tags.empty()) write_tags(file, point, places.tags);
  const int variable = file.add_variable<double>("solution", {point, component});
  file.add_attribute(variable, "long_name", "solution x of A x = b");
  file.add_attribute(variable, "units", "1");
  if (!places.coordinates.empty()) file.add_attribute(variable, "coordinates", "x y z");
  file.write(variable, {0, 0}, {num_points, components}, solution.data());
  file.close();
  pending.commit();
}

}  // namespace Lamina
