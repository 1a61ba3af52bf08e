// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/impl/ColumnOrder.hpp>

#include <concepts>

namespace Lamina {

/// Optionally a model of a fused solver knows an order of its columns, with zeros between them, in
/// which its sweeps are faster: `column_order()`, empty where there is none. `reordered()` is then
/// the model of fields in that order; it shares scratch with this one. A solve copies its fields to
/// and fro.
template <class Model>
concept ReorderableModel = requires(const Model& model) {
  { model.column_order() } -> std::convertible_to<Impl::ColumnOrder<typename Model::memory_space>>;
  { model.reordered() } -> std::convertible_to<Model>;
};

namespace Impl {

template <class Model>
ColumnOrder<typename Model::memory_space> column_order_of(const Model& model) {
  if constexpr (ReorderableModel<Model>) return model.column_order();
  return {};
}
/// The model that solves use.
template <class Model>
Model in_own_order(const Model& model) {
  if constexpr (ReorderableModel<Model>) {
    if (!model.column_order().empty()) return model.reordered();
  }
  return model;
}

}  // namespace Impl
}  // namespace Lamina
