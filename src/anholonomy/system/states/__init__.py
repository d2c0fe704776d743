"""Admissible states: completed, checked, drawn at random.

States: completed, checked against the constraints, drawn at random; decided in doubles where these leave no doubt, else in balls.
"""
