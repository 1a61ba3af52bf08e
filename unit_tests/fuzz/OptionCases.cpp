// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "Cases.hpp"
#include "io/Spoil.hpp"

namespace LaminaFuzz {
namespace {

using Words = std::vector<std::string>;

const Words odd_words{"",
                      " ",
                      "-",
                      "--",
                      "=",
                      "nonsense",
                      "\x1b[31mred\x1b[0m",
                      "two\nlines",
                      "\r",
                      "\t",
                      "\x80\xff",
                      "\xc2\x85",
                      "\xe2\x80\xae",
                      "gr\xc3\xb6\xc3\x9f"
                      "e",
                      "%s%n",
                      "1,2",
                      "1 2",
                      "1e",
                      "+1",
                      "\xef\xbc\x91",
                      "{}",
                      "{0}",
                      "$HOME",
                      std::string(5000, 'x')};

const Words odd_files{" o.nc",
                      "o .nc",
                      "o\n.nc",
                      "o\x1b[1m.nc",
                      "o\\.nc",
                      "\xff.nc",
                      "\xc3\xb6.nc",
                      ".nc",
                      "-.nc",
                      "--o.nc",
                      "o.nc/",
                      "missing/o.nc",
                      "sub/o.nc",
                      "sub",
                      "sub.nc",
                      "pipe.nc",
                      "link.nc",
                      "dangling.nc",
                      "loop.nc",
                      "file:o.nc",
                      "o.nc#mode=zarr.nc",
                      "file://o.nc",
                      "o.NC",
                      "o.nc.part-1-0",
                      "o.mtx",
                      "o.vtu",
                      "link.mtx",
                      "pipe.mtx",
                      "o.json",
                      "link.json",
                      "o\t.json",
                      "pipe.json",
                      "/dev/stdout",
                      "/dev/stderr",
                      "/dev/null",
                      "/dev/full",
                      "/dev/fd/1",
                      "/dev/fd/9",
                      std::string(300, 'n') + ".nc",
                      std::string(250, 'n') + ".nc"};

const std::vector<Words> grids{{"panel"},
                               {"sphere", "3"},
                               {"icosahedral", "2"},
                               {"triangles", "2"},
                               {"lat-lon", "5", "4"},
                               {"lat-lon", "5", "4", "-80", "70"},
                               {"ugrid.nc"},
                               {"mpas.nc"},
                               {"."},
                               {"sphere"},
                               {"sphere", "2147483647"},
                               {"triangles", "3", "3"},
                               {"lat-lon", "3", "1", "90", "nan"},
                               {"rhs.nc"}};

/// Makes one command line.
class Line {
 public:
  Line(Random& random, const Bench& bench) : m_random(random), m_bench(bench) {}

  Trial trial(const CommandOptions& command);

 private:
  static bool is_output(const Option& option) {
    return option.name == "--json" || option.name == "--output" || option.name == "--checkpoint";
  }
  bool takes_small_counts(const Option& option) const {
    return option.name == "--n" || option.name == "--size" || option.types.size() == 3;
  }
  void add(const Option& option);
  void add_garbage(const CommandOptions& command);
  void add_kokkos();
  void force_small(const CommandOptions& command);
  std::string value(const Option& option, const std::string& type);
  std::string any_value(const Option& option, const std::string& type);
  std::string count(const Option& option);
  std::string number(const Option& option);
  std::string file(const Option& option, const std::string& type);
  std::string input(const std::string& suffix);

