// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/FileError.hpp>
#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/NetcdfReader.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "RawNetcdf.hpp"
#include "support/MessageOf.hpp"
#include "support/ScratchFolder.hpp"

namespace LaminaTest {
namespace {

using Lamina::NetcdfReader;

class NetcdfReaderTest : public testing::Test {
 protected:
  using Define = std::function<void(const RawNetcdf& file, int variable)>;

  /// A variable a(y = 2, x = 3); values of the last two rows are those given.
  void write(nc_type type, const Define& define, const std::vector<double>& values,
             int mode = NC_NETCDF4) const {
    RawNetcdf file(path, mode);
    const int y = file.dimension("y", 2), x = file.dimension("x", 3);
    const int variable = file.variable("a", type, {y, x});
    define(file, variable);
    if (!values.empty()) file.write(variable, {0, 0}, {2, 3}, values);
    file.close();
  }
  std::vector<double> read() const {
    const NetcdfReader reader(path);
    std::vector<double> values(6);
    reader.read(reader.find_variable("a").value(), {0, 0}, {2, 3}, values.data());
    return values;
  }
  /// Without the name of the file.
  std::string problem() const {
    const std::string message = message_of<Lamina::FileError>([&] { (void)read(); });
    const std::string start = path.string() + ": variable 'a': ";
    return message.compare(0, start.size(), start) == 0 ? message.substr(start.size()) : message;
  }
  std::string problem_of_attributes(nc_type type, const Define& define) const {
    write(type, define, {});
    return problem();
  }

