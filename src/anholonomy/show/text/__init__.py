"""Systems and motions in words.

A system, its geometry or its motion in words: declarations, reports, LaTeX documents.
"""
