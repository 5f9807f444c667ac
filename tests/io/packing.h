#pragma once

#include <string>

#include "../gltf_builder.h"

namespace pelt::test {

/// A sheet of 6 by 5 vertices over two joints that share its middle, with a clip "Bend" of 1 s. The mesh is
/// 0, its node 2.
GltfBuilder skinned_sheet();

/// How a buffer view is packed.
struct ViewPacking {
  std::string mode = "ATTRIBUTES";  ///< of the extension
  int stride = 4;
  std::string filter = "NONE";
  std::string extension = "EXT_meshopt_compression";
};

/// Replaces a view of the first buffer by one that only the extension can read: its bytes are encoded and
/// appended, what stood there is overwritten. With a filter, the view must hold what the filter's encoder
/// made.
void pack_view(GltfBuilder& builder, int view, const ViewPacking& packing);

/// Adds a packed view of elements that a filter's encoder made, and an accessor over it as described.
int add_filtered(GltfBuilder& builder, const std::vector<std::uint8_t>& elements, const ViewPacking& packing,
                 const nlohmann::ordered_json& accessor);

/// Packs every view of the builder, by the way accessors use it; indices with the given mode.
void pack_all_views(GltfBuilder& builder, const std::string& index_mode = "TRIANGLES",
                    const std::string& extension = "EXT_meshopt_compression");

/// Moves all packed views to a second buffer that has no bytes. Views added later would undo it.
void add_placeholder(GltfBuilder& builder);

/// How a primitive is packed.
struct DracoPacking {
  bool edgebreaker = true;
  int position_bits = 0;       ///< 0 = exact
  int weight_bits = 0;         ///< the same for WEIGHTS_0
  int first_unique_id = 0;     ///< of POSITION; other attributes count on from there
  bool with_fallback = false;  ///< keeps the accessors' views
};

/// Adds a Draco copy of the mesh's first primitive (its triangles, POSITION, JOINTS_n, WEIGHTS_n) and takes
/// the views off its accessors. Their counts become those of the stream.
void pack_primitive(GltfBuilder& builder, int mesh, const DracoPacking& packing = {});

}  // namespace pelt::test
