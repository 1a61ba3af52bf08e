# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Lamina(CMakePackage):
    """Performance layer on Kokkos for solvers on flat domains (weather, ocean, reservoirs,
    boundary layers): matrix-free operators, line solves and fused Krylov methods, on CPU cores and
    GPUs. The backend is that of the Kokkos it is built with, e.g. lamina ^kokkos+openmp or
    lamina ^kokkos+cuda+wrapper cuda_arch=90."""

    maintainers = []

    license("Apache-2.0 WITH LLVM-exception", checked_by="Lamina contributors")

    # There is no release yet, nor an address that Spack could fetch from: it builds a clone,
    #   spack install lamina dev_path=<clone>
    version("main", branch="main")

    variant("shared", default=True, description="Build a shared library")
    variant("program", default=True, description="Build the program lamina")

    variant("mpi", default=False, description="Build the target Lamina::mpi")

    depends_on("cxx", type="build")
    depends_on("cmake@3.23:", type="build")

    # Kokkos 5 has not been tried yet, only its Views, which 4.7 has as an option.
    depends_on("kokkos@3.4.1:4")
    depends_on("kokkos-kernels@3.4.1:4")
    # A GPU backend needs a Kokkos Kernels for the same one.
    depends_on("kokkos-kernels+cuda", when="^kokkos+cuda")
    depends_on("kokkos+cuda_lambda", when="^kokkos@:4.0+cuda")
    depends_on("kokkos+pic", when="+shared")

    depends_on("mpi@3:", when="+mpi")

    with when("+program"):
        depends_on("cli11@2.1:")
        depends_on("fmt@9:")
        depends_on("netcdf-c@4.7:")
        depends_on("nlohmann-json@3.9:")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("Lamina_ENABLE_MPI", "mpi"),
            self.define_from_variant("Lamina_ENABLE_PROGRAM", "program"),
        ]
        # A CUDA build of Kokkos exports its nvcc_wrapper as the compiler to use.
        if self.spec.satisfies("^kokkos+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["kokkos"].kokkos_cxx))
        return args
