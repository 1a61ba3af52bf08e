// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>

#include "ProgramTest.hpp"

namespace LaminaTest {
namespace {

/// A command that writes more than its limit of the size of files, in blocks of 512 or 1024 bytes, as shells have it.
struct LimitedFile {
  const char *arguments, *command, *option, *file;
  int limit;
};

const LimitedFile limited_files[] = {
    {"helmholtz --size 32 32 16 --quiet --output o.nc", "helmholtz", "--output", "o.nc", 64},
    {"helmholtz --size 32 32 16 --quiet --output o.nc", "helmholtz", "--output", "o.nc", 1},
    {"helmholtz --size 6 5 4 --iterations 200 --quiet --json o.json", "helmholtz", "--json",
     "o.json", 4},
    {"poisson --n 128 --quiet --output o.nc", "poisson", "--output", "o.nc", 64},
    {"point-implicit --generate 9 9 9 --quiet --output o.nc", "point-implicit", "--output", "o.nc",
     16},
    {"point-implicit --generate 9 9 9 --quiet --output o.mtx", "point-implicit", "--output",
     "o.mtx", 16},
    {"shallow-water --n 32 --quiet --output o.nc --output-every 1", "shallow-water", "--output",
     "o.nc", 256},
    {"shallow-water --n 64 --until 0.001 --quiet --checkpoint o.nc", "shallow-water",
     "--checkpoint", "o.nc", 64},
};

std::ostream& operator<<(std::ostream& stream, const LimitedFile& file) {
  return stream << file.arguments << ", " << file.limit << " blocks";
}

class OutputFailure : public ProgramTest, public testing::WithParamInterface<LimitedFile> {};

TEST_P(OutputFailure, IsOneLineThatSaysWhyAndKeepsTheOldFile) {
  const LimitedFile& file = GetParam();
  folder.write(file.file, "old");
  const Outcome outcome =
      run_with("ulimit -f " + std::to_string(file.limit), std::string(file.arguments));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors, std::string("lamina ") + file.command + ": " + file.option + ": " +
                                file.file + ": cannot be written: File too large\n");
  EXPECT_EQ(folder.read(file.file), "old");
  EXPECT_EQ(folder.num_files(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Files, OutputFailure, testing::ValuesIn(limited_files));

// --- Standard output ---

class StandardOutput : public ProgramTest {
 protected:
  /// Runs with standard output replaced by `redirection`.
  void expect_unwritable(const std::string& arguments, const std::string& redirection,
                         const std::string& reason) const {
    SCOPED_TRACE("lamina " + arguments + ' ' + redirection);
    const Outcome outcome = run(arguments + ' ' + redirection);
    EXPECT_EQ(outcome.status, 2);
    const std::string message = "standard output: cannot be written: " + reason + '\n';
    EXPECT_EQ(outcome.errors.substr(outcome.errors.find("standard")), message);
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1);
  }
};

TEST_F(StandardOutput, ThatCannotBeWrittenIsAnErrorOfEveryCommand) {
  for (const char* arguments :
       {"--help", "--version", "helmholtz --help", "compare --help", "info", "poisson --n 8",
        "helmholtz --size 4 4 2", "point-implicit --generate 3 3 3",
        "shallow-water --n 8 --until 0.01 --diagnostics-every 1",
        "compare poisson --n 8 --space " LAMINA_PLAIN_SPACE
        " --memory global --solver cg --precision double"}) {
    expect_unwritable(arguments, ">/dev/full", "No space left on device");
  }
  for (const char* arguments : {"--help", "poisson --n 8"}) {
    expect_unwritable(arguments, ">&-", "Bad file descriptor");
  }
}

TEST_F(StandardOutput, IsNotNeededWhereNothingIsPrinted) {
  for (const char* redirection : {">/dev/full", "<&- >&- 2>&-"}) {
    EXPECT_EQ(
        run(std::string("poisson --n 8 --quiet --json a.json --output a.nc ") + redirection).status,
        0);
  }
}

/// A file that is opened gets the lowest free number: what is printed is not to go there.
TEST_F(StandardOutput, ThatIsClosedDoesNotEndUpInAFile) {
  EXPECT_EQ(run("shallow-water --n 8 --until 0.01 --quiet --output good.nc").status, 0);
  EXPECT_EQ(run("shallow-water --n 8 --until 0.01 --output bad.nc >&- 2>&-").status, 2);
  EXPECT_EQ(folder.num_files(), 1u);
}

TEST_F(StandardOutput, ReceivesJson) {
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    folder.write("log", "before\n");
    const Outcome outcome =
        run(std::string("poisson --n 8 --quiet --json ") + name + " >>log 2>&1");
    EXPECT_EQ(outcome.status, 0);
    const std::string log = folder.read("log");
    EXPECT_EQ(log.substr(0, 9), "before\n{\n") << name;
    EXPECT_EQ(nlohmann::json::parse(log.substr(7), nullptr, false)["command"], "poisson");
    EXPECT_EQ(folder.num_files(), 1u);
  }
  // Behind what was printed, and through a pipe.
  const Outcome outcome = run("poisson --n 8 --json /dev/stdout | cat");
  EXPECT_EQ(outcome.output.substr(0, 6), "Lamina");
  EXPECT_NE(outcome.output.find("\"command\": \"poisson\""), std::string::npos);
  // A pipe is no file of the others that are named.
  EXPECT_EQ(run("poisson --n 8 --quiet --json /dev/stdout --output a.nc | cat").output.substr(0, 2),
            "{\n");
  EXPECT_EQ(run("poisson --n 8 --quiet --json /dev/stdout --output a.nc >a.nc").status, 2);
  EXPECT_EQ(run("poisson --n 8 --quiet --json /dev/fd/5 5>five").status, 0);
  EXPECT_EQ(folder.read("five").substr(0, 2), "{\n");
}

TEST_F(StandardOutput, IsNoPlaceForFilesOfOtherKinds) {
  folder.write("log", "before\n");
  std::filesystem::create_symlink("/dev/stdout", folder / "o.nc");
  std::filesystem::create_symlink("/proc/self/fd/1", folder / "o.mtx");
  const auto expect = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = run(arguments + " >>log");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.errors, message + '\n');
    EXPECT_EQ(folder.read("log"), "before\n");
    EXPECT_EQ(folder.num_files(), 3u);
  };
  expect("poisson --n 8 --output o.nc", "lamina poisson: --output: o.nc: not a regular file");
  expect("point-implicit --output o.mtx",
         "lamina point-implicit: --output: o.mtx: not a regular file");
  expect("poisson --n 8 --output /dev/stdout",
         "lamina poisson: --output: expected a file name that ends in .nc, got /dev/stdout");
  expect("poisson --n 8 --json -",
         "lamina poisson: --json: expected a file name or /dev/stdout, got -");
  expect("poisson --n 8 --json /dev/fd/77",
         "lamina poisson: --json: /dev/fd/77: cannot be written: Bad file descriptor");
  expect("poisson --n 8 --json /dev/fd/0 </dev/null",
         "lamina poisson: --json: /dev/fd/0: cannot be written: Bad file descriptor");
  expect("poisson --n 8 --json /proc/1/fd/1",
         "lamina poisson: --json: /proc/1/fd/1: cannot be written: " +
             std::string(access("/proc/1/fd", R_OK) == 0 ? "Bad file descriptor"
                                                         : "Permission denied"));
}

