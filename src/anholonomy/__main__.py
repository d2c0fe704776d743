"""``python -m anholonomy`` is the command line, where ``anholonomy`` is not on the path."""

from anholonomy.cli import main

main()
