"""python -m anholonomy is the command line.

``python -m anholonomy`` is the command line, where ``anholonomy`` is not on the path.
"""

from anholonomy.cli.main import main

main()
