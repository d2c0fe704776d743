"""Tensors, vector fields, differential forms and metrics in any frame."""
