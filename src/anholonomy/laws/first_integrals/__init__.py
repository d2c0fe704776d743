"""The inside of `anholonomy.laws`: first integrals."""
