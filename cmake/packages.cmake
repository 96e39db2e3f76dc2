# Everything comes from Debian packages; what is missing is named by its package.

function(planvet_missing package)
  message(FATAL_ERROR "planvet needs the Debian package ${package}: apt-get install ${package}\n"
                      "(.ci/setup installs everything that planvet needs)")
endfunction()

# planvet_header_library(NAME HEADER PACKAGE): an imported target for a library of which only headers are used.
function(planvet_header_library name header package)
  find_path(PLANVET_${name}_INCLUDE "${header}")
  mark_as_advanced(PLANVET_${name}_INCLUDE)
  if(NOT PLANVET_${name}_INCLUDE)
    planvet_missing(${package})
  endif()
  add_library(planvet_${name} INTERFACE)
  add_library(planvet::${name} ALIAS planvet_${name})
  target_include_directories(planvet_${name} SYSTEM INTERFACE "${PLANVET_${name}_INCLUDE}")
endfunction()

planvet_header_library(pegtl tao/pegtl.hpp tao-pegtl-dev)
planvet_header_library(json nlohmann/json.hpp nlohmann-json3-dev)
planvet_header_library(cli11 CLI/CLI.hpp libcli11-dev)
planvet_header_library(toml toml++/toml.h libtomlplusplus-dev)
planvet_header_library(xxhash xxhash.h libxxhash-dev)
target_compile_definitions(planvet_xxhash INTERFACE XXH_INLINE_ALL)

find_package(fmt QUIET)
if(NOT fmt_FOUND)
  planvet_missing(libfmt-dev)
endif()
add_library(planvet_fmt INTERFACE)
add_library(planvet::fmt ALIAS planvet_fmt)
# Debian has no archive of it.
if(PLANVET_PORTABLE)
  target_link_libraries(planvet_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(planvet_fmt INTERFACE fmt::fmt)
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(PLANVET_TESTS OR PLANVET_BENCHMARKS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    planvet_missing(libgtest-dev)
  endif()
  if(NOT TARGET GTest::gmock)
    planvet_missing(libgmock-dev)
  endif()
endif()

if(PLANVET_BENCHMARKS)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    planvet_missing(libbenchmark-dev)
  endif()
endif()
