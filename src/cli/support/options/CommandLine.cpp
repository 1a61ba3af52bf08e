// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/options/CommandLine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/output/StandardOutput.hpp"

namespace Lamina::Cli {
std::string NumberRange::text() const {
  std::string result = "a number";
  if (std::isfinite(lowest)) {
    result += fmt::format(" {} {}", lowest_allowed ? ">=" : ">", lowest);
  }
  if (std::isfinite(below)) result += fmt::format(" and < {}", below);
  return result;
}

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && value < below &&
         (lowest_allowed ? value >= lowest : value > lowest);
}

CommandLine::CommandLine(const std::string& command, const std::string& description)
    : m_app(description, command) {
  m_app.set_help_flag("-h,--help", "Print this help and exit");
  m_app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void CommandLine::flag(const std::string& name, const std::string& description) {
  m_app.add_flag(name, description)->disable_flag_override();
}

void CommandLine::option(const std::string& name, const std::string& type,
                         const std::string& description, int num_values) {
  m_app.add_option(name, description)->type_name(type)->type_size(num_values);
}

void CommandLine::list(const std::string& name, const std::string& type,
                       const std::string& description, int least, int most) {
  m_app.add_option(name, description)->type_name(type)->expected(least, most);
}

bool CommandLine::parse(std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());
  try {
    m_app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    print("{}", m_app.help());
    return false;
  } catch (const CLI::ExtrasError&) {
    throw InputError(m_app.remaining().front() + ": no such option or argument");
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  // The parser takes an option for the value of one that was given none.
  for (const CLI::Option* option : m_app.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.starts_with("--")) fail(option->get_name(), "a value", value);
    }
  }
  return true;
}

std::vector<std::string> CommandLine::results(const std::string& name) const {
  return m_app.get_option(name)->results();
}

std::string CommandLine::text(const std::string& name, const std::string& otherwise) const {
  return given(name) ? results(name).front() : otherwise;
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return given(name) ? results(name) : std::vector<std::string>();
}

double CommandLine::number(const std::string& name, double otherwise,
                           const NumberRange& range) const {
  return numbers(name, {otherwise}, range).front();
}

std::vector<double> CommandLine::numbers(const std::string& name, std::vector<double> otherwise,
                                         const NumberRange& range) const {
  if (!given(name)) return otherwise;
  std::vector<double> values;
  for (const std::string& got : results(name)) {
    const auto value = parse_number<double>(got);
    if (!value || !range.contains(*value)) fail(name, range.text(), got);
    values.push_back(*value);
  }
  return values;
}

int CommandLine::count(const std::string& name, int otherwise, int lowest, int highest) const {
  if (!given(name)) return otherwise;
  const std::string got = text(name, "");
  const auto value = parse_number<int>(got);
  if (!value || *value < lowest || *value > highest) {
    fail(name, fmt::format("a whole number from {} to {}", lowest, highest), got);
  }
  return *value;
}

std::vector<std::int64_t> CommandLine::counts(const std::string& name,
                                              std::vector<std::int64_t> otherwise,
                                              std::int64_t lowest) const {
  if (!given(name)) return otherwise;
  std::vector<std::int64_t> values;
  for (const std::string& got : results(name)) {
    const auto value = parse_number<std::int64_t>(got);
    if (!value || *value < lowest) fail(name, fmt::format("whole numbers >= {}", lowest), got);
    values.push_back(*value);
  }
  return values;
}

void CommandLine::fail(const std::string& name, const std::string& expected,
                       const std::string& got) {
  throw InputError(
      fmt::format("{}: expected {}, got {}", name, expected, got.empty() ? "nothing" : got));
}

}  // namespace Lamina::Cli
