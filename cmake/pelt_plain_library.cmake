# A library that brings no CMake package, as the target NAME::NAME.
function(pelt_plain_library name)
  if(TARGET ${name}::${name})
    return()
  endif()
  find_library(${name}_library ${name} REQUIRED)
  add_library(${name}::${name} UNKNOWN IMPORTED)
  set_target_properties(${name}::${name} PROPERTIES IMPORTED_LOCATION ${${name}_library})
endfunction()
