// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bench.hpp"

#include <nlohmann/json.hpp>
#include <signal.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace LaminaFuzz {
namespace {

namespace fs = std::filesystem;

const std::string part_mark = ".part-";

/// UTF-8 without control characters, but for ends of lines.
bool is_printable(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());  // throws where it is not UTF-8
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  for (std::size_t n = 0; n < text.size(); ++n) {
    const auto byte = static_cast<unsigned char>(text[n]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return false;
    const bool c1 = byte == 0xc2 && static_cast<unsigned char>(text[n + 1]) < 0xa0;
    if (c1) return false;
  }
  return true;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

/// Where a name of an output leads to, relative to the folder.
std::string place_of(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  return fs::weakly_canonical(folder / name, ignored)
      .lexically_relative(fs::canonical(folder, ignored))
      .string();
}

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 300;
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

Bench::Bench(fs::path program, const GoodFiles& files, fs::path folder)
    : m_program(std::move(program)),
      m_files(files),
      m_parent(std::move(folder)),
      m_folder(m_parent / "run") {
  fs::create_directories(m_folder);
}

Bench::~Bench() {
  std::error_code ignored;
  fs::remove_all(m_parent, ignored);
}

void Bench::write_good_files() const {
  for (const GoodFile& file : m_files.all()) write(file.name, file.bytes);
}

void Bench::add_problem(const std::string& text) { m_problems.push_back(text); }

std::vector<std::string> Bench::names_with(const std::string& part) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(m_folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(part) != name.npos) names.push_back(name);
  }
  return names;
}

void Bench::keep(const fs::path& where) const {
  fs::create_directories(where);
  const auto options = fs::copy_options::recursive | fs::copy_options::copy_symlinks |
                       fs::copy_options::overwrite_existing;
  for (const auto& entry : fs::directory_iterator(m_parent)) {
    std::error_code ignored;  // pipes cannot be copied
    fs::copy(entry.path(), where / entry.path().filename(), options, ignored);
  }
  write_file(where / "commands", m_commands);
}

std::map<std::string, std::string> Bench::contents() const {
  std::map<std::string, std::string> result;
  for (const auto& entry : fs::recursive_directory_iterator(m_folder)) {
    const std::string name = entry.path().lexically_relative(m_folder).string();
    std::string& text = result[name];
    if (entry.is_symlink()) {
      text = "link to " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      text = read_file(entry.path());
    } else {
      text = "no file";
    }
  }
  return result;
}

Ending Bench::run(const Trial& trial) {
  const auto before = contents();
  const Command command{.program = m_program,
                        .arguments = trial.arguments,
                        .folder = m_folder,
                        .streams = m_parent,
                        .output_is_full = trial.output_is_full,
                        .signal = trial.signal,
                        .signal_after = trial.signal_after,
                        .patience = trial.patience};
  m_commands += "lamina " + shell_text(trial.arguments);
  if (trial.output_is_full) m_commands += " >/dev/full";
  if (trial.signal != 0) {
    m_commands += "    # " + signal_name(trial.signal) + " after " +
                  std::to_string(trial.signal_after) + " s";
  }
  m_commands += '\n';
  Ending ending = LaminaFuzz::run(command);
  m_outcomes.push_back(ending.was_cut            ? "cut"
                       : ending.exit_status >= 0 ? std::to_string(ending.exit_status)
                                                 : signal_name(ending.signal));
  const std::size_t num_problems = m_problems.size();
  judge_end(trial, ending);
  judge_words(trial, ending);
  judge_files(trial, ending, before);
  for (std::size_t n = num_problems; n < m_problems.size(); ++n) {
    m_problems[n] += "\n    lamina " + shortened(shell_text(trial.arguments)) +
                     "\n    ended with " + m_outcomes.back() + ": " +
                     shortened(shell_text({ending.errors}));
  }
  return ending;
}

void Bench::judge_end(const Trial& trial, const Ending& ending) {
  if (ending.left_processes) add_problem("a process is left behind");
  if (ending.was_cut) return add_problem("does not end");
  if (ending.exit_status >= 0) {
    if (ending.exit_status > 2) add_problem("another exit status than 0, 1 and 2");
    if (ending.was_asked && ending.exit_status == 2) add_problem("takes long to be refused");
    return;
  }
  if (ending.was_sent && ending.signal == trial.signal) return;
  if (ending.was_asked && ending.signal == SIGTERM) {
    // One that dies without a word was not in its solve yet, and hangs.
    if (ending.errors.find("ended by SIGTERM") == std::string::npos) {
      add_problem("takes long, and does not listen to SIGTERM");
    }
    return;
  }
  add_problem("dies of " + signal_name(ending.signal));
}

void Bench::judge_words(const Trial& trial, const Ending& ending) {
  if (!is_printable(ending.output)) add_problem("control characters in standard output");
  if (!is_printable(ending.errors)) add_problem("control characters in standard error");
  const std::string& errors = ending.errors;
  if (!errors.empty() && errors.back() != '\n') add_problem("standard error ends within a line");
  const auto lines = lines_of(errors);
  // A name may be /dev/stderr, where text goes.
  const bool has_text =
      contains(trial.outputs, "/dev/stderr") || contains(trial.outputs, "/dev/fd/2");
  if (has_text) return;
  std::size_t notices = 0;
  for (const std::string& line : lines) {
    if (line.rfind("lamina", 0) != 0) add_problem("a line of standard error is not lamina's");
    // What comes beside the line that tells how the run ended
    for (const char* notice : {"left by a process that was killed", ": not written, as "}) {
      if (line.find(notice) != line.npos) ++notices;
    }
  }
  if (ending.exit_status == 2 && lines.size() != 1 + notices) {
    add_problem("status 2 with " + std::to_string(lines.size()) + " lines of standard error");
  }
  if (ending.exit_status == 0 && lines.size() > notices) add_problem("status 0 with an error line");
  if (lines.size() > 1 + notices) add_problem("several lines of standard error");
}

void Bench::judge_files(const Trial& trial, const Ending& ending,
                        const std::map<std::string, std::string>& before) {
  const auto after = contents();
  const bool killed = ending.was_cut || ending.signal == SIGKILL || ending.left_processes;
  std::set<std::string> places;
  for (const std::string& name : trial.outputs) places.insert(place_of(m_folder, name));
  const bool none = ending.exit_status == 2 && !trial.may_write_and_fail && !trial.output_is_full;
  for (const auto& [name, bytes] : after) {
    const auto old = before.find(name);
    const bool is_new = old == before.end();
    if (!is_new && old->second == bytes) continue;
    const bool is_part = name.find(part_mark) != name.npos;
    if (is_part) {
      if (!killed) add_problem("a temporary stays: " + name);
      continue;
    }
    if (none || places.count(name) == 0) {
      add_problem((is_new ? "a file that was not asked for: " : "a file was changed: ") + name);
    }
    if (fs::path(name).extension() == ".json" && !nlohmann::json::accept(bytes)) {
      add_problem("no valid JSON: " + name);
    }
  }
  for (const auto& [name, bytes] : before) {
    if (after.count(name) == 0 && name.find(part_mark) == name.npos) {
      add_problem("a file was removed: " + name);
    }
  }
}

}  // namespace LaminaFuzz
