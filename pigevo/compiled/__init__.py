"""Compiled kernels: the decorator, their cache on disk, and SIMD instructions with plain references."""
