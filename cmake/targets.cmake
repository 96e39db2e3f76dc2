# planvet_sources(OUT GLOB PATTERN... [EXCLUDE REGEX...]): sources by pattern, looked for again at every build.
# A new file needs no edit here; tests/layers_test.cpp checks the lists that globbing cannot see.
function(planvet_sources out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "GLOB;EXCLUDE")
  set(patterns ${arg_GLOB})
  list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB_RECURSE sources RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS ${patterns})
  foreach(regex IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${regex}")
  endforeach()
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/")
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# planvet_library(NAME GLOB ... [EXCLUDE ...]): a static library of those sources; a folder without any is an empty one.
function(planvet_library name)
  planvet_sources(sources ${ARGN})
  if(NOT sources)
    set(sources "${PROJECT_BINARY_DIR}/generated/empty.cpp")
    file(WRITE "${sources}.new" "// No sources yet.\n")
    file(COPY_FILE "${sources}.new" "${sources}" ONLY_IF_DIFFERENT)
  endif()
  add_library(${name} STATIC ${sources})
  planvet_build_fast(${name})
endfunction()

# planvet_build_fast(TARGET): compiles the target's sources several at a time, after headers that are compiled once.
# A full build takes a third of the time, an edit of one file 2 to 10 seconds.
#
# Sources of one group share their local names, so a name of an anonymous namespace occurs once in a group. Where a
# folder's files look alike on purpose (each rule has a check(), each repair a repair_plan()), each is compiled alone.
set(PLANVET_COMPILED_ALONE "^(rules/.+/|analyzer/dialect/|analyzer/compare/|analyzer/read/(repair|rest|tree_node)/)")
function(planvet_build_fast target)
  if(NOT PLANVET_FAST_BUILD)
    return()
  endif()
  target_link_libraries(${target} PRIVATE planvet_options)
  target_precompile_headers(${target} REUSE_FROM planvet_precompiled)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")
    if(path MATCHES "${PLANVET_COMPILED_ALONE}")
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# Headers that most files include and nobody here changes.
set(PLANVET_PRECOMPILED
  <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <functional> <map> <memory> <optional> <set> <span>
  <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/core.h>)
if(PLANVET_FAST_BUILD)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/precompiled.cpp.new" "// Holds the precompiled headers.\n")
  file(COPY_FILE "${PROJECT_BINARY_DIR}/generated/precompiled.cpp.new" "${PROJECT_BINARY_DIR}/generated/precompiled.cpp"
       ONLY_IF_DIFFERENT)
  add_library(planvet_precompiled STATIC "${PROJECT_BINARY_DIR}/generated/precompiled.cpp")
  target_link_libraries(planvet_precompiled PRIVATE planvet_options planvet::fmt)
  target_precompile_headers(planvet_precompiled PRIVATE ${PLANVET_PRECOMPILED})
endif()