  ScratchFolder folder;
  const std::filesystem::path path = folder / "a.nc";
};

const auto nothing = [](const RawNetcdf&, int) {};
const std::string at_1_2 = "expected a number at (y, x) = (1, 2), got one which ";

TEST_F(NetcdfReaderTest, UnpacksNumbersOfEveryType) {
  for (const NumericType& type : numeric_types) {
    SCOPED_TRACE(type.name);
    write(type.type, nothing, {0, 1, 2, 3, 4, 100});
    EXPECT_EQ(read(), (std::vector<double>{0, 1, 2, 3, 4, 100}));
    for (const nc_type of_attributes : {NC_FLOAT, NC_DOUBLE, NC_INT}) {
      write(type.type,
            [&](const RawNetcdf& file, int variable) {
              file.attribute(variable, "scale_factor", of_attributes, {3});
              file.attribute(variable, "add_offset", of_attributes, {-20});
            },
            {0, 1, 2, 3, 4, 100});
      EXPECT_EQ(read(), (std::vector<double>{-20, -17, -14, -11, -8, 280}));
    }
  }
  write(NC_SHORT,
        [](const auto& file, int a) { file.attribute(a, "scale_factor", NC_DOUBLE, {1e-4}); },
        {9505, 10000, 10495, -1, 0, 1});
  EXPECT_EQ(read(), (std::vector<double>{9505 * 1e-4, 1, 10495 * 1e-4, -1e-4, 0, 1e-4}));
  write(NC_INT, [](const auto& file, int a) { file.attribute(a, "add_offset", NC_DOUBLE, {0.5}); },
        {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(read().back(), 6.5);
}

TEST_F(NetcdfReaderTest, RefusesWhatIsMarkedAsMissing) {
  for (const NumericType& type : numeric_types) {
    SCOPED_TRACE(type.name);
    const auto with = [&](const char* name, nc_type of_attribute,
                          const std::vector<double>& marks) {
      write(type.type,
            [&](const RawNetcdf& file, int variable) {
              file.attribute(variable, name, of_attribute, marks);
              file.attribute(variable, "scale_factor", NC_DOUBLE, {0.5});
            },
            {0, 1, 2, 3, 4, 77});
      return problem();
    };
    EXPECT_EQ(with("_FillValue", type.type, {77}), at_1_2 + "its _FillValue marks as missing");
    EXPECT_EQ(with("_FillValue", type.type, {78}), "nothing was thrown");
    // As packed numbers, not as 38.5
    EXPECT_EQ(with("missing_value", type.type, {77}),
              at_1_2 + "its missing_value marks as missing");
    EXPECT_EQ(with("missing_value", type.type, {99, 77}),
              at_1_2 + "its missing_value marks as missing");
    EXPECT_EQ(with("missing_value", NC_DOUBLE, {77}),
              at_1_2 + "its missing_value marks as missing");
    EXPECT_EQ(with("missing_value", NC_INT, {77}), at_1_2 + "its missing_value marks as missing");
    EXPECT_EQ(with("valid_max", type.type, {76}), at_1_2 + "its valid range excludes");
    EXPECT_EQ(with("valid_max", type.type, {77}), "nothing was thrown");
    EXPECT_EQ(with("valid_range", type.type, {0, 76}), at_1_2 + "its valid range excludes");
    EXPECT_EQ(with("valid_range", type.type, {0, 77}), "nothing was thrown");
    EXPECT_EQ(with("valid_min", type.type, {1}),
              "expected a number at (y, x) = (0, 0), got one which its valid range excludes");
  }
}

TEST_F(NetcdfReaderTest, MakesNanOfMissingValuesWhereAskedTo) {
  for (const NumericType& type : numeric_types) {
    write(type.type,
          [&](const RawNetcdf& file, int variable) {
            file.attribute(variable, "missing_value", type.type, {3});
            file.attribute(variable, "valid_max", type.type, {76});
          },
          {0, 1, 2, 3, 4, 77});
    const NetcdfReader reader(path);
    std::vector<double> values(6);
    reader.read(0, {0, 0}, {2, 3}, values.data(), NetcdfReader::Missing::as_nan);
    for (const std::size_t n : {0u, 1u, 2u, 4u}) EXPECT_EQ(values[n], static_cast<double>(n));
    for (const std::size_t n : {3u, 5u}) EXPECT_TRUE(std::isnan(values[n])) << type.name;
  }
}

TEST_F(NetcdfReaderTest, FindsNumbersOfVariables) {
  write(NC_INT,
        [](const RawNetcdf& file, int variable) {
          file.variable("b", NC_INT, {});
          file.attribute(variable, "start_index", NC_INT, {1});
          file.attribute(variable, "factor", NC_DOUBLE, {0.25});
          file.attribute(variable, "range", NC_SHORT, {1, 2});
          file.attribute(variable, "units", "m");
          file.attribute(NC_GLOBAL, "whole", NC_INT, {3});
        },
        {});
  const NetcdfReader reader(path);
  EXPECT_EQ(reader.num_variables(), 2);
  EXPECT_EQ(reader.find_number(0, "start_index"), 1);
  EXPECT_EQ(reader.find_number(0, "factor"), 0.25);
  for (const char* name : {"range", "units", "other"}) {
    EXPECT_EQ(reader.find_number(0, name), std::nullopt) << name;
  }
  EXPECT_EQ(reader.find_number(1, "start_index"), std::nullopt);
  EXPECT_EQ(reader.find_number("whole"), 3);
}

TEST_F(NetcdfReaderTest, TellsOfWholeNumbers) {
  for (const NumericType& type : numeric_types) {
    const bool whole = type.type != NC_FLOAT && type.type != NC_DOUBLE;
    write(type.type,
          [&](const RawNetcdf& file, int) {
            const int packed = file.variable("packed", type.type, {});
            file.attribute(packed, "scale_factor", NC_DOUBLE, {0.5});
            file.variable("text", NC_CHAR, {});
          },
          {});
    const NetcdfReader reader(path);
    EXPECT_EQ(reader.holds_integers(0), whole) << type.name;
    EXPECT_FALSE(reader.holds_integers(reader.find_variable("packed").value())) << type.name;
    EXPECT_FALSE(reader.holds_integers(reader.find_variable("text").value())) << type.name;
  }
}

TEST_F(NetcdfReaderTest, RefusesWhatWasNeverWritten) {
  for (const NumericType& type : numeric_types) {
    SCOPED_TRACE(type.name);
    const bool of_one_byte = type.type == NC_BYTE || type.type == NC_UBYTE;
    write(type.type, nothing, {});
    if (of_one_byte) {
      EXPECT_EQ(read(), std::vector<double>(6, type.fill));
    } else {
      EXPECT_EQ(problem(), "expected a number at (y, x) = (0, 0), got one which was never written");
    }
    // Where the file says that nothing is filled, or filled with another value, it is a number.
    write(
        type.type, [](const auto& file, int a) { file.without_fill(a); },
        std::vector<double>(6, type.type == NC_INT64 || type.type == NC_UINT64 ? 5 : type.fill));
    EXPECT_EQ(problem(), "nothing was thrown");
    write(type.type,
          [&](const auto& file, int a) { file.attribute(a, "_FillValue", type.type, {9}); }, {});
    EXPECT_EQ(problem(),
              "expected a number at (y, x) = (0, 0), got one which its _FillValue marks "
              "as missing");
  }
  write(NC_SHORT, nothing, {}, 0);  // the classic format
  EXPECT_EQ(problem(), "expected a number at (y, x) = (0, 0), got one which was never written");
}

TEST_F(NetcdfReaderTest, TakesNanForMissingWhereTheFileSaysSo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const nc_type type : {NC_FLOAT, NC_DOUBLE}) {
    for (const nc_type of_attribute : {NC_FLOAT, NC_DOUBLE}) {
      write(
          type,
          [&](const auto& file, int a) { file.attribute(a, "missing_value", of_attribute, {nan}); },
          {0, 1, 2, 3, 4, nan});
      EXPECT_EQ(problem(), at_1_2 + "its missing_value marks as missing");
    }
    write(type, nothing, {0, 1, 2, 3, 4, nan});
    EXPECT_TRUE(std::isnan(read().back()));  // what is not finite is for the caller to judge
  }
}

TEST_F(NetcdfReaderTest, ComparesAnInexactMissingValueInThePrecisionOfTheVariable) {
  write(NC_FLOAT,
        [](const auto& file, int a) { file.attribute(a, "missing_value", NC_DOUBLE, {1e20}); },
        {0, 1, 2, 3, 4, 1e20});
  EXPECT_EQ(problem(), at_1_2 + "its missing_value marks as missing");
  write(NC_FLOAT, [](const auto& file, int a) { file.attribute(a, "valid_max", NC_DOUBLE, {0.1}); },
        {0, 0, 0, 0, 0, 0.1});
  EXPECT_EQ(problem(), "nothing was thrown");
}

TEST_F(NetcdfReaderTest, ReadsSignedIntegersAsUnsignedOnes) {
  struct Case {
    nc_type type;
    double bits, value;
  };
  for (const Case& one : {Case{NC_BYTE, -56, 200}, Case{NC_SHORT, -2, 65534},
                          Case{NC_INT, -3, 4294967293}, Case{NC_BYTE, 100, 100}}) {
    const auto as_unsigned = [](const RawNetcdf& file, int a) {
      file.attribute(a, "_Unsigned", "true");
      file.attribute(a, "scale_factor", NC_DOUBLE, {2});
    };
    // The classic format has no unsigned types.
    write(one.type, as_unsigned, {1, 1, 1, 1, 1, one.bits}, 0);
    EXPECT_EQ(read().back(), 2 * one.value);
    write(
        one.type,
        [&](const RawNetcdf& file, int a) {
          as_unsigned(file, a);
          file.attribute(a, "_FillValue", one.type, {one.bits});
        },
        {1, 1, 1, 1, 1, one.bits}, 0);
    EXPECT_EQ(problem(), at_1_2 + "its _FillValue marks as missing");
  }
  write(NC_BYTE,
        [](const RawNetcdf& file, int a) {
          file.attribute(a, "_Unsigned", "true");
          file.attribute(a, "valid_range", NC_BYTE, {0, -56});  // 0 to 200
        },
        {0, 1, 2, 3, -56, -55});
  EXPECT_EQ(problem(), at_1_2 + "its valid range excludes");
  write(NC_UBYTE, [](const auto& file, int a) { file.attribute(a, "_Unsigned", "false"); },
        {1, 1, 1, 1, 1, 254});
  EXPECT_EQ(read().back(), -2);
}

TEST_F(NetcdfReaderTest, NamesAttributesThatMakeNoSense) {
  const auto with = [&](nc_type type, const char* name, nc_type of_attribute,
                        const std::vector<double>& values) {
    return problem_of_attributes(
        type, [&](const RawNetcdf& file, int a) { file.attribute(a, name, of_attribute, values); });
  };
  const auto with_text = [&](nc_type type, const char* name, const char* text) {
    return problem_of_attributes(
        type, [&](const RawNetcdf& file, int a) { file.attribute(a, name, text); });
  };
  const double infinite = std::numeric_limits<double>::infinity();
  for (const char* name : {"scale_factor", "add_offset"}) {
    const std::string start = std::string("attribute '") + name + "': expected ";
    EXPECT_EQ(with(NC_SHORT, name, NC_DOUBLE, {1, 2}), start + "1 number, got 2");
    EXPECT_EQ(with_text(NC_SHORT, name, "0.1"), start + "a number, got the type char");
    EXPECT_EQ(with(NC_SHORT, name, NC_DOUBLE, {infinite}), start + "a finite number, got inf");
  }
  EXPECT_EQ(with_text(NC_SHORT, "missing_value", "-1"),
            "attribute 'missing_value': expected numbers, got the type char");
  EXPECT_EQ(with(NC_SHORT, "missing_value", NC_DOUBLE, {1e20}),
            "attribute 'missing_value': expected a value of the type of the variable, short, got "
            "one of type double");
  EXPECT_EQ(with(NC_SHORT, "missing_value", NC_DOUBLE, {0.5}),
            "attribute 'missing_value': expected a value of the type of the variable, short, got "
            "one of type double");
  EXPECT_EQ(with(NC_SHORT, "valid_range", NC_SHORT, {1}),
            "attribute 'valid_range': expected 2 numbers, got 1");
  EXPECT_EQ(with(NC_SHORT, "valid_min", NC_SHORT, {1, 2}),
            "attribute 'valid_min': expected 1 number, got 2");
  EXPECT_EQ(with_text(NC_SHORT, "valid_max", "1"),
            "attribute 'valid_max': expected a number, got the type char");
  EXPECT_EQ(with_text(NC_SHORT, "_Unsigned", "perhaps"),
            "attribute '_Unsigned': expected true or false, got something else");
  EXPECT_EQ(with(NC_SHORT, "_Unsigned", NC_INT, {1}),
            "attribute '_Unsigned': expected true or false, got something else");
  EXPECT_EQ(with_text(NC_FLOAT, "_Unsigned", "true"),
            "attribute '_Unsigned': expected it on integers only, got it on the type float");
  EXPECT_EQ(problem_of_attributes(NC_SHORT,
                                  [](const RawNetcdf& file, int a) {
                                    file.attribute(a, "valid_range", NC_SHORT, {1, 2});
                                    file.attribute(a, "valid_max", NC_SHORT, {2});
                                  }),
            "attribute 'valid_max': expected none beside valid_range, got both");
  // Packed or unpacked: conventions differ.
  EXPECT_EQ(problem_of_attributes(NC_SHORT,
                                  [](const RawNetcdf& file, int a) {
                                    file.attribute(a, "scale_factor", NC_DOUBLE, {0.1});
                                    file.attribute(a, "valid_max", NC_DOUBLE, {2});
                                  }),
            "attribute 'valid_max': expected a value of the type of the variable, short, got one "
            "of type double");
}

TEST_F(NetcdfReaderTest, RefusesVariablesThatHoldNoNumbers) {
  write(NC_CHAR, nothing, {});
  EXPECT_EQ(problem(), "expected numbers, got the type char");
  write(NC_STRING, nothing, {});
  EXPECT_EQ(problem(), "expected numbers, got the type string");
}

TEST_F(NetcdfReaderTest, ReadsBlocksOfAnyShape) {
  const std::vector<std::size_t> lengths{3, 5, 4, 40000};
  std::vector<double> all(3 * 5 * 4 * 40000);
  std::iota(all.begin(), all.end(), 0.0);
  {
    RawNetcdf file(path);
    std::vector<int> dimensions;
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      dimensions.push_back(file.dimension("d" + std::to_string(d), lengths[d]));
    }
    const int variable = file.variable("a", NC_INT, dimensions);
    const int scalar = file.variable("b", NC_DOUBLE, {});
    file.write(variable, {0, 0, 0, 0}, lengths, all);
    file.write(scalar, {}, {}, {0.25});
    file.close();
  }
  const NetcdfReader reader(path);
  const int variable = reader.find_variable("a").value();
  std::vector<double> values(all.size());
  reader.read(variable, {0, 0, 0, 0}, lengths, values.data());
  EXPECT_EQ(values, all);

  const std::vector<std::size_t> start{1, 2, 0, 3}, count{2, 3, 4, 39990};
  reader.read(variable, start, count, values.data());
  bool as_written = true;
  const double* value = values.data();
  for (std::size_t i = 1; i < 3; ++i) {
    for (std::size_t j = 2; j < 5; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t l = 3; l < 39993; ++l) {
          as_written = as_written && *value++ == all[((5 * i + j) * 4 + k) * 40000 + l];
        }
      }
    }
  }
  EXPECT_TRUE(as_written);

