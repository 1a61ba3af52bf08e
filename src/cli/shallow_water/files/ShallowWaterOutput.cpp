// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/files/ShallowWaterOutput.hpp"

#include <string>

#include "shallow_water/ShallowWaterText.hpp"
#include "shallow_water/files/ShallowWaterCheckpoint.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/FileOrigin.hpp"

namespace Lamina::Cli {
namespace {

void write_attributes(NetcdfFile& file, const ShallowWaterTask& task) {
  file.add_attributes(origin_attributes(
      "Nonlinear shallow water on " + domain_text(task.problem) + ", an Arakawa C-grid",
      command_text(task)));
  file.add_attributes({{"scheme", std::string(name_of(time_schemes, task.variant.scheme))},
                       {"precision", std::string(name_of(precisions, task.variant.precision))},
                       {"coriolis", task.problem.coriolis},
                       {"beta", task.problem.beta},
                       {"time_step", task.problem.time_step}});
}

struct Series {
  const char *name, *long_name;
  double (*value)(const StateDiagnostics& diagnostics);
};
const Series all_series[] = {
    {"time", "time, of which a day stands for a unit", [](const auto& d) { return d.time; }},
    {"step", "number of time steps", [](const auto& d) { return static_cast<double>(d.step); }},
    {"mass", "integral of the height", [](const auto& d) { return d.mass; }},
    {"energy", "integral of the energy", [](const auto& d) { return d.energy; }},
    {"potential_enstrophy", "integral of the potential enstrophy",
     [](const auto& d) { return d.potential_enstrophy; }},
    {"circulation", "integral of the absolute vorticity",
     [](const auto& d) { return d.circulation; }},
    {"courant_number", "(max |u| + max |v|) dt / h",
     [](const auto& d) { return d.courant_number; }}};

/// The coordinate of the dimension `time`. CF has no time without a unit of time, and programs count
/// in whole seconds: of the units they know, days resolve the steps.
void add_time_attributes(NetcdfFile& file, int variable) {
  const auto add = [&](const char* name, const std::string& value) {
    file.add_attribute(variable, name, value);
  };
  add("standard_name", "time");
  add("units", "days since 2000-01-01 00:00:00");
  add("calendar", "proleptic_gregorian");
  add("axis", "T");
}

std::vector<int> add_series(NetcdfFile& file, int time) {
  std::vector<int> variables;
  for (const Series& series : all_series) {
    const int variable = file.add_variable<double>(series.name, {time});
    file.add_attribute(variable, "long_name", std::string(series.long_name));
    if (variables.empty()) {
      add_time_attributes(file, variable);
    } else {
      file.add_attribute(variable, "units", std::string("1"));
    }
    variables.push_back(variable);
  }
  return variables;
}

/// Lines of the vorticity at the corners, south-west of the cells, from those of the fields.
class Vorticity {
 public:
  Vorticity(const FieldLines& lines, const ShallowWaterProblem& problem)
      : m_lines(lines), m_problem(problem), m_size(problem.size) {
    const auto nx = static_cast<std::size_t>(m_size.nx);
    for (auto* line : {&m_height, &m_height_south, &m_u, &m_u_south, &m_v}) line->resize(nx);
  }

  /// rot u
  void relative(int j, double* values) {
    m_lines.u(j, m_u.data());
    m_lines.u(south_of(j), m_u_south.data());
    m_lines.v(j, m_v.data());
    for (int i = 0; i < m_size.nx; ++i) {
      const std::size_t here = static_cast<std::size_t>(i), west = west_of(i);
      values[i] = (m_v[here] - m_v[west] - m_u[here] + m_u_south[here]) * m_size.nx;
    }
  }
  /// (rot u + f) / Phi
  void potential(int j, double* values) {
    relative(j, values);
    m_lines.height(j, m_height.data());
    m_lines.height(south_of(j), m_height_south.data());
    for (int i = 0; i < m_size.nx; ++i) {
      const std::size_t here = static_cast<std::size_t>(i), west = west_of(i);
      const double height =
          (m_height[here] + m_height[west] + m_height_south[here] + m_height_south[west]) / 4;
      values[i] = (values[i] + m_problem.coriolis_at(j)) / height;
    }
  }

 private:
  /// Beyond a wall is a mirror.
  int south_of(int j) const {
    return j > 0 ? j - 1 : m_problem.sides == WaterSides::walls ? 0 : m_size.ny - 1;
  }
  std::size_t west_of(int i) const {
    return static_cast<std::size_t>(i > 0 ? i - 1 : m_size.nx - 1);
  }

  const FieldLines& m_lines;
  const ShallowWaterProblem& m_problem;
  Rectangle m_size;
  std::vector<double> m_height, m_height_south, m_u, m_u_south, m_v;
};

}  // namespace

ShallowWaterOutput::ShallowWaterOutput(const ShallowWaterTask& task)
    : m_task(task),
      m_pending(for_option("--output", [&] { return PendingFile(task.output); })),
      m_file(for_option("--output", [&] {
        return NetcdfFile::create(m_pending.temporary(), task.output, NetcdfFormat::cdf5);
      })) {
  for_option("--output", [&] {
    write_attributes(m_file, task);
    const int time = m_file.add_dimension("time", NetcdfFile::unlimited);
    m_series = add_series(m_file, time);
    const Rectangle& size = task.problem.size;
    const auto [x, y, x_u, y_v] = add_field_axes(m_file, size);
    const bool in_double = task.variant.precision == Precision::double_precision;
    const auto add = [&](const char* name, const char* long_name, int along_y, int along_x) {
      m_fields.emplace_back(m_file, name, long_name, size, in_double,
                            std::vector{time, along_y, along_x});
    };
    add("height", "height at cell centres", y, x);
    add("u", "velocity along x at west edges", y, x_u);
    add("v", "velocity along y at south edges", y_v, x);
    add("relative_vorticity", "rot u at south-west corners", y_v, x_u);
    add("potential_vorticity", "(rot u + f) / height at south-west corners", y_v, x_u);
    if (task.problem.has_bottom()) {
      m_bottom.emplace(m_file, "bottom", "bottom at cell centres, of which the height is measured",
                       size, in_double, std::vector{y, x});
    }
  });
}

void ShallowWaterOutput::write(const StateDiagnostics& diagnostics, const FieldLines& lines) {
  for_option("--output", [&] {
    const std::size_t record = m_num_records++;
    for (std::size_t s = 0; s < m_series.size(); ++s) {
      const double value = all_series[s].value(diagnostics);
      m_file.write(m_series[s], {record}, {1}, &value);
    }
    write_fields(record, lines);
    m_file.sync();
  });
}

void ShallowWaterOutput::write_fields(std::size_t record, const FieldLines& lines) {
  Vorticity vorticity(lines, m_task.problem);
  if (record == 0 && m_bottom) m_bottom->write(m_file, 0, lines.bottom);
  m_fields[0].write(m_file, record, lines.height);
  m_fields[1].write(m_file, record, lines.u);
  m_fields[2].write(m_file, record, lines.v);
  m_fields[3].write(m_file, record, [&](int j, double* values) { vorticity.relative(j, values); });
  m_fields[4].write(m_file, record, [&](int j, double* values) { vorticity.potential(j, values); });
}

void ShallowWaterOutput::finish(const ShallowWaterResult& result) {
  for_option("--output", [&] {
    m_file.add_attributes({{"status", std::string(to_string(result.report.status))},
                           {"steps", static_cast<double>(result.report.iterations)}});
    m_file.close();
    m_pending.commit();
  });
}

}  // namespace Lamina::Cli
