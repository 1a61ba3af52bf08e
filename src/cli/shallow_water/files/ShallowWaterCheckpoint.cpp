// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/files/ShallowWaterCheckpoint.hpp"

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileChecksum.hpp"
#include "support/output/FileOrigin.hpp"

namespace Lamina::Cli {
namespace {

/// Of the layout of checkpoints; others are refused.
constexpr double format_version = 1;
constexpr const char* version_name = "lamina_checkpoint";

constexpr const char* option_names[] = {"n",
                                        "size",
                                        "scheme",
                                        "precision",
                                        "initial",
                                        "velocity",
                                        "coriolis",
                                        "beta",
                                        "viscosity",
                                        "sides",
                                        "bottom",
                                        "dt",
                                        "until",
                                        "mass-solver",
                                        "mass-tolerance",
                                        "newton-tolerance",
                                        "newton-iterations",
                                        "cg-tolerance",
                                        "cg-iterations",
                                        "cg-preconditioner",
                                        "phi-star"};

/// "cg_tolerance"
std::string attribute_name(std::string option) {
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

/// The members of diagnostics that are sums, under the names of attributes.
template <class Diagnostics, class Function>
void for_each_sum(Diagnostics& start, const Function& function) {
  function("mass_start", start.mass);
  function("energy_start", start.energy);
  function("potential_enstrophy_start", start.potential_enstrophy);
  function("circulation_start", start.circulation);
}

void write_attributes(NetcdfFile& file, const ShallowWaterTask& task, int step,
                      const StateDiagnostics& start) {
  file.add_attributes(
      origin_attributes("Checkpoint of a run of lamina shallow-water", command_text(task)));
  file.add_attributes({{version_name, format_version},
                       {"step", static_cast<double>(step)},
                       {"time", step * task.problem.time_step}});
  for_each_sum(start, [&](const char* name, double value) {
    file.add_attribute(NetcdfFile::global, name, value);
  });
  for (const auto& [name, values] : deciding_options(task)) {
    file.add_attribute(NetcdfFile::global, attribute_name(name),
                       fmt::format("{}", fmt::join(values, " ")));
  }
}

void write_level(NetcdfFile& file, const std::vector<FieldVariable>& variables,
                 const FieldLines& lines) {
  variables[0].write(file, 0, lines.height);
  variables[1].write(file, 0, lines.u);
  variables[2].write(file, 0, lines.v);
}

std::vector<FieldVariable> add_level(NetcdfFile& file, const ShallowWaterTask& task,
                                     const FieldAxes& axes, const std::string& suffix,
                                     const std::string& when) {
  const Rectangle& size = task.problem.size;
  const bool in_double = task.variant.precision == Precision::double_precision;
  return {
      {file, "height" + suffix, "height at cell centres" + when, size, in_double, {axes.y, axes.x}},
      {file,
       "u" + suffix,
       "velocity along x at west edges" + when,
       size,
       in_double,
       {axes.y, axes.x_u}},
      {file,
       "v" + suffix,
       "velocity along y at south edges" + when,
       size,
       in_double,
       {axes.y_v, axes.x}}};
}

/// A number of a checkpoint. \throws FileError where it is missing
double required_number(const NetcdfReader& file, const std::string& name) {
  const auto value = file.find_number(name);
  if (!value) throw FileError(file.path(), "no number '" + name + "'");
  return *value;
}

/// Words between blanks; `initial` may hold blanks.
std::vector<std::string> option_values(const std::string& name, const std::string& text) {
  if (name != "velocity" && name != "size") return {text};
  const std::size_t blank = std::min(text.find(' '), text.size());
  return {text.substr(0, blank), text.substr(std::min(blank + 1, text.size()))};
}

int read_step(const NetcdfReader& file) {
  const double step = required_number(file, "step");
  if (!(step >= 0 && step <= std::numeric_limits<int>::max() && step == static_cast<int>(step))) {
    throw FileError(file.path(), fmt::format("expected a number of steps, got {}", step));
  }
  return static_cast<int>(step);
}

/// The option of the size.
OptionText size_of(const Rectangle& size) {
  if (size.is_square()) return {"n", {fmt::format("{}", size.nx)}};
  return {"size", {fmt::format("{}", size.nx), fmt::format("{}", size.ny)}};
}

}  // namespace

std::vector<OptionText> deciding_options(const ShallowWaterTask& task) {
  const ShallowWaterProblem& problem = task.problem;
  const ShallowWaterSystems& systems = task.systems;
  const auto number = [](auto value) { return std::vector<std::string>{fmt::format("{}", value)}; };
  const auto text = [](std::string_view value) {
    return std::vector<std::string>{std::string(value)};
  };
  // Folders of files mean nothing elsewhere.
  std::vector<OptionText> options{
      size_of(problem.size),
      {"scheme", text(name_of(time_schemes, task.variant.scheme))},
      {"precision", text(name_of(precisions, task.variant.precision))},
      {"initial", text(std::filesystem::path(problem.initial).filename().string())},
      {"coriolis", number(problem.coriolis)},
      {"dt", number(problem.time_step)},
      {"until", number(problem.until)}};
  if (problem.has_bottom()) {
    options.push_back({"bottom", text(std::filesystem::path(problem.bottom).filename().string())});
  }
  if (problem.sides == WaterSides::walls) {
    options.push_back({"sides", text(name_of(water_sides, problem.sides))});
    options.push_back({"beta", number(problem.beta)});
  }
  if (problem.viscosity != 0) options.push_back({"viscosity", number(problem.viscosity)});
  if (problem.generated_initial) {
    options.push_back(
        {"velocity",
         {fmt::format("{}", problem.velocity[0]), fmt::format("{}", problem.velocity[1])}});
  }
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    options.push_back({name, values});
  };
  const auto add_cg = [&](const char* tolerance_name, double tolerance) {
    if (systems.cg_iterations > 0) {
      add("cg-iterations", number(systems.cg_iterations));
    } else {
      add(tolerance_name, number(tolerance));
    }
  };
  if (task.variant.scheme == TimeScheme::semi_implicit) {
    add("phi-star", text(name_of(reference_heights, systems.phi_star)));
    if (systems.cg_preconditioner != CgPreconditioner::none) {
      add("cg-preconditioner", text(name_of(cg_preconditioners, systems.cg_preconditioner)));
    }
    if (systems.newton_iterations > 0) {
      add("newton-iterations", number(systems.newton_iterations));
    } else {
      add("newton-tolerance", number(systems.newton_tolerance));
    }
    add_cg("cg-tolerance", systems.cg_tolerance);
    return options;
  }
  add("mass-solver", text(name_of(mass_solvers, systems.mass_solver)));
  if (systems.mass_solver == MassSolver::cg) add_cg("mass-tolerance", systems.mass_tolerance);
  return options;
}

std::string command_text(const ShallowWaterTask& task) {
  std::string text = "lamina shallow-water";
  for (const auto& [name, values] : deciding_options(task)) {
    text += fmt::format(" --{} {}", name, fmt::join(values, " "));
  }
  return text + fmt::format(" --space {}", task.variant.space->name);
}

void write_checkpoint(const ShallowWaterTask& task, int step, const StateDiagnostics& start,
                      const FieldLines& now, const FieldLines* previous) {
  for_option("--checkpoint", [&] {
    PendingFile pending(task.checkpoint);
    NetcdfFile file = NetcdfFile::create(pending.temporary(), task.checkpoint);
    write_attributes(file, task, step, start);
    const FieldAxes axes = add_field_axes(file, task.problem.size);
    write_level(file, add_level(file, task, axes, "", ""), now);
    if (now.bottom) {
      const bool in_double = task.variant.precision == Precision::double_precision;
      const FieldVariable bottom(file, "bottom", "bottom at cell centres", task.problem.size,
                                 in_double, {axes.y, axes.x});
      bottom.write(file, 0, now.bottom);
    }
    if (previous != nullptr) {
      write_level(file, add_level(file, task, axes, "_previous", ", one step before"), *previous);
    }
    file.close();
    append_checksum(pending.temporary(), task.checkpoint);
    pending.commit();
  });
}

std::shared_ptr<const NetcdfReader> open_checkpoint(const std::filesystem::path& path) {
  if (find_checksum(path) != ChecksumState::valid) {
    throw FileError(path, "not a checkpoint of lamina shallow-water, or not an intact one");
  }
  return std::make_shared<const NetcdfReader>(path);
}

void require_unchanged(const std::filesystem::path& path) {
  if (find_checksum(path) == ChecksumState::wrong) {
    throw FileError(path, "a checkpoint that has changed since it was written");
  }
}

Checkpoint read_checkpoint(const NetcdfReader& file) {
  if (required_number(file, version_name) != format_version) {
    throw FileError(file.path(), "a checkpoint of another version of lamina");
  }
  Checkpoint checkpoint;
  checkpoint.step = read_step(file);
  checkpoint.has_previous = file.find_variable("height_previous").has_value();
  for_each_sum(checkpoint.start,
               [&](const char* name, double& value) { value = required_number(file, name); });
  for (const std::string name : option_names) {
    const auto text = file.find_text(attribute_name(name));
    if (text) checkpoint.options.push_back({name, option_values(name, *text)});
  }
  return checkpoint;
}

}  // namespace Lamina::Cli
