# Sets viewer_source: the C++ source with the built viewer, or the one that says there is none.
set(viewer_source page/no_viewer.cpp)
set(viewer_dir ${PROJECT_BINARY_DIR}/viewer)

# Packages and sources go into the build folder, so that builds do not meet in the source tree.
function(install_viewer_packages)
  file(SHA256 ${PROJECT_SOURCE_DIR}/viewer/package-lock.json lock)
  set(stamp ${viewer_dir}/packages-${lock})
  if(EXISTS ${stamp})
    set(viewer_packages ON PARENT_SCOPE)
    return()
  endif()
  file(COPY ${PROJECT_SOURCE_DIR}/viewer/package.json ${PROJECT_SOURCE_DIR}/viewer/package-lock.json DESTINATION ${viewer_dir})
  execute_process(COMMAND ${npm} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${viewer_dir} RESULT_VARIABLE failed)
  if(failed)
    message(WARNING "The viewer is left out, and --html will be refused: npm ci failed in ${viewer_dir}")
    return()
  endif()
  file(TOUCH ${stamp})
  set(viewer_packages ON PARENT_SCOPE)
endfunction()

find_program(node node)
find_program(npm npm)
if(NOT PELT_VIEWER)
  message(STATUS "The viewer is left out, as PELT_VIEWER=OFF wants it: --html will be refused")
elseif(NOT node OR NOT npm)
  message(WARNING "The viewer is left out, and --html will be refused: node and npm were not found")
else()
  install_viewer_packages()
endif()

if(viewer_packages)
  file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/* ${PROJECT_SOURCE_DIR}/viewer/test/*)
  list(APPEND viewer_files ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${PROJECT_SOURCE_DIR}/viewer/package.json ${PROJECT_SOURCE_DIR}/viewer/picture.mjs)
  set(viewer_source ${viewer_dir}/viewer.cpp)
  add_custom_command(OUTPUT ${viewer_source}
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${PROJECT_SOURCE_DIR}/viewer/package.json
      ${PROJECT_SOURCE_DIR}/viewer/picture.mjs ${viewer_dir}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${viewer_dir}/src ${viewer_dir}/test
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/viewer/src ${viewer_dir}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/viewer/test ${viewer_dir}/test
    COMMAND ${node} build.mjs
    COMMAND ${CMAKE_COMMAND} -DHTML=${viewer_dir}/dist/viewer.html -DSOURCE=${viewer_source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
    DEPENDS ${viewer_files} ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
    WORKING_DIRECTORY ${viewer_dir} COMMENT "Building the viewer" VERBATIM)
endif()
