# For continuous integration, which compiles everything once: the sources of a target are put together, some to a unit, so that headers such as
# CLI11's, all of whose code is inline, are compiled a few times instead of with every file. Names in anonymous namespaces meet then; where
# they clash, name a source here to leave it alone.
function(pelt_unity target size)
  if(PELT_QUICK AND TARGET ${target})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    if(ARGN)
      set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
endfunction()

# GCC takes what another source includes for a header, where an anonymous namespace would be odd, and sees through so many calls at once that
# it warns of Eigen's storage.
if(PELT_QUICK AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(pelt_flags INTERFACE -Wno-subobject-linkage -Wno-maybe-uninitialized)
endif()

pelt_unity(pelt 9)
pelt_unity(pelt_batch 9)
pelt_unity(pelt_data 8)
pelt_unity(pelt_io 6 io/document_of_rig.cpp io/foreign_format.cpp io/unpack_meshopt.cpp)
pelt_unity(pelt_page 9)
pelt_unity(pelt_tests 6 tests/batch/legs_test.cpp tests/cli/program.cpp tests/io/obj_test.cpp tests/io/skinning_test.cpp
  tests/io/thinning_test.cpp tests/io/unpack_meshopt_test.cpp)