  values.assign(1, -1);
  reader.read(variable, {0, 0, 0, 0}, {1, 1, 1, 0}, values.data());
  EXPECT_EQ(values[0], -1);
  reader.read(reader.find_variable("b").value(), {}, {}, values.data());
  EXPECT_EQ(values[0], 0.25);
}

TEST_F(NetcdfReaderTest, SurvivesFilesThatKillTheLibrary) {
  // A header of the classic format, cut short: its dimension is longer than any memory.
  write(NC_SHORT, nothing, {1, 2, 3, 4, 5, 6}, 0);
  std::string bytes = folder.read("a.nc");
  const auto count_of_dimensions = bytes.find(std::string("\0\0\0\x0a\0\0\0\2", 8)) + 4;
  ASSERT_LT(count_of_dimensions, bytes.size());
  for (const char* count : {"\x0f\xff\xff\xff", "\x01\x00\x00\x00", "\x7f\xff\xff\xff"}) {
    folder.write("a.nc", std::string(bytes).replace(count_of_dimensions, 4, count, 4));
    const std::string message = message_of<Lamina::FileError>([&] { (void)read(); });
    EXPECT_EQ(message.find(path.string() + ": "), 0u) << message;
  }
}

TEST_F(NetcdfReaderTest, LeavesAReleasedFileToWriters) {
  write(NC_SHORT, nothing, {1, 2, 3, 4, 5, 6});
  const NetcdfReader first(path), second(path);
  for (int n = 0; n < 2; ++n) {
    EXPECT_TRUE(first.find_variable("a"));
    EXPECT_TRUE(second.find_variable("a"));
    first.release();
    second.release();
    int file = 0;
    EXPECT_EQ(nc_open(path.c_str(), NC_WRITE, &file), NC_NOERR);
    EXPECT_EQ(nc_close(file), NC_NOERR);
  }
}

}  // namespace
}  // namespace LaminaTest
