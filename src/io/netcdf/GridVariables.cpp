// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GridVariables.hpp"

#include <cstddef>

namespace Lamina::Impl {

int add_variable(NetcdfFile& file, const std::string& name, const std::vector<int>& dimensions,
                 const std::vector<std::array<std::string, 2>>& attributes) {
  const int variable = file.add_variable<double>(name, dimensions);
  for (const auto& [attribute, value] : attributes) file.add_attribute(variable, attribute, value);
  return variable;
}

void write_vertical_coordinates(NetcdfFile& file, const VerticalGrid& grid, int level, int bound) {
  const bool shell = grid.metric() == VerticalMetric::shell;
  const int middle = add_variable(
      file, "level", {level},
      {{"long_name", shell ? "middle radius of levels, in units of the radius of the planet"
                           : "middle height of levels"},
       {"positive", "up"},
       {"axis", "Z"},
       {"bounds", "level_bounds"}});
  const int bounds = add_variable(file, "level_bounds", {level, bound}, {});
  const int volume =
      add_variable(file, "level_volume", {level},
                   {{"long_name", shell ? "volume of levels above the unit area of the unit sphere"
                                        : "volume of levels above a unit area"}});
  if (shell) {  // the unit of other heights is not known
    for (const int variable : {middle, volume}) file.add_attribute(variable, "units", "1");
  }

  std::vector<double> middles, interfaces, volumes;
  for (int k = 0; k < grid.num_levels(); ++k) {
    const auto n = static_cast<std::size_t>(k);
    const double lower = grid.interfaces()[n], upper = grid.interfaces()[n + 1];
    middles.push_back((lower + upper) / 2);
    interfaces.insert(interfaces.end(), {lower, upper});
    volumes.push_back(grid.volume(k));
  }
  file.write(middle, {0}, {middles.size()}, middles.data());
  file.write(bounds, {0, 0}, {middles.size(), 2}, interfaces.data());
  file.write(volume, {0}, {volumes.size()}, volumes.data());
}

}  // namespace Lamina::Impl
