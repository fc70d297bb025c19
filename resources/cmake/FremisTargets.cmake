# Functions that give every target of the project the same options.
include_guard(GLOBAL)

add_library(fremis_options INTERFACE)
add_library(Fremis::options ALIAS fremis_options)
target_compile_features(fremis_options INTERFACE cxx_std_20)
target_include_directories(fremis_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(fremis_options INTERFACE
  -Wall -Wextra -Wshadow -Wold-style-cast -Woverloaded-virtual -fno-omit-frame-pointer)
target_compile_definitions(fremis_options INTERFACE
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_KEYWORDS
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

set(FREMIS_WERROR OFF CACHE BOOL "Treat warnings as errors")
if(FREMIS_WERROR)
  target_compile_options(fremis_options INTERFACE -Werror)
  # These look through optimised code, and GCC 12 raises false alarms in libstdc++'s own strings (GCC bugs 105329, 105651): they
  # stay warnings.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(fremis_options INTERFACE -Wno-error=array-bounds -Wno-error=restrict -Wno-error=stringop-overflow
      -Wno-error=stringop-overread -Wno-error=maybe-uninitialized)
  endif()
endif()

if(FREMIS_SANITIZER STREQUAL "address")
  target_compile_options(fremis_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  target_link_options(fremis_options INTERFACE -fsanitize=address,undefined)
elseif(FREMIS_SANITIZER STREQUAL "thread")
  target_compile_options(fremis_options INTERFACE -fsanitize=thread)
  target_link_options(fremis_options INTERFACE -fsanitize=thread)
endif()
if(FREMIS_BUILD_FUZZERS)
  # Coverage of the libraries, which libFuzzer follows; its main comes with fremis_add_fuzzer().
  target_compile_options(fremis_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(FREMIS_LTO OFF CACHE BOOL "Optimise over all units at link time")
if(FREMIS_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT CMAKE_INTERPROCEDURAL_OPTIMIZATION LANGUAGES CXX)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(FREMIS_CCACHE ccache)
  if(FREMIS_CCACHE)
    # time_macros and pch_defines let ccache serve units that use a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      ${FREMIS_CCACHE})
  endif()
endif()

# fremis_add_library(<name> SOURCES ... [PUBLIC ...] [PRIVATE ...] [MOC])
# Makes the static library fremis_<name> with the alias Fremis::<name>. Sources are relative to the caller's folder.
function(fremis_add_library name)
  cmake_parse_arguments(arg "MOC" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(fremis_${name} STATIC ${arg_SOURCES})
  add_library(Fremis::${name} ALIAS fremis_${name})
  target_link_libraries(fremis_${name} PUBLIC Fremis::options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  if(arg_MOC)
    set_target_properties(fremis_${name} PROPERTIES AUTOMOC ON)
  endif()
  target_precompile_headers(fremis_${name} PRIVATE
    <algorithm> <array> <chrono> <functional> <memory> <mutex> <optional> <span> <string> <string_view> <unordered_map> <vector>
    <tl/expected.hpp>)
endfunction()

# fremis_add_test_headers(): the precompiled header of all tests, compiled once. Called before the first test.
function(fremis_add_test_headers)
  file(WRITE "${PROJECT_BINARY_DIR}/test_headers.cpp" "")
  # Qt tells each test its own folder, which would forbid a shared header; no test asks for it.
  set_property(TARGET Qt6::Test PROPERTY INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
  add_library(fremis_test_headers OBJECT "${PROJECT_BINARY_DIR}/test_headers.cpp")
  target_link_libraries(fremis_test_headers PRIVATE Fremis::options Qt6::Core Qt6::Test)
  target_precompile_headers(fremis_test_headers PRIVATE
    <QtTest> <algorithm> <array> <chrono> <functional> <memory> <mutex> <optional> <span> <string> <string_view> <unordered_map>
    <vector> <tl/expected.hpp>)
endfunction()

# All tests with the label "concurrency": the ones that are also run under the sanitizers.
add_custom_target(concurrency_tests)

# fremis_add_test(<name> SOURCES ... [LIBS ...] [LABELS ...] [TIMEOUT seconds] [SERIAL] [SHARDS n])
# One Qt Test executable; <name>_test.cpp ends in QTEST_GUILESS_MAIN and includes its own .moc. With SHARDS it is run as the tests
# <name>_1 to <name>_n, each with its part of the seeds in FREMIS_SIM_SHARD ("1/n").
function(fremis_add_test name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT;SHARDS" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON UNITY_BUILD OFF)
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Fremis::options Qt6::Core Qt6::Test)
  if(NOT arg_LIBS MATCHES "Qt6::(Gui|Network)") # their definitions on the command line forbid the shared header
    target_precompile_headers(${name} REUSE_FROM fremis_test_headers)
  endif()
  set(tests ${name})
  if(arg_SHARDS)
    set(tests)
    foreach(shard RANGE 1 ${arg_SHARDS})
      list(APPEND tests ${name}_${shard})
    endforeach()
  endif()
  foreach(test IN LISTS tests)
    add_test(NAME ${test} COMMAND ${name} -maxwarnings 0)
  endforeach()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
  # Qt Test ends a function after 5 minutes on its own; ctest's time-out is the one that counts.
  set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${arg_TIMEOUT}000")
  if(arg_SHARDS)
    foreach(shard RANGE 1 ${arg_SHARDS})
      set_property(TEST ${name}_${shard} APPEND PROPERTY ENVIRONMENT "FREMIS_SIM_SHARD=${shard}/${arg_SHARDS}")
    endforeach()
  endif()
  if(FREMIS_SANITIZER STREQUAL "thread")
    set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT
      "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp")
  endif()
  if(arg_SERIAL)
    set_tests_properties(${tests} PROPERTIES RUN_SERIAL ON)
  endif()
  if("concurrency" IN_LIST arg_LABELS)
    add_dependencies(concurrency_tests ${name})
  endif()
endfunction()
