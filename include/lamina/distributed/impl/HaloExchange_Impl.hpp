// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/distributed/HaloExchange.hpp>

namespace Lamina {
namespace Impl {

template <class V>
HaloFieldData halo_field(const V& view) {
  constexpr bool has_levels = static_cast<int>(V::rank) == 2;
  HaloFieldData field;
  field.values = view.data();
  field.item_stride = static_cast<std::int64_t>(view.stride(0));
  field.num_items = static_cast<std::int64_t>(view.extent(0));
  field.num_levels = 1;
  if constexpr (has_levels) {
    field.level_stride = static_cast<std::int64_t>(view.stride(1));
    field.num_levels = static_cast<int>(view.extent(1));
  }
  field.value_bytes = static_cast<int>(sizeof(typename V::value_type));
  field.levels_fastest = has_levels && levels_contiguous<typename V::array_layout>;
  return field;
}

}  // namespace Impl

template <MemorySpace Memory>
HaloExchange<Memory>::HaloExchange(const Transport& transport, const HaloPattern& pattern,
                                   std::size_t most_bytes_per_item)
    : m_plan(std::make_shared<Impl::HaloPlan<Memory>>(transport, pattern, most_bytes_per_item)) {}

template <MemorySpace Memory>
HaloExchange<Memory> HaloExchange<Memory>::renumbered(const std::vector<int>& numbers,
                                                      int num_items) const {
  HaloExchange exchange;
  if (m_plan) {
    exchange.m_plan = std::make_shared<Impl::HaloPlan<Memory>>(*m_plan, numbers, num_items);
  }
  return exchange;
}

template <MemorySpace Memory>
template <class Space, class... Fields>
void HaloExchange<Memory>::start_table(const Space& space, int part,
                                       const Fields&... fields) const {
  static_assert(sizeof...(Fields) >= 1 && sizeof...(Fields) <= max_fields,
                "HaloExchange: expected 1 to 8 fields");
  if (!m_plan) return;
  const Impl::ProfilingRegion region("Lamina::HaloExchange::start");
  Impl::HaloFields list;
  (list.add(Impl::halo_field(fields)), ...);
  m_plan->begin("HaloExchange::start", part, list);
  Channels* const channels = m_plan->channels();
  Impl::HaloKernels<Space>::pack(space, m_plan->fields(), m_plan->sent(),
                                 channels != nullptr ? channels->outgoing() : nullptr,
                                 channels != nullptr ? channels->raised_flags() : MessageFlags());
  if (channels != nullptr) channels->send(InstanceRef(space), m_plan->message_bytes());
}

template <MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void HaloExchange<Memory>::finish(const Space& space) const {
  if (!m_plan) return;
  const Impl::ProfilingRegion region("Lamina::HaloExchange::finish");
  m_plan->end();
  Channels* const channels = m_plan->channels();
  if (channels == nullptr) return;
  channels->receive(InstanceRef(space));
  Impl::HaloKernels<Space>::unpack(space, m_plan->fields(), m_plan->received(),
                                   channels->incoming(), channels->awaited_flags());
}

}  // namespace Lamina
