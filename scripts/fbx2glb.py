"""The part of scripts/fbx2glb that runs inside Blender 3.4: blender ... --python fbx2glb.py -- IN OUT.glb"""

import math
import os
import sys

import numpy

# Blender 3.4's glTF add-on uses names that Debian's numpy 1.24 no longer has.
for name, kind in {"bool": bool, "int": int, "float": float, "object": object}.items():
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

import bpy  # noqa: E402


def tell(text):
    """One line to the user; Blender's own output goes elsewhere."""
    os.write(3, f"fbx2glb: {text}\n".encode())


def fail(path, what):
    """Ends Blender with 2; an exception that nobody expected ends it with 1."""
    tell(f"{path}: {what}")
    sys.exit(2)


def animated(scene):
    """Everything in the scene whose actions become clips: objects and shape keys."""
    for thing in scene.objects:
        yield thing
        if getattr(thing.data, "shape_keys", None):
            yield thing.data.shape_keys


def add_track(thing, action, clip):
    """The exporter writes one animation a track name, over all objects that have it."""
    track = (thing.animation_data or thing.animation_data_create()).nla_tracks.new()
    track.name = clip
    track.strips.new(action.name, 0, action)


def hold_still_bones(armature):
    """Keys for what an action leaves alone. FBX holds the file's own pose there, the exporter the bind pose."""
    for track in armature.animation_data.nla_tracks if armature.animation_data else []:
        curves = track.strips[0].action.fcurves
        for bone in armature.pose.bones:
            for channel in ("location", "rotation_quaternion", "scale"):
                path = bone.path_from_id(channel)
                for index, value in enumerate(getattr(bone, channel)):
                    if not curves.find(path, index=index):
                        curves.new(path, index=index).keyframe_points.insert(0, value)


def import_fbx(path):
    """Imports take by take: the importer keeps only the first action of a thing, and cuts long names."""
    from io_scene_fbx import import_fbx as importer

    read_takes = importer.blen_read_animations

    def read_each_take(fbx_tmpl_astack, fbx_tmpl_alayer, takes, scene, *settings):
        for key, take in takes.items():
            read_takes(fbx_tmpl_astack, fbx_tmpl_alayer, {key: take}, scene, *settings)
            clip = importer.elem_name_ensure_class(take[0][0], b"AnimStack")
            if len(take[1]) > 1:
                tell(f"{path}: warning: take '{clip}' has {len(take[1])} layers; only the first is kept")
            for thing in animated(scene):
                if thing.animation_data and thing.animation_data.action:
                    add_track(thing, thing.animation_data.action, clip)
                    thing.animation_data.action = None

    importer.blen_read_animations = read_each_take
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.import_scene.fbx(filepath=path, anim_offset=0, use_custom_props=False)
    for thing in bpy.context.scene.objects:
        if thing.type == "ARMATURE":
            hold_still_bones(thing)


def bones_of(action):
    """Names of the bones that an action moves."""
    paths = [curve.data_path for curve in action.fcurves]
    return {path.split('"')[1] for path in paths if path.startswith('pose.bones["')}


def open_blend(path):
    """Every action becomes a track: those in tracks, the active ones, and those for an armature's bones."""
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    scene = bpy.context.scene
    used = set()
    for thing in animated(scene):
        data = thing.animation_data
        if not data:
            continue
        if data.use_tweak_mode:
            data.use_tweak_mode = False
        for track in data.nla_tracks:
            if len(track.strips) == 1 and track.strips[0].action:
                used.add(track.strips[0].action)
                if track.name.startswith(("NlaTrack", "[Action Stash]")):
                    track.name = track.strips[0].action.name
            elif track.strips:
                tell(f"{path}: warning: track '{track.name}' of '{thing.name}' has several strips: left out")
        if data.action and data.action not in used:
            used.add(data.action)
            add_track(thing, data.action, data.action.name)
        data.action = None
    for armature in [thing for thing in scene.objects if thing.type == "ARMATURE"]:
        for action in bpy.data.actions:
            bones = bones_of(action)
            if action not in used and bones and bones <= set(armature.pose.bones.keys()):
                add_track(armature, action, action.name)


def remove_helpers(scene):
    """Meshes that are no part of the animal: shapes that bones are drawn with, and what is never rendered."""
    shapes = {bone.custom_shape for thing in scene.objects if thing.pose for bone in thing.pose.bones}
    for thing in [thing for thing in scene.objects if thing.type == "MESH" and not thing.children]:
        if thing in shapes or thing.hide_render:
            bpy.data.objects.remove(thing)


def points_of(curve):
    for key in curve.keyframe_points:
        yield from (key.co, key.handle_left, key.handle_right)


def start_at_zero(scene):
    """Moves every clip so that its first key lies at 0, and to whole frames, which are what is sampled."""
    clips = {}
    for thing in animated(scene):
        for track in thing.animation_data.nla_tracks if thing.animation_data else []:
            if len(track.strips) == 1 and track.strips[0].action:
                clips.setdefault(track.name, set()).add(track.strips[0].action)
    moved = set()
    for actions in clips.values():
        actions -= moved
        moved |= actions
        for action in actions:
            action.use_frame_range = False
        ranges = [action.frame_range for action in actions if action.fcurves]
        if not ranges:
            continue
        nearest = 1e-3  # frames; times in seconds come out a little off whole frames
        first = math.floor(min(r[0] for r in ranges) + nearest)
        last = math.ceil(max(r[1] for r in ranges) - nearest)
        for action in actions:
            for curve in action.fcurves:
                for point in points_of(curve):
                    point[0] -= first
                curve.update()
            action.use_frame_range = True
            action.frame_start, action.frame_end = 0, last - first


def export_glb(scene, path):
    """Modifiers are applied where they can be: the exporter cannot keep shape keys then."""
    has_shape_keys = any(getattr(thing.data, "shape_keys", None) for thing in scene.objects)
    bpy.ops.export_scene.gltf(
        filepath=path,
        export_format="GLB",
        use_active_scene=True,
        export_apply=not has_shape_keys,
        export_all_influences=True,
        export_frame_range=False,
        export_force_sampling=True,
        export_nla_strips=True,
        export_anim_single_armature=False,
        export_optimize_animation_size=False,
    )


def main(source, target):
    with open(source, "rb") as file:
        head = file.read(18)
    if head == b"Kaydara FBX Binary":
        read = import_fbx
    elif head.startswith((b"BLENDER", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        read = open_blend
    elif head.startswith(b"; FBX"):
        fail(source, "a text FBX file, which Blender does not read; save it as a binary one")
    else:
        fail(source, "neither a binary FBX nor a Blender file")
    try:
        read(source)
    except RuntimeError as error:
        fail(source, str(error).strip().replace("\n", " "))
    scene = bpy.context.scene
    if not any(thing.type == "MESH" for thing in scene.objects):
        fail(source, "no mesh in it")
    remove_helpers(scene)
    start_at_zero(scene)
    try:
        export_glb(scene, target)
    except RuntimeError as error:
        print(error)
        sys.exit(4)


main(*sys.argv[sys.argv.index("--") + 1 :])