  Random& m_random;
  const Bench& m_bench;
  Trial m_trial;
  std::set<std::string> m_given;
};

std::string Line::count(const Option& option) {
  if (takes_small_counts(option)) return std::to_string(m_random.from_to(1, 6));
  if (m_random.chance(3)) return "2147483647";
  return std::to_string(m_random.from_to(m_random.chance(10) ? 0 : 1, 8));
}

std::string Line::number(const Option& option) {
  if (option.name == "--until") return m_random.word({"0", "0.01", "0.02", "0.1", "0.05"});
  if (option.name == "--dt") return m_random.word({"0.01", "0.005", "0.001", "0.1", "0.003"});
  return m_random.word({"0", "1e-1", "0.5", "1e-3", "1e-8", "1", "2.5", "1e-300", "1e300", "1e20",
                        "-0.0", "-1", "0.9999999", "1e-16"});
}

/// A file of the folder, mostly of the right kind.
std::string Line::input(const std::string& suffix) {
  Words names;
  for (const GoodFile& good : m_bench.files().all()) {
    if (good.name.size() > suffix.size() &&
        good.name.compare(good.name.size() - suffix.size(), suffix.size(), suffix) == 0) {
      names.push_back(good.name);
    }
  }
  if (names.empty() || m_random.chance(5)) return m_random.pick(m_bench.files().all()).name;
  return m_random.word(names);
}

std::string Line::file(const Option& option, const std::string& type) {
  const std::string suffix = type.find('.') == type.npos ? "" : type.substr(type.find('.'));
  if (!is_output(option)) return m_random.chance(15) ? m_random.word(odd_files) : input(suffix);
  std::string name =
      option.name.substr(2) + (option.name == "--json" ? ".json"
                               : suffix.empty()        ? m_random.word({".nc", ".mtx", ".vtu"})
                                                       : suffix);
  if (m_random.chance(25)) name = m_random.word(odd_files);
  if (m_random.chance(2)) name = m_random.pick(m_bench.files().all()).name;
  return name;
}

std::string Line::value(const Option& option, const std::string& type) {
  std::string word = any_value(option, type);
  if (is_output(option)) {
    m_trial.outputs.push_back(word);
    if (word == "/dev/full") m_trial.may_write_and_fail = true;
  }
  return word;
}

std::string Line::any_value(const Option& option, const std::string& type) {
  if (m_random.chance(6)) {
    const std::string other =
        m_random.chance(50) ? m_random.word(odd_words) : m_random.pick(LaminaTest::wrong_numbers);
    // Large values are tried where they are refused on every machine.
    const bool is_large = takes_small_counts(option) && (other == "1000" || other == "2147483647");
    if (!is_large) return other;
  }
  if (type.rfind("FILE", 0) == 0) return file(option, type);
  if (!option.choices.empty()) {
    const std::string choice = m_random.pick(option.choices);
    return choice.rfind("FILE", 0) == 0 ? file(option, choice) : choice;
  }
  const bool is_count = type.front() == 'N';
  return is_count ? count(option) : number(option);
}

void Line::add(const Option& option) {
  if (!m_given.insert(option.name).second && !m_random.chance(2)) return;
  Words& words = m_trial.arguments;
  if (option.name == "--grid") {
    words.push_back(option.name);
    const Words& grid = m_random.pick(grids);
    words.insert(words.end(), grid.begin(), grid.end());
    if (m_random.chance(5)) words.push_back(m_random.word(odd_words));
    return;
  }
  if (option.types.size() == 1 && m_random.chance(10)) {
    words.push_back(option.name + '=' + value(option, option.types[0]));
    return;
  }
  words.push_back(option.name);
  const bool all_large = takes_small_counts(option) && m_random.chance(2);
  for (const std::string& type : option.types) {
    words.push_back(all_large ? "2147483647" : value(option, type));
  }
  if (m_random.chance(1)) words.pop_back();
  if (option.types.empty() && m_random.chance(1)) words.back() += "=1";
}

void Line::add_garbage(const CommandOptions& command) {
  std::string word = m_random.word(odd_words);
  if (m_random.chance(50) && !command.options.empty()) {
    word = m_random.pick(command.options).name;
    const std::size_t place = m_random.below(word.size());
    switch (m_random.below(3)) {
      case 0: word.erase(place, 1); break;
      case 1: word.insert(place, m_random.word(odd_words).substr(0, 8)); break;
      default: word[place] = static_cast<char>(word[place] ^ ' ');
    }
  }
  Words& words = m_trial.arguments;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(m_random.below(words.size() + 1)), word);
}

void Line::add_kokkos() {
  m_trial.arguments.push_back(m_random.word({"--kokkos-threads=1",
                                             "--kokkos-threads=2",
                                             "--kokkos-threads=3",
                                             "--kokkos-threads=0",
                                             "--kokkos-threads=-1",
                                             "--kokkos-threads=513",
                                             "--kokkos-threads=1025",
                                             "--kokkos-threads=99999999999",
                                             "--kokkos-threads=x",
                                             "--kokkos-threads=",
                                             "--kokkos-threads",
                                             "--kokkos-num-threads=2",
                                             "--kokkos-device-id=0",
                                             "--kokkos-device-id=-7",
                                             "--kokkos-disable-warnings",
                                             "--kokkos-x",
                                             "--kokkos-",
                                             "--kokkos-\x1b[1m",
                                             "--kokkos-help",
                                             "--kokkos-print-configuration"}));
}

/// Names a small problem where the options so far name none.
void Line::force_small(const CommandOptions& command) {
  const bool has_own = m_given.count("--matrix") + m_given.count("--mesh") > 0;
  for (const Option& option : command.options) {
    const bool is_size = takes_small_counts(option) || option.name == "--until";
    if (!is_size || m_given.count(option.name) > 0) continue;
    if (option.name == "--generate" && has_own) continue;
    if (option.name == "--size" && m_given.count("--n") + m_given.count("--grid") > 0) continue;
    if (option.name == "--n" && m_given.count("--size") > 0) continue;
    if (m_given.count("--restart") > 0 && m_random.chance(90)) continue;
    add(option);
  }
}

Trial Line::trial(const CommandOptions& command) {
  if (!command.options.empty()) m_trial.patience = 10;  // `info` does not catch signals
  m_trial.arguments = command.words;
  const int most = m_random.chance(70) ? 3 : 9;
  for (int n = command.options.empty() ? 0 : m_random.from_to(0, most); n > 0; --n) {
    add(m_random.pick(command.options));
  }
  force_small(command);
  if (m_random.chance(10)) add_kokkos();
  if (m_random.chance(5)) add_garbage(command);
  m_trial.output_is_full = m_random.chance(2);
  return m_trial;
}

/// Names that lead elsewhere.
void make_odd_files(const Bench& bench) {
  namespace fs = std::filesystem;
  fs::create_directories(bench / "sub");
  fs::create_directories(bench / "sub.nc");
  for (const char* suffix : {".nc", ".mtx", ".json"}) {
    bench.write(std::string("target") + suffix, "old");
    fs::create_symlink(std::string("target") + suffix, bench / (std::string("link") + suffix));
    mkfifo((bench / (std::string("pipe") + suffix)).c_str(), 0600);
  }
  fs::create_symlink("nowhere.nc", bench / "dangling.nc");
  fs::create_symlink("loop.nc", bench / "loop.nc");
}

}  // namespace

void run_option_case(Random& random, const std::vector<CommandOptions>& commands, Bench& bench) {
  bench.write_good_files();
  make_odd_files(bench);
  // Comparisons and `info` take long.
  const CommandOptions* command = &random.pick(commands);
  const auto is_long = [&] { return command->words.size() > 1 || command->options.empty(); };
  if (is_long() && !random.chance(20)) command = &random.pick(commands);
  bench.run(Line(random, bench).trial(*command));
}

}  // namespace LaminaFuzz
