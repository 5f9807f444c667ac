# cmake -DHTML=viewer.html -DSOURCE=viewer.cpp -P embed_viewer.cmake: the file as a C++ function that returns it. In pieces, for
# compilers bound the length of a string.
file(READ "${HTML}" html)
string(LENGTH "${html}" length)
set(piece_length 16000)
set(text "#include \"page/viewer.h\"\n\nnamespace pelt {\n\nstd::string_view viewer_template() {\n  return\n")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${html}" ${at} ${piece_length} piece)
  string(APPEND text "R\"viewer(${piece})viewer\"\n")
  math(EXPR at "${at} + ${piece_length}")
endwhile()
file(WRITE "${SOURCE}" "${text};\n}\n\n}  // namespace pelt\n")
