# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Lamina)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/LaminaConfig.cmake.in ${PROJECT_BINARY_DIR}/LaminaConfig.cmake
  INSTALL_DESTINATION ${package_dir}
)
# Before 1.0 a new minor version may change what applications call.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/LaminaConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(TARGETS lamina lamina_problems EXPORT LaminaTargets FILE_SET HEADERS)
install(
  EXPORT LaminaTargets
  NAMESPACE Lamina::
  DESTINATION ${package_dir}
)
if(Lamina_ENABLE_MPI) # targets of their own: who does not ask for MPI needs none
  install(TARGETS lamina_mpi EXPORT LaminaMpiTargets FILE_SET HEADERS)
  install(
    EXPORT LaminaMpiTargets
    NAMESPACE Lamina::
    DESTINATION ${package_dir}
  )
endif()
install(FILES ${PROJECT_BINARY_DIR}/LaminaConfig.cmake ${PROJECT_BINARY_DIR}/LaminaConfigVersion.cmake
        DESTINATION ${package_dir}
)
# What templates of the public headers need.
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/lamina
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  REGEX "/impl/.*[.]hpp$"
)
install(FILES ${PROJECT_BINARY_DIR}/include/lamina/Version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lamina
)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING
  PATTERN "CMakeLists.txt"
  PATTERN "README.md"
  PATTERN "Run.cmake"
  PATTERN "*.cpp"
  PATTERN "expected.txt"
)
