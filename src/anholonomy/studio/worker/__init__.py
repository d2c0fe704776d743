"""The process that computes for the page, one task at a time.

What a worker of the studio does: it reads declarations, computes motions, answers questions and writes files, one task at a time.
"""
