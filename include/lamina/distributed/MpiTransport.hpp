// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The one header that needs MPI. It belongs to the target Lamina::mpi.

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/Transport.hpp>

#include <mpi.h>

#include <memory>
#include <string>

namespace Lamina {

/// How `make_transport` chooses and what it waits for.
struct TransportOptions {
  /// The name of a transport that must work:
  ///   "peer"        ranks of one host write messages to each other's memory: by shared windows of
  ///                 MPI on CPU cores, by CUDA IPC on GPUs, one rank for each
  ///   "nccl"        by NCCL, one rank for each GPU
  ///   "mpi-device"  messages of MPI between buffers in the memory of the fields
  ///   "mpi-host"    the same in host memory, which is pinned where fields are on a device
  /// "auto": the one that the environment variable LAMINA_TRANSPORT names, otherwise the first of
  /// this list that can work and passes its test. The same on all ranks.
  std::string name = "auto";
  /// Exchanges and sums of known values, before the transport is returned. The report has the
  /// times.
  bool self_test = true;
  /// How long an exchange or a sum waits for other ranks, > 0; infinity: without a limit. With
  /// "peer" on a GPU the next call of the exchange or the sum reports it; "nccl" has no limit.
  double timeout_seconds = 60;
  /// The same of the collective calls on the host. Between them a rank may read a file, or work on
  /// data of its own, while the others wait.
  double host_timeout_seconds = 3600;
};

/// A transport over the ranks of a communicator, for fields in the memory of `Space`. Collective.
///
/// The communicator is duplicated; the copy is freed with the last object that uses it, unless MPI
/// is finalized by then. Freeing is collective, too. Errors of MPI become `TransportError`. The error
/// handler of the user's communicator stays, and serves its duplication.
///
/// \par Threads
/// MPI is called from the thread that calls the library, and from no other. A space with several
/// threads needs MPI_THREAD_FUNNELED, and calls from the main thread then; transports used by
/// several host threads need MPI_THREAD_SERIALIZED.
///
/// \param space  one of the execution spaces that the library was built for
/// \throws InvalidArgument for options out of range, MPI_COMM_NULL and an intercommunicator.
/// \throws TransportError where MPI is not initialized, or does not support the threads of `Space`,
///   or the named transport cannot work or does not pass its test. What is wrong on some of several
///   ranks ends in `RankFailure` on all of them; only a communicator that cannot be used throws on
///   its own rank.
template <ExecutionSpace Space>
std::shared_ptr<const Transport> make_transport(MPI_Comm communicator, const Space& space,
                                                const TransportOptions& options = {});

/// The collective calls on the host alone, which need no Kokkos: for what programs agree on before
/// they start it. Channels and sums of it throw TransportError. Collective; the communicator is
/// duplicated and freed as by `make_transport`.
///
/// \param timeout_seconds  as `TransportOptions::host_timeout_seconds`
/// \throws InvalidArgument for MPI_COMM_NULL and an intercommunicator, and unless timeout_seconds > 0.
/// \throws TransportError where MPI is not initialized.
std::shared_ptr<const Transport> make_host_transport(MPI_Comm communicator,
                                                     double timeout_seconds = 3600);

}  // namespace Lamina
