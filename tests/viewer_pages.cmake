# cmake -DPELT=pelt -DQUADRUPED=pelt-quadruped -DOUT=folder [-DCORPORA=folder] -P viewer_pages.cmake: pages for the browser tests,
# and beside each NAME.html a NAME.glb.json with the
# files whose clips it shows.

file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}/rigs")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_QUIET)
  if(failed)
    message(FATAL_ERROR "${failed}: ${ARGN}")
  endif()
endfunction()

function(written name)
  list(JOIN ARGN "\", \"" files)
  file(WRITE "${OUT}/${name}.glb.json" "[\"${files}\"]\n")
endfunction()

run("${QUADRUPED}" "${OUT}/rigs")
set(artist "${OUT}/rigs/quadruped-artist.glb")
set(modes --joints free,rotate --quiet)

run("${PELT}" bake "${artist}" "${OUT}/rigs/quadruped-scattered.glb" -o "${OUT}/scattered.glb" --html "${OUT}/bake.html" ${modes})
written(bake scattered.glb)
run("${PELT}" view "${artist}" "${OUT}/scattered.glb" --html "${OUT}/view.html" --quiet)
written(view scattered.glb)

# Four rigs and two clips; rows are sorted by the rigs' names.
set(tools blurred posed-rest scattered straight-legs)
file(WRITE "${OUT}/rigs/field.csv" "artist,rig,tool,model\n")
set(files "")
foreach(tool ${tools})
  file(APPEND "${OUT}/rigs/field.csv" "quadruped-artist.glb,quadruped-${tool}.glb,${tool},quadruped\n")
  list(APPEND files "field/${tool}/quadruped.glb")
endforeach()
run("${PELT}" bake --manifest "${OUT}/rigs/field.csv" -o "${OUT}/field/{tool}/{model}.glb" --html "${OUT}/field.html" ${modes})
written(field ${files})

if(NOT IS_DIRECTORY "${CORPORA}")
  message("skipped: 2 corpus pages (no corpora folder)")
  return()
endif()
run("${PELT}" bake "${CORPORA}/quaternius-animals/Wolf.glb" "${CORPORA}/autorig-blender/Wolf.straight-legs-boneheat.glb"
  -o "${OUT}/wolf.glb" --html "${OUT}/wolf.html" --quiet)
written(wolf wolf.glb)
run("${PELT}" bake "${CORPORA}/quaternius-animals/Deer.glb"
  "${CORPORA}/autorig-blender/Deer.dense-181k-artist-skeleton-boneheat.glb" --clip Walk -o "${OUT}/deer.glb" --html "${OUT}/deer.html" --quiet)
written(deer deer.glb)
