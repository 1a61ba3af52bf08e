// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include "../text/Message.hpp"

namespace Lamina {

/// What is wrong with a file, without its name.
class ReadProblem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The same open file under a number above those of the standard streams, one of which may have been
/// closed when the program started.
int above_streams(int descriptor);

/// Memory that this process and its child share.
class SharedValues {
 public:
  explicit SharedValues(std::size_t size);
  ~SharedValues();
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;

  double* data() const { return m_data; }
  std::size_t size() const { return m_size; }

 private:
  double* m_data;
  std::size_t m_size;
};

/// A child process that answers messages, until the object is destroyed or this process ends.
class ReaderProcess {
 public:
  using Answer = std::function<Message(Message& request)>;

  /// Forks. The child calls `start` once, and what `start` returned for each request. Both may throw
  /// `ReadProblem` and `std::bad_alloc`.
  /// \param memory  bytes that the child may take
  /// \param library  whose fault it is if the child dies
  /// \throws ReadProblem where there can be no child
  ReaderProcess(const std::function<Answer()>& start, std::size_t memory, std::string library);
  ~ReaderProcess();
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;

  /// Lets the child take so many more seconds, in all that follows.
  void grant(double seconds) {
    m_seconds_left += seconds;
    m_seconds_granted += seconds;
  }

  /// \throws ReadProblem that of the child; or for a child that died, or used its time up and was
  ///   killed
  Message ask(const Message& request);

 private:
  [[noreturn]] void fail(const std::string& problem);
  void end();

  std::string m_library;
  double m_seconds_left = 0, m_seconds_granted = 0;
  int m_channel = -1;
  pid_t m_child = -1;
};

}  // namespace Lamina
