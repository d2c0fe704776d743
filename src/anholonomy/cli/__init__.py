"""The command line: parse, call, print. Every refusal ends here, as one sentence and exit code 2; a warning as a note."""
