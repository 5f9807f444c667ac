#pragma once

#include <Eigen/Core>

namespace pelt {

/// Eigenvalues in no order, eigenvectors as the columns beside them.
struct SymmetricEigen4 {
  Eigen::Vector4d values;
  Eigen::Matrix4d vectors;
};

/// All eigenpairs of a symmetric 4x4 matrix, to the precision of double. Only the lower triangle is read.
SymmetricEigen4 symmetric_eigen(const Eigen::Matrix4d& matrix);

/// The eigenvector of the largest eigenvalue, of unit length and with its largest component positive.
Eigen::Vector4d largest_eigenvector(const Eigen::Matrix4d& matrix);

}  // namespace pelt
