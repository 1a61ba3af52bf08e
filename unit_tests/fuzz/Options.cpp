// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.hpp"

#include <sstream>
#include <stdexcept>

#include "Process.hpp"

namespace LaminaFuzz {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The words of the first list "a|b|c".
std::vector<std::string> choices_of(const std::string& description) {
  for (std::string word : words_of(description)) {
    if (word.find('|') == word.npos) continue;
    while (std::string_view(".,;:)]").find(word.back()) != std::string_view::npos) word.pop_back();
    std::vector<std::string> choices;
    std::istringstream stream(word);
    for (std::string choice; std::getline(stream, choice, '|');) choices.push_back(choice);
    return choices;
  }
  return {};
}

std::string help(const std::filesystem::path& program, const std::filesystem::path& folder,
                 std::vector<std::string> words) {
  words.push_back("--help");
  const Command command{
      .program = program, .arguments = words, .folder = folder, .streams = folder};
  const Ending ending = run(command);
  if (ending.exit_status != 0) throw std::runtime_error("no help: lamina " + shell_text(words));
  return ending.output;
}

/// "  --size NX NY NZ             Columns in x and y, levels [256 256 128]"
std::vector<Option> parse_options(const std::string& text) {
  std::vector<Option> options;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("  --", 0) != 0) continue;
    const std::size_t gap = std::min(line.find("  ", 4), line.size());
    std::vector<std::string> words = words_of(line.substr(0, gap));
    Option option{.name = words.front(), .types = {}, .choices = {}};
    option.types.assign(words.begin() + 1, words.end());
    if (option.types == std::vector<std::string>{"NAME"}) {
      option.choices = choices_of(line.substr(gap));
    }
    options.push_back(option);
  }
  return options;
}

/// Names at the begin of lines between "Commands:" and an empty line.
std::vector<std::string> parse_commands(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream stream(text.substr(std::min(text.find("Commands:\n"), text.size())));
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line) && !line.empty()) names.push_back(words_of(line).front());
  return names;
}

}  // namespace

std::vector<CommandOptions> options_of(const std::filesystem::path& program,
                                       const std::filesystem::path& folder) {
  std::vector<CommandOptions> commands;
  std::vector<std::vector<std::string>> all;
  for (const std::string& name : parse_commands(help(program, folder, {}))) {
    if (name == "compare") continue;
    all.push_back({name});
    if (name != "info") all.push_back({"compare", name});
  }
  for (const auto& words : all) {
    commands.push_back({words, parse_options(help(program, folder, words))});
    if (commands.back().options.empty() && words.front() != "info") {
      throw std::runtime_error("no options in the help of lamina " + shell_text(words));
    }
  }
  if (commands.empty()) throw std::runtime_error("no commands in the help of lamina");
  return commands;
}

}  // namespace LaminaFuzz
