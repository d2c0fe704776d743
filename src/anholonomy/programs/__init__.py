"""Programs: numbers in, numbers out; their derivatives, backends and exports.

Programs: numbers in, numbers out, with neutral names; their derivatives, backends and exports.
"""
