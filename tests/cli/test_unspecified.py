"""Systems with functions that stay unspecified, at the command line."""

from __future__ import annotations

FILE = """schema = "anholonomy-system-1"
name = "drawn sled"
lagrangian = "(x'^2 + y'^2 + theta'^2)/2 - V(x, y)"
coordinates = ["x", "y", "theta"]
constraints = ["cos(theta)*y' = sin(theta)*x'"]
functions = ["V(x, y)"]
"""


def test_it_is_derived_and_shown_and_a_motion_says_what_it_needs(run, tmp_path):
    file = tmp_path / "sled.toml"
    file.write_text(FILE)
    derived = run("derive", file)
    assert derived.code == 0, derived.err
    assert "D(V(x, y), x)*cos(theta)" in derived.out
    assert "V(x, y), not specified" in run("show", file).out
    assert "agree" in run("verify", file, "--states", "1").out
    for command in (("simulate", file, "--until", "1", "--start", "x'=1"), ("export", file, "--to", "c")):
        refused = run(*command)
        assert refused.code == 2
        assert 'needs the function V(x, y) written out; say system.with_functions(V="…")' in " ".join(
            refused.err.split()
        )
