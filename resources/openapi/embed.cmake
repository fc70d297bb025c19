# cmake -DINPUT=file -DOUTPUT=file -P embed.cmake: writes a C++ source whose openapiJson() is the text of INPUT.
# Raw string literals, because the text is full of quotes; several, because compilers only need to accept 65,536 characters.
file(READ "${INPUT}" text)
string(LENGTH "${text}" length)
set(literals "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 piece)
  string(APPEND literals "    R\"openapi(${piece})openapi\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}.new"
"#include \"resources/openapi/openapi.h\"

namespace fremis::openapi {

std::string_view openapiJson() {
    static constexpr std::string_view kDocument =
${literals}    ;
    return kDocument;
}

} // namespace fremis::openapi
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(TOUCH "${OUTPUT}")
