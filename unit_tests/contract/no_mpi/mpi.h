// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stands in the way of MPI where headers of Lamina::lamina are compiled alone.
#error "a header of Lamina::lamina includes mpi.h"
