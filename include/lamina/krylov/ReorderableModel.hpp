// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/impl/ColumnOrder.hpp>

#include <concepts>

namespace Lamina {

/// Optionally a model of a fused solver allows solves on devices to bring fields to LayoutLeft, and
/// its columns to an order, with zeros between them, in which its sweeps are faster:
/// `column_order()`, empty where there is none. `reordered()` is then the model of fields in that
/// order. Solves copy their fields to and fro.
template <class Model>
concept ReorderableModel = requires(const Model& model) {
  { model.column_order() } -> std::convertible_to<Impl::ColumnOrder<typename Model::memory_space>>;
  { model.reordered() } -> std::convertible_to<Model>;
};

namespace Impl {

/// Whether solves on `Space` do so.
template <class Model, class Space>
inline constexpr bool may_reorder = ReorderableModel<Model> && !runs_on_host<Space>;

/// The order of a solve's fields.
template <class Space, class Model>
ColumnOrder<typename Model::memory_space> column_order_of(const Model& model) {
  if constexpr (may_reorder<Model, Space>) return model.column_order();
  return {};
}
/// The model of fields in that order.
template <class Space, class Model>
Model in_own_order(const Model& model) {
  if constexpr (may_reorder<Model, Space>) {
    if (!model.column_order().empty()) return model.reordered();
  }
  return model;
}

}  // namespace Impl
}  // namespace Lamina
