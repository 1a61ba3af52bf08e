// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PendingFile.hpp>

#include <optional>
#include <vector>

#include "shallow_water/ShallowWaterTask.hpp"
#include "shallow_water/files/ShallowWaterFields.hpp"

namespace Lamina::Cli {

/// The output file of a run: height, velocity and vorticities over time, with their sums, and
/// problem and result as attributes. It appears when the run ends; until then the temporary of
/// `PendingFile` can be read, record by record.
class ShallowWaterOutput {
 public:
  /// \throws InputError, as all others, where the file cannot be written
  explicit ShallowWaterOutput(const ShallowWaterTask& task);

  /// Adds a record.
  void write(const StateDiagnostics& diagnostics, const FieldLines& lines);

  void finish(const ShallowWaterResult& result);

 private:
  void write_fields(std::size_t record, const FieldLines& lines);

  const ShallowWaterTask& m_task;
  PendingFile m_pending;
  NetcdfFile m_file;
  std::vector<int> m_series;            // variables of time, and of sums
  std::vector<FieldVariable> m_fields;  // height, u, v, relative and potential vorticity
  std::optional<FieldVariable> m_bottom;
  std::size_t m_num_records = 0;
};

}  // namespace Lamina::Cli