TEST_F(StandardOutput, NamedPipesAreRefused) {
  ASSERT_EQ(mkfifo((folder / "pipe.json").c_str(), 0600), 0);
  expect_refused("poisson --n 8 --json pipe.json",
                 "lamina poisson: --json: pipe.json: not a regular file");
}

// --- What reaches the terminal ---

bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || (c >= ' ' && c != '\x7f'); });
}

class Terminal : public ProgramTest {
 protected:
  /// What the program prints on a terminal of its own; none where the system gives no terminals.
  std::optional<std::string> on_terminal(const std::string& setup,
                                         const std::string& arguments) const {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0) return std::nullopt;
    std::optional<std::string> text;
    const char* name = nullptr;
    if (grantpt(terminal) == 0 && unlockpt(terminal) == 0) name = ptsname(terminal);
    if (name != nullptr && run_with(setup, arguments + " >" + name).status == 0) {
      text.emplace();
      char block[4096];
      for (ssize_t n = 1; n > 0;) {
        n = read(terminal, block, sizeof block);
        if (n > 0) text->append(block, static_cast<std::size_t>(n));
      }
    }
    close(terminal);
    return text;
  }
};

TEST_F(Terminal, ThatIsDumbGetsNoEscapes) {
  const std::string solve = "poisson --n 8";
  const auto clever = on_terminal("export TERM=xterm", solve);
  if (!clever) GTEST_SKIP() << "needs a pseudo-terminal";
  EXPECT_NE(clever->find("\r\x1b[Kmeasuring copy bandwidth"), std::string::npos);
  for (const char* setup : {"export TERM=dumb", "export TERM=", "unset TERM"}) {
    const auto text = on_terminal(setup, solve);
    ASSERT_TRUE(text) << setup;
    EXPECT_NE(text->find("converged"), std::string::npos) << setup;
    EXPECT_EQ(text->find('\x1b'), std::string::npos) << setup;
  }
}

TEST_F(Terminal, ReceivesNoControlCharactersOfArguments) {
  const std::string name = "$(printf 'a\\033]0;title\\007\\r\\n\\177b')";
  for (const std::string arguments :
       {"", "poisson ", "helmholtz --solver ", "poisson --json none/", "point-implicit --matrix ",
        "compare ", "helmholtz --kokkos-", "info "}) {
    const Outcome outcome = run(arguments + '"' + name + '"');
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(is_plain(outcome.errors)) << arguments;
    EXPECT_NE(outcome.errors.find("\\x1b]0;title\\x07\\r\\n\\x7fb"), std::string::npos)
        << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1);
  }
  const Outcome outcome = run("poisson --n 8 --json " + ('"' + name + '"'));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(is_plain(outcome.output));
  EXPECT_NE(outcome.output.find("a\\x1b]0;title\\x07\\r\\n\\x7fb (--json)"), std::string::npos);
}

TEST_F(Terminal, ReceivesNoControlCharactersOfFiles) {
  folder.write("a.mtx",
               "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 \x1b[31mred\x9b\n");
  const Outcome outcome = run("point-implicit --block-size 1 --matrix a.mtx");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(is_plain(outcome.errors)) << outcome.errors;
}

}  // namespace
}  // namespace LaminaTest
