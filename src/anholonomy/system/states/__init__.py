"""States: completed, checked against the constraints, drawn at random; decided in doubles where these leave no doubt, else in balls."""
