"""Operations as calls of libraries of the host: BLAS, oneDNN."""
