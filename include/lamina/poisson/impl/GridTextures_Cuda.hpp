// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cells of a field in single precision through CUDA's texture objects: of linear memory, or of two
// dimensions with a pitch. There are no textures of doubles.

#include <lamina/poisson/impl/GridTextures.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace Lamina::Impl {

/// A texture object whose first texel lies `offset` values before the field: texture objects begin
/// at addresses of their own alignment.
struct FieldTexture {
  cudaTextureObject_t object = 0;  ///< 0: there is none
  int offset = 0;
};

/// Texture objects by field, made when a field is read first and kept for some fields.
class GridTextures {
 public:
  GridTextures() = default;
  ~GridTextures() { clear(); }
  GridTextures(const GridTextures&) = delete;
  GridTextures& operator=(const GridTextures&) = delete;

  /// body(texture of each field): what it enqueues may read through them.
  template <class Body, class... Fields>
  bool use(const Grid& grid, const Body& body, const Fields&... fields) {
    // None of them may go before the others are found, and the kernel is enqueued.
    const std::lock_guard lock(m_mutex);
    constexpr std::size_t most = 16;  // a solve has 5
    if (m_entries.size() + sizeof...(fields) > most) clear();
    return body(find(grid, fields)...);
  }

 private:
  FieldTexture find(const Grid& grid, const GridField<const float>& field) {
    for (const Entry& entry : m_entries) {
      const bool same = entry.memory == grid.memory &&
                        entry.num_lines == grid.topology.num_levels &&
                        entry.values == field.values && entry.stride == field.stride;
      if (same) return entry.texture;
    }
    m_entries.push_back({grid.memory, grid.topology.num_levels, field.values, field.stride,
                         make_texture(grid, field)});
    return m_entries.back().texture;
  }

  struct Entry {
    StencilMemory memory;
    int num_lines;
    const float* values;
    std::int64_t stride;
    FieldTexture texture;
  };

  void clear() {
    // Kernels that read through them may still run.
    if (!m_entries.empty()) static_cast<void>(cudaDeviceSynchronize());
    for (const Entry& entry : m_entries) {
      if (entry.texture.object != 0) {
        static_cast<void>(cudaDestroyTextureObject(entry.texture.object));
      }
    }
    m_entries.clear();
  }

  static std::int64_t attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&value, which, device) == cudaSuccess;
    return known ? value : 0;
  }

  static FieldTexture make_texture(const Grid& grid, const GridField<const float>& field) {
    const std::int64_t alignment = attribute(cudaDevAttrTextureAlignment);
    if (alignment == 0) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(field.values);
    const auto beyond = static_cast<std::int64_t>(address % static_cast<std::uintptr_t>(alignment));
    const auto offset = static_cast<int>(beyond / static_cast<std::int64_t>(sizeof(float)));
    const std::int64_t texels =
        offset + (grid.topology.num_levels - 1) * field.stride + grid.topology.num_owned;

    cudaResourceDesc resource{};
    const bool possible = grid.memory == StencilMemory::texture1d
                              ? describe_linear(texels, resource)
                              : describe_pitched(texels, field.stride, resource);
    void* const start = const_cast<float*>(field.values - offset);
    (grid.memory == StencilMemory::texture1d ? resource.res.linear.devPtr
                                             : resource.res.pitch2D.devPtr) = start;
    cudaTextureDesc texture{};
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = cudaFilterModePoint;
    texture.readMode = cudaReadModeElementType;
    FieldTexture result{0, offset};
    if (possible &&
        cudaCreateTextureObject(&result.object, &resource, &texture, nullptr) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      result.object = 0;
    }
    return result;
  }

  static bool describe_linear(std::int64_t texels, cudaResourceDesc& resource) {
    const auto channel = cudaCreateChannelDesc<float>();
    int device = 0;
    std::size_t most = 0;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.desc = channel;
    resource.res.linear.sizeInBytes = static_cast<std::size_t>(texels) * sizeof(float);
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetTexture1DLinearMaxWidth(&most, &channel, device) == cudaSuccess &&
           static_cast<std::size_t>(texels) <= most;
  }

  /// A line of the texture is as long as the way from a line of the field to the next.
  static bool describe_pitched(std::int64_t texels, std::int64_t stride,
                               cudaResourceDesc& resource) {
    const std::int64_t pitch = stride * static_cast<std::int64_t>(sizeof(float)),
                       height = (texels + stride - 1) / stride,
                       alignment = attribute(cudaDevAttrTexturePitchAlignment);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = static_cast<std::size_t>(stride);
    resource.res.pitch2D.height = static_cast<std::size_t>(height);
    resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(pitch);
    return alignment > 0 && pitch % alignment == 0 &&
           stride <= attribute(cudaDevAttrMaxTexture2DLinearWidth) &&
           height <= attribute(cudaDevAttrMaxTexture2DLinearHeight) &&
           pitch <= attribute(cudaDevAttrMaxTexture2DLinearPitch);
  }

  std::mutex m_mutex;
  std::vector<Entry> m_entries;
};

struct Texture1dField {
  using value_type = const float;
  using non_const_value_type = float;
  FieldTexture texture;
  std::int64_t stride;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value read_value(std::int64_t i, int line) const {
    const int texel = static_cast<int>(texture.offset + line * stride) + static_cast<int>(i);
#if defined(__CUDA_ARCH__)
    return tex1Dfetch<float>(texture.object, texel);
#else
    return static_cast<Value>(texel);                 // for the host pass of the compiler
#endif
  }
};

struct Texture2dField {
  using value_type = const float;
  using non_const_value_type = float;
  FieldTexture texture;
  int stride;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value read_value(std::int64_t i, int line) const {
    const int row = line + texture.offset / stride;
    const int column = texture.offset % stride + static_cast<int>(i);
    const bool next = column >= stride;  // the texture begins before the field
#if defined(__CUDA_ARCH__)
    constexpr float centre = 0.5F;
    return tex2D<float>(texture.object,
                        static_cast<float>(next ? column - stride : column) + centre,
                        static_cast<float>(next ? row + 1 : row) + centre);
#else
    return static_cast<Value>(row + (next ? 1 : 0));  // for the host pass of the compiler
#endif
  }
};

template <>
struct TextureReader<Kokkos::Cuda, float> {
  template <class Body, class... Fields>
  static bool read(const Grid& grid, const Body& body, const Fields&... fields) {
    const auto read_as = [&](const auto&... textures) {
      if (((textures.object == 0) || ...)) return false;
      if (grid.memory == StencilMemory::texture1d) {
        body(Texture1dField{textures, fields.stride}...);
      } else {
        body(Texture2dField{textures, static_cast<int>(fields.stride)}...);
      }
      return true;
    };
    return grid.textures != nullptr && grid.textures->use(grid, read_as, fields...);
  }
};

template <>
inline std::shared_ptr<GridTextures> make_textures<Kokkos::CudaSpace>() {
  return std::make_shared<GridTextures>();
}

}  // namespace Lamina::Impl
#endif
