"""How things show themselves in a notebook: formulas in MathML, tables, verdicts and pictures, as HTML."""
