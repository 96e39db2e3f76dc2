# Warnings, sanitizers, ccache and the faster linkers: everything about how, nothing about what is built.

add_library(planvet_options INTERFACE)
add_library(planvet::options ALIAS planvet_options)

target_compile_options(planvet_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wcast-align -Wunused -Wimplicit-fallthrough -Wextra-semi
  -fdiagnostics-color=auto)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(planvet_options INTERFACE -Wduplicated-cond -Wlogical-op)
  # Designated initialisers of rules leave out what has a default.
  target_compile_options(planvet_options INTERFACE -Wno-missing-field-initializers)
  # g++ 12 warns of "literal" + std::string (its bug 105651), and of more in std::string where its headers are precompiled.
  # Real ones are for clang and the sanitizers to find.
  target_compile_options(planvet_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(PLANVET_WERROR)
  target_compile_options(planvet_options INTERFACE -Werror)
endif()

if(PLANVET_SANITIZE)
  # Directory-wide, so that objects of every target agree.
  add_compile_options(-fsanitize=${PLANVET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLANVET_SANITIZE})
endif()

find_program(PLANVET_CCACHE ccache)
mark_as_advanced(PLANVET_CCACHE)
if(PLANVET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are kept only when ccache may overlook when they were made.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${PLANVET_CCACHE}")
endif()
