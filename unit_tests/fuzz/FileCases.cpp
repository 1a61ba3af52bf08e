// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <support/output/FileChecksum.hpp>

#include "Cases.hpp"
#include "Damage.hpp"

namespace LaminaFuzz {
namespace {

constexpr std::size_t checksum_bytes = 16;  // behind checkpoints

/// Writes the damaged file. Half of the damaged checkpoints get a checksum that is right.
void write_damaged(Random& random, const GoodFile& good, const std::string& name,
                   const Bench& bench) {
  const std::string& other = random.pick(bench.files().all()).bytes;
  if (good.name != "check.nc" || random.chance(50)) {
    bench.write(name, damaged(random, good.bytes, other, good.is_text));
    return;
  }
  const std::string body = good.bytes.substr(0, good.bytes.size() - checksum_bytes);
  bench.write(name, damaged(random, body, other, false));
  Lamina::Cli::append_checksum(bench / name, name);
}

}  // namespace

void run_file_case(Random& random, Bench& bench) {
  const GoodFile& good = random.pick(bench.files().all());
  const bool keeps_name = !good.beside.empty();
  const std::string name =
      keeps_name ? good.name : "damaged" + good.name.substr(good.name.find('.'));
  Trial trial{.arguments = random.pick(good.uses)};
  for (std::string& word : trial.arguments) {
    if (word == "@") word = name;
    if (word == "o.vtu") trial.outputs.push_back(word);
    const GoodFile* named = bench.files().find(word);
    if (named != nullptr) bench.write(named->name, named->bytes);
  }
  for (const std::string& other : good.beside) bench.write(other, bench.files().find(other)->bytes);
  write_damaged(random, good, name, bench);
  if (random.chance(80)) trial.arguments.push_back("--quiet");
  if (random.chance(30)) {
    trial.outputs.push_back("result.json");
    trial.arguments.insert(trial.arguments.end(), {"--json", "result.json"});
  }
  if (random.chance(30) && trial.arguments[0] != "point-implicit") {
    trial.outputs.push_back("o.nc");
    trial.arguments.insert(trial.arguments.end(), {"--output", "o.nc"});
    if (random.chance(50)) bench.write("o.nc", "old");
  }
  bench.run(trial);
}

}  // namespace LaminaFuzz
