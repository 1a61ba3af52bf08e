// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Included by what is instantiated for each space.

#include <lamina/core/Concepts.hpp>

#include <memory>

#include "support/ranks/MeteredTransport.hpp"
#include "support/ranks/RankConnection.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina::Cli {

/// What connects a process with the others that share in its solve; nothing where it is alone.
class RankLink {
 public:
  RankLink() = default;
  /// For fields in the memory of `space`. Collective.
  /// \throws SharedError where no transport works, or not the one that was asked for
  template <ExecutionSpace Space>
  RankLink(const Space& space, const RankGrid& grid) : m_grid(grid) {
    if (ranks() == nullptr) return;
    m_transport = make_agreed(ranks(), [&] {
      return std::make_shared<const MeteredTransport>(connect_memory(space, grid.transport));
    });
  }

  const RankGrid& grid() const { return m_grid; }
  const Ranks* ranks() const { return m_grid.ranks; }  ///< null: one process
  int rank() const { return ranks() == nullptr ? 0 : ranks()->rank(); }
  int size() const { return ranks() == nullptr ? 1 : ranks()->size(); }
  /// Of several ranks.
  const Transport& transport() const { return *m_transport; }
  TransportUse use() const { return m_transport ? m_transport->use() : TransportUse(); }

 private:
  RankGrid m_grid;
  std::shared_ptr<const MeteredTransport> m_transport;
};

/// Halo items of a field become those of their owners; nothing on one process.
template <ExecutionSpace Execution, class Halo, class Field>
void exchange_halo(const Execution& space, const Halo& halo, const Field& field) {
  if (halo.empty()) return;
  halo.start(space, field);
  halo.finish(space);
}

}  // namespace Lamina::Cli
