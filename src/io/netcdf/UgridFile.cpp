// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/FileError.hpp>
#include <lamina/io/PendingFile.hpp>
#include <lamina/io/UgridFile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "GridVariables.hpp"

namespace Lamina {
namespace {

using Points = std::vector<std::array<double, 3>>;
using Texts = std::vector<std::array<std::string, 2>>;

constexpr double degree = 180 / 3.14159265358979323846;
constexpr std::size_t values_at_once = std::size_t{1} << 16;

std::size_t length(int extent) { return static_cast<std::size_t>(extent); }

/// Numbers of the dimensions that variables refer to.
struct Axes {
  int face, node, corner, level, bound;
};

/// What is different on a sphere and on a plane.
struct Names {
  std::array<const char*, 2> node, face, standard;
};
constexpr Names on_sphere{.node = {"node_longitude", "node_latitude"},
                          .face = {"longitude", "latitude"},
                          .standard = {"longitude", "latitude"}};
constexpr std::array<const char*, 2> degrees{"degrees_east", "degrees_north"};
constexpr Names on_plane{.node = {"node_x", "node_y"},
                         .face = {"x", "y"},
                         .standard = {"projection_x_coordinate", "projection_y_coordinate"}};

const Names& names_of(const UgridMesh& mesh) {
  return mesh.centres.surface == ColumnCentres::Surface::sphere ? on_sphere : on_plane;
}

std::string pair_of(const std::array<const char*, 2>& names) {
  return std::string(names[0]) + ' ' + names[1];
}

void write_points(NetcdfFile& file, int dimension, const Points& points,
                  const std::array<const char*, 2>& names, const Names& all, const char* what) {
  const bool sphere = &all == &on_sphere;
  for (std::size_t d = 0; d < 2; ++d) {
    const int variable =
        Impl::add_variable(file, names[d], {dimension},
                           {{"standard_name", all.standard[d]},
                            {"long_name", std::string(all.face[d]) + " of " + what}});
    if (sphere) file.add_attribute(variable, "units", degrees[d]);  // a plane's is not known
    std::vector<double> values;
    values.reserve(points.size());
    for (const auto& [x, y, z] : points) {
      const double angle = d == 0 ? std::atan2(y, x) : std::atan2(z, std::hypot(x, y));
      values.push_back(sphere ? degree * angle : d == 0 ? x : y);
    }
    file.write(variable, {0}, {values.size()}, values.data());
  }
}

void write_connectivity(NetcdfFile& file, const CellPolygons& polygons, const Axes& axes) {
  const int variable = file.add_variable<std::int64_t>("face_nodes", {axes.face, axes.corner});
  file.add_attribute(variable, "cf_role", "face_node_connectivity");
  file.add_attribute(variable, "long_name", "nodes of each face, counter-clockwise");
  file.add_integer(variable, "start_index", 0);
  file.add_integer(variable, "_FillValue", -1);
  const std::size_t row = length(polygons.max_corners());
  std::vector<std::int64_t> values(length(polygons.size()) * row, -1);
  for (int face = 0; face < polygons.size(); ++face) {
    const auto ends = polygons.of(face);
    std::copy(ends.begin(), ends.end(),
              values.begin() + static_cast<std::ptrdiff_t>(length(face) * row));
  }
  file.write(variable, {0, 0}, {length(polygons.size()), row}, values.data());
}

void write_topology(NetcdfFile& file, const UgridMesh& mesh, const Axes& axes) {
  const Names& names = names_of(mesh);
  const int variable = file.add_variable<std::int64_t>("mesh", {});
  for (const auto& [name, value] : Texts{{"cf_role", "mesh_topology"},
                                         {"long_name", "topology of the horizontal grid"},
                                         {"node_coordinates", pair_of(names.node)},
                                         {"face_coordinates", pair_of(names.face)},
                                         {"face_node_connectivity", "face_nodes"},
                                         {"face_dimension", "face"},
                                         {"node_dimension", "node"}}) {
    file.add_attribute(variable, name, value);
  }
  file.add_integer(variable, "topology_dimension", 2);
  const std::int64_t none = 0;
  file.write(variable, {}, {}, &none);
  write_connectivity(file, mesh.polygons, axes);
  write_points(file, axes.node, mesh.polygons.points, names.node, names, "nodes");
  write_points(file, axes.face, mesh.centres.points, names.face, names, "the centres of faces");
}

void add_mesh_attributes(NetcdfFile& file, int variable, const UgridMesh& mesh) {
  file.add_attribute(variable, "mesh", "mesh");
  file.add_attribute(variable, "location", "face");
  file.add_attribute(variable, "coordinates", pair_of(names_of(mesh).face));
}

void write_areas(NetcdfFile& file, const UgridMesh& mesh, const Axes& axes) {
  const bool sphere = &names_of(mesh) == &on_sphere;
  const int variable = Impl::add_variable(
      file, "area", {axes.face},
      {{"standard_name", "cell_area"},
       {"long_name", sphere ? "area of faces on a sphere of radius 1 m" : "area of faces"}});
  if (sphere) file.add_attribute(variable, "units", "m2");
  add_mesh_attributes(file, variable, mesh);
  file.write(variable, {0}, {mesh.areas.size()}, mesh.areas.data());
}

template <class Scalar>
void write_field(NetcdfFile& file, const UgridMesh& mesh, std::size_t num_levels, const Axes& axes,
                 const ColumnField<Scalar>& field) {
  const int variable = file.add_variable<Scalar>(field.name, {axes.face, axes.level});
  if (field.has_missing) file.add_missing_as_nan(variable);
  file.add_attribute(variable, "long_name", field.long_name);
  file.add_attribute(variable, "units", "1");
  file.add_attribute(variable, "cell_methods", field.cell_methods);
  file.add_attribute(variable, "cell_measures", "area: area");
  add_mesh_attributes(file, variable, mesh);
  const std::size_t num_faces = mesh.areas.size();
  const std::size_t step = std::max<std::size_t>(1, values_at_once / num_levels);
  std::vector<Scalar> values(step * num_levels);
  for (std::size_t first = 0; first < num_faces; first += step) {
    const std::size_t count = std::min(step, num_faces - first);
    for (std::size_t n = 0; n < count; ++n) {
      field.values_of(static_cast<int>(first + n), values.data() + n * num_levels);
    }
    file.write(variable, {first, 0}, {count, num_levels}, values.data());
  }
}

}  // namespace

template <class Scalar>
void write_ugrid_file(const std::filesystem::path& path, const UgridMesh& mesh,
                      const VerticalGrid& grid, const std::vector<FileAttribute>& attributes,
                      const std::vector<ColumnField<Scalar>>& fields) {
  const std::size_t num_faces = length(mesh.polygons.size());
  for (const std::size_t size : {mesh.centres.points.size(), mesh.areas.size()}) {
    LAMINA_REQUIRE(size == num_faces, "write_ugrid_file",
                   "argument mesh: expected centres and areas of " + std::to_string(num_faces) +
                       " polygons, got " + std::to_string(size));
  }
  PendingFile pending(path);
  NetcdfFile file = NetcdfFile::create(pending.temporary(), path);
  file.add_attribute(NetcdfFile::global, "Conventions", "CF-1.8 UGRID-1.0");
  file.add_attributes(attributes);
  const Axes axes{.face = file.add_dimension("face", num_faces),
                  .node = file.add_dimension("node", mesh.polygons.points.size()),
                  .corner = file.add_dimension("corner", length(mesh.polygons.max_corners())),
                  .level = file.add_dimension("level", length(grid.num_levels())),
                  .bound = file.add_dimension("bounds", 2)};
  write_topology(file, mesh, axes);
  write_areas(file, mesh, axes);
  Impl::write_vertical_coordinates(file, grid, axes.level, axes.bound);
  for (const auto& field : fields) {
    write_field(file, mesh, length(grid.num_levels()), axes, field);
  }
  file.close();
  pending.commit();
}

UgridFieldReader::UgridFieldReader(const std::filesystem::path& path, const std::string& name,
                                   int num_faces, int num_levels, NetcdfReader::Missing missing)
    : m_file(path, {.num_values = length(num_faces) * length(num_levels)}),
      m_name(name),
      m_num_faces(length(num_faces)),
      m_num_levels(length(num_levels)),
      m_missing(missing) {
  const auto variable = m_file.find_variable(name);
  if (!variable) throw FileError(path, "no variable '" + name + "'");
  m_variable = *variable;
  const std::string expected = shape_text({{"face", m_num_faces}, {"level", m_num_levels}});
  const std::string got = shape_text(m_file.dimensions(m_variable));
  if (got != expected) {
    throw FileError(
        path, "variable '" + name + "': expected the dimensions " + expected + ", got " + got);
  }
  m_file.require_numbers(m_variable);
}

void UgridFieldReader::read(const ColumnValues<const double>& take) const {
  const std::size_t step = std::max<std::size_t>(1, values_at_once / m_num_levels);
  std::vector<double> values(step * m_num_levels);
  for (std::size_t first = 0; first < m_num_faces; first += step) {
    const std::size_t count = std::min(step, m_num_faces - first);
    m_file.read(m_variable, {first, 0}, {count, m_num_levels}, values.data(), m_missing);
    for (std::size_t n = 0; n < count * m_num_levels; ++n) {
      const bool may_be_nan = m_missing == NetcdfReader::Missing::as_nan;
      if (std::isfinite(values[n]) || (may_be_nan && std::isnan(values[n]))) continue;
      throw FileError(m_file.path(), "variable '" + m_name + "': expected a finite value at (" +
                                         std::to_string(first + n / m_num_levels) + ", " +
                                         std::to_string(n % m_num_levels) + "), got " +
                                         std::to_string(values[n]));
    }
    for (std::size_t n = 0; n < count; ++n) {
      take(static_cast<int>(first + n), values.data() + n * m_num_levels);
    }
  }
  m_file.release();
}

template void write_ugrid_file<float>(const std::filesystem::path&, const UgridMesh&,
                                      const VerticalGrid&, const std::vector<FileAttribute>&,
                                      const std::vector<ColumnField<float>>&);
template void write_ugrid_file<double>(const std::filesystem::path&, const UgridMesh&,
                                       const VerticalGrid&, const std::vector<FileAttribute>&,
                                       const std::vector<ColumnField<double>>&);

}  // namespace Lamina
