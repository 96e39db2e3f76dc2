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
endfunction()
