// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Conjugate gradients of hypre with its multigrid preconditioners, on a panel whose lines of columns
// are shared by ranks.

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace Lamina::Perf {

/// Throws where a call of hypre reports an error. One that says "not converged" is none: iterations
/// tell.
inline void check_hypre(HYPRE_Int error, const char* call) {
  if (error == 0 || HYPRE_CheckError(error, HYPRE_ERROR_CONV) != 0) {
    HYPRE_ClearAllErrors();
    return;
  }
  std::array<char, 256> text{};
  HYPRE_DescribeError(error, text.data());
  throw std::runtime_error(std::string(call) + ": " + text.data());
}
#define LAMINA_HYPRE(call) ::Lamina::Perf::check_hypre((call), #call)

/// The equations of this rank: cells (i, j, k) with first_i <= i < last_i, k fastest.
struct PanelEquations {
  int num_x = 0, num_y = 0, num_levels = 0, first_i = 0, last_i = 0;
  std::vector<int> row_sizes{}, columns{};  ///< of compressed rows, columns of the whole matrix
  std::vector<double> values{};
  /// The same as a stencil, of which half is enough: (cell, entry) with the cell itself and those
  /// after it along k, j and i.
  std::vector<double> stencil{};
  std::vector<double> b{};

  int first_row() const { return first_i * num_y * num_levels; }
  int num_rows() const { return (last_i - first_i) * num_y * num_levels; }
};

/// A matrix, b and x in hypre's form, and conjugate gradients on them.
class HypreSystem {
 public:
  HypreSystem() = default;
  HypreSystem(const HypreSystem&) = delete;
  HypreSystem& operator=(const HypreSystem&) = delete;
  virtual ~HypreSystem() = default;

  virtual void set_up() = 0;
  /// Solves from x = 0 to |r| <= tolerance |b|, as CG knows r. \return iterations
  virtual int solve(double tolerance) = 0;
  /// x of this rank.
  virtual std::vector<double> solution() const = 0;
  /// |b - A x| / |b|
  double true_residual() const {
    const std::vector<double> image = apply();
    std::array<double, 2> sums{};
    for (std::size_t n = 0; n < image.size(); ++n) {
      const double b = equations().b[n], r = b - image[n];
      sums[0] += r * r;
      sums[1] += b * b;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return std::sqrt(sums[0] / sums[1]);
  }

 protected:
  static constexpr int max_iterations = 200;
  virtual const PanelEquations& equations() const = 0;
  virtual std::vector<double> apply() const = 0;
};

enum class StructMethod { pfmg, smg };

/// On the structured panel, with PFMG or SMG.
class HypreStruct : public HypreSystem {
 public:
  HypreStruct(const PanelEquations& equations, StructMethod method)
      : m_equations(equations), m_method(method) {
    m_lower = {0, 0, equations.first_i};
    m_upper = {equations.num_levels - 1, equations.num_y - 1, equations.last_i - 1};
    LAMINA_HYPRE(HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &m_grid));
    LAMINA_HYPRE(HYPRE_StructGridSetExtents(m_grid, m_lower.data(), m_upper.data()));
    LAMINA_HYPRE(HYPRE_StructGridAssemble(m_grid));
    LAMINA_HYPRE(HYPRE_StructStencilCreate(3, num_entries, &m_stencil));
    for (int entry = 0; entry < num_entries; ++entry) {
      std::array<HYPRE_Int, 3> offset{};
      if (entry > 0) offset[static_cast<std::size_t>(entry) - 1] = 1;
      LAMINA_HYPRE(HYPRE_StructStencilSetElement(m_stencil, entry, offset.data()));
    }
    make_matrix();
    m_b = make_vector(equations.b);
    m_x = make_vector(std::vector<double>(equations.b.size()));
    m_image = make_vector(std::vector<double>(equations.b.size()));
  }
  ~HypreStruct() override {
    if (m_pcg != nullptr) HYPRE_StructPCGDestroy(m_pcg);
    if (m_multigrid != nullptr && m_method == StructMethod::pfmg) {
      HYPRE_StructPFMGDestroy(m_multigrid);
    } else if (m_multigrid != nullptr) {
      HYPRE_StructSMGDestroy(m_multigrid);
    }
    for (const auto& vector : {m_b, m_x, m_image}) HYPRE_StructVectorDestroy(vector);
    HYPRE_StructMatrixDestroy(m_matrix);
    HYPRE_StructStencilDestroy(m_stencil);
    HYPRE_StructGridDestroy(m_grid);
  }

  void set_up() override {
    LAMINA_HYPRE(HYPRE_StructPCGCreate(MPI_COMM_WORLD, &m_pcg));
    LAMINA_HYPRE(HYPRE_StructPCGSetMaxIter(m_pcg, max_iterations));
    LAMINA_HYPRE(HYPRE_StructPCGSetTwoNorm(m_pcg, 1));
    if (m_method == StructMethod::pfmg) {
      LAMINA_HYPRE(HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &m_multigrid));
      LAMINA_HYPRE(HYPRE_StructPFMGSetMaxIter(m_multigrid, 1));
      LAMINA_HYPRE(HYPRE_StructPFMGSetTol(m_multigrid, 0));
      LAMINA_HYPRE(HYPRE_StructPFMGSetZeroGuess(m_multigrid));
      LAMINA_HYPRE(HYPRE_StructPFMGSetRelaxType(m_multigrid, red_black));
      LAMINA_HYPRE(HYPRE_StructPCGSetPrecond(m_pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup,
                                             m_multigrid));
    } else {
      LAMINA_HYPRE(HYPRE_StructSMGCreate(MPI_COMM_WORLD, &m_multigrid));
      LAMINA_HYPRE(HYPRE_StructSMGSetMaxIter(m_multigrid, 1));
      LAMINA_HYPRE(HYPRE_StructSMGSetTol(m_multigrid, 0));
      LAMINA_HYPRE(HYPRE_StructSMGSetZeroGuess(m_multigrid));
      LAMINA_HYPRE(HYPRE_StructPCGSetPrecond(m_pcg, HYPRE_StructSMGSolve, HYPRE_StructSMGSetup,
                                             m_multigrid));
    }
    LAMINA_HYPRE(HYPRE_StructPCGSetup(m_pcg, m_matrix, m_b, m_x));
  }
  int solve(double tolerance) override {
    LAMINA_HYPRE(HYPRE_StructVectorSetConstantValues(m_x, 0));
    LAMINA_HYPRE(HYPRE_StructPCGSetTol(m_pcg, tolerance));
    LAMINA_HYPRE(HYPRE_StructPCGSolve(m_pcg, m_matrix, m_b, m_x));
    HYPRE_Int iterations = 0;
    LAMINA_HYPRE(HYPRE_StructPCGGetNumIterations(m_pcg, &iterations));
    return iterations;
  }
  std::vector<double> solution() const override { return values_of(m_x); }

 protected:
  const PanelEquations& equations() const override { return m_equations; }
  std::vector<double> apply() const override {
    LAMINA_HYPRE(HYPRE_StructMatrixMatvec(1, m_matrix, m_x, 0, m_image));
    return values_of(m_image);
  }

 private:
  static constexpr int num_entries = 4;
  static constexpr HYPRE_Int red_black = 2;  // Gauss-Seidel; a cycle is symmetric
  using Box = std::array<HYPRE_Int, 3>;

  // hypre takes pointers to what it does not change as pointers to what it may.
  static double* data_of(const std::vector<double>& values) {
    return const_cast<double*>(values.data());
  }
  void make_matrix() {
    LAMINA_HYPRE(HYPRE_StructMatrixCreate(MPI_COMM_WORLD, m_grid, m_stencil, &m_matrix));
    LAMINA_HYPRE(HYPRE_StructMatrixSetSymmetric(m_matrix, 1));
    LAMINA_HYPRE(HYPRE_StructMatrixInitialize(m_matrix));
    std::array<HYPRE_Int, num_entries> entries{0, 1, 2, 3};
    LAMINA_HYPRE(HYPRE_StructMatrixSetBoxValues(m_matrix, m_lower.data(), m_upper.data(),
                                                num_entries, entries.data(),
                                                data_of(m_equations.stencil)));
    LAMINA_HYPRE(HYPRE_StructMatrixAssemble(m_matrix));
  }
  HYPRE_StructVector make_vector(const std::vector<double>& values) {
    HYPRE_StructVector vector = nullptr;
    LAMINA_HYPRE(HYPRE_StructVectorCreate(MPI_COMM_WORLD, m_grid, &vector));
    LAMINA_HYPRE(HYPRE_StructVectorInitialize(vector));
    LAMINA_HYPRE(
        HYPRE_StructVectorSetBoxValues(vector, m_lower.data(), m_upper.data(), data_of(values)));
    LAMINA_HYPRE(HYPRE_StructVectorAssemble(vector));
    return vector;
  }
  std::vector<double> values_of(HYPRE_StructVector vector) const {
    std::vector<double> values(m_equations.b.size());
    Box lower = m_lower, upper = m_upper;
    LAMINA_HYPRE(HYPRE_StructVectorGetBoxValues(vector, lower.data(), upper.data(), values.data()));
    return values;
  }

  const PanelEquations& m_equations;
  StructMethod m_method;
  Box m_lower{}, m_upper{};
  HYPRE_StructGrid m_grid = nullptr;
  HYPRE_StructStencil m_stencil = nullptr;
  HYPRE_StructMatrix m_matrix = nullptr;
  HYPRE_StructVector m_b = nullptr, m_x = nullptr, m_image = nullptr;
  HYPRE_StructSolver m_pcg = nullptr, m_multigrid = nullptr;
};

