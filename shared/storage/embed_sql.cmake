# fremis_embed_sql(<output.cpp>): resources/sql/{sqlite,postgres}/NNNN_*.sql as the functions of migrations.h.
function(fremis_embed_sql output)
  set(body "")
  foreach(dialect sqlite postgres)
    file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/resources/sql/${dialect}/*.sql")
    list(SORT files)
    set(expected 0)
    set(rows "")
    foreach(file ${files})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
      get_filename_component(name "${file}" NAME_WE)
      string(REGEX MATCH "^[0-9][0-9][0-9][0-9]_" digits "${name}")
      string(REGEX REPLACE "^0*([0-9]+)_$" "\\1" number "${digits}")
      math(EXPR expected "${expected} + 1")
      if(NOT number EQUAL expected)
        message(FATAL_ERROR "${file}: expected migration number ${expected}")
      endif()
      file(READ "${file}" sql)
      string(APPEND rows "    {${number}, \"${name}\", R\"sql(${sql})sql\"},\n")
    endforeach()
    string(APPEND body "constexpr Migration k_${dialect}[] = {\n${rows}};\n")
  endforeach()
  file(GENERATE OUTPUT "${output}" CONTENT "// Made from resources/sql by embed_sql.cmake.
#include \"shared/storage/migrations.h\"

namespace fremis::storage {
namespace {
${body}} // namespace

std::span<const Migration> sqliteMigrations() { return k_sqlite; }
std::span<const Migration> postgresMigrations() { return k_postgres; }

} // namespace fremis::storage
")
endfunction()
