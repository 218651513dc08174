"""Compiled kernels: the decorator and its cache on disk, SIMD types with plain references, interruption."""
