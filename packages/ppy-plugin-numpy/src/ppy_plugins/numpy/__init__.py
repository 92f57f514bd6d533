"""The plugin for NumPy: types of arrays, fused array expressions, array elements in native loops."""