/// On compressed rows, with BoomerAMG as it is by default.
class HypreBoomerAmg : public HypreSystem {
 public:
  explicit HypreBoomerAmg(const PanelEquations& equations) : m_equations(equations) {
    for (int n = 0; n < equations.num_rows(); ++n) m_rows.push_back(equations.first_row() + n);
    const HYPRE_BigInt first = equations.first_row(), last = first + equations.num_rows() - 1;
    LAMINA_HYPRE(HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &m_matrix));
    LAMINA_HYPRE(HYPRE_IJMatrixSetObjectType(m_matrix, HYPRE_PARCSR));
    std::vector<HYPRE_Int> sizes(equations.row_sizes.begin(), equations.row_sizes.end());
    LAMINA_HYPRE(HYPRE_IJMatrixSetRowSizes(m_matrix, sizes.data()));
    LAMINA_HYPRE(HYPRE_IJMatrixInitialize(m_matrix));
    const std::vector<HYPRE_BigInt> columns(equations.columns.begin(), equations.columns.end());
    LAMINA_HYPRE(HYPRE_IJMatrixSetValues(m_matrix, equations.num_rows(), sizes.data(),
                                         m_rows.data(), columns.data(), equations.values.data()));
    LAMINA_HYPRE(HYPRE_IJMatrixAssemble(m_matrix));
    m_b = make_vector(equations.b);
    m_x = make_vector(std::vector<double>(equations.b.size()));
    m_image = make_vector(std::vector<double>(equations.b.size()));
  }
  ~HypreBoomerAmg() override {
    if (m_pcg != nullptr) HYPRE_ParCSRPCGDestroy(m_pcg);
    if (m_multigrid != nullptr) HYPRE_BoomerAMGDestroy(m_multigrid);
    for (const auto& vector : {m_b, m_x, m_image}) HYPRE_IJVectorDestroy(vector);
    HYPRE_IJMatrixDestroy(m_matrix);
  }

  void set_up() override {
    LAMINA_HYPRE(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &m_pcg));
    LAMINA_HYPRE(HYPRE_ParCSRPCGSetMaxIter(m_pcg, max_iterations));
    LAMINA_HYPRE(HYPRE_ParCSRPCGSetTwoNorm(m_pcg, 1));
    LAMINA_HYPRE(HYPRE_BoomerAMGCreate(&m_multigrid));
    LAMINA_HYPRE(HYPRE_BoomerAMGSetMaxIter(m_multigrid, 1));
    LAMINA_HYPRE(HYPRE_BoomerAMGSetTol(m_multigrid, 0));
    LAMINA_HYPRE(
        HYPRE_ParCSRPCGSetPrecond(m_pcg, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, m_multigrid));
    LAMINA_HYPRE(HYPRE_ParCSRPCGSetup(m_pcg, matrix(), vector(m_b), vector(m_x)));
  }
  int solve(double tolerance) override {
    LAMINA_HYPRE(HYPRE_ParVectorSetConstantValues(vector(m_x), 0));
    LAMINA_HYPRE(HYPRE_ParCSRPCGSetTol(m_pcg, tolerance));
    LAMINA_HYPRE(HYPRE_ParCSRPCGSolve(m_pcg, matrix(), vector(m_b), vector(m_x)));
    HYPRE_Int iterations = 0;
    LAMINA_HYPRE(HYPRE_ParCSRPCGGetNumIterations(m_pcg, &iterations));
    return iterations;
  }
  std::vector<double> solution() const override { return values_of(m_x); }

 protected:
  const PanelEquations& equations() const override { return m_equations; }
  std::vector<double> apply() const override {
    LAMINA_HYPRE(HYPRE_ParCSRMatrixMatvec(1, matrix(), vector(m_x), 0, vector(m_image)));
    return values_of(m_image);
  }

 private:
  HYPRE_ParCSRMatrix matrix() const {
    void* object = nullptr;
    LAMINA_HYPRE(HYPRE_IJMatrixGetObject(m_matrix, &object));
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }
  static HYPRE_ParVector vector(HYPRE_IJVector from) {
    void* object = nullptr;
    LAMINA_HYPRE(HYPRE_IJVectorGetObject(from, &object));
    return static_cast<HYPRE_ParVector>(object);
  }
  HYPRE_IJVector make_vector(const std::vector<double>& values) {
    HYPRE_IJVector made = nullptr;
    const HYPRE_BigInt first = m_equations.first_row(), last = first + m_equations.num_rows() - 1;
    LAMINA_HYPRE(HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &made));
    LAMINA_HYPRE(HYPRE_IJVectorSetObjectType(made, HYPRE_PARCSR));
    LAMINA_HYPRE(HYPRE_IJVectorInitialize(made));
    LAMINA_HYPRE(
        HYPRE_IJVectorSetValues(made, m_equations.num_rows(), m_rows.data(), values.data()));
    LAMINA_HYPRE(HYPRE_IJVectorAssemble(made));
    return made;
  }
  std::vector<double> values_of(HYPRE_IJVector from) const {
    std::vector<double> values(m_rows.size());
    std::vector<HYPRE_BigInt> rows = m_rows;
    LAMINA_HYPRE(HYPRE_IJVectorGetValues(from, m_equations.num_rows(), rows.data(), values.data()));
    return values;
  }

  const PanelEquations& m_equations;
  std::vector<HYPRE_BigInt> m_rows;
  HYPRE_IJMatrix m_matrix = nullptr;
  HYPRE_IJVector m_b = nullptr, m_x = nullptr, m_image = nullptr;
  HYPRE_Solver m_pcg = nullptr, m_multigrid = nullptr;
};

}  // namespace Lamina::Perf
