// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>
#include <support/output/StandardOutput.hpp>

#include <string>

namespace LaminaTest {
namespace {

using Lamina::Cli::printable;
using Lamina::Cli::printable_lines;

TEST(Printable, LeavesTextOfAllLanguages) {
  for (const char* text : {"", "a.nc (--output)", "back\\slash", "\u00e4\u00df\u20ac",
                           "\u6e29\u5ea6", "\U0001f30a", "e\u0301", "\u05d0\u0645"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\tb\r\nc\x7f\a"), "a\\tb\\r\\nc\\x7f\\x07");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");  // the control sequence in one character
  EXPECT_EQ(printable("\u202egnp.exe"), "\\xe2\\x80\\xaegnp.exe");  // written from right to left
  EXPECT_EQ(printable("a\u2028b"), "a\\xe2\\x80\\xa8b");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // longer than need be
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Printable, KeepsLines) {
  EXPECT_EQ(printable_lines("a\n\x1b\n\nb"), "a\n\\x1b\n\nb");
  EXPECT_EQ(printable_lines("\n"), "\n");
  EXPECT_EQ(printable_lines(""), "");
}

}  // namespace
}  // namespace LaminaTest
