"""What one may ask of a system, as the verbs of the nouns a user holds: each says what is asked, and opens the room that answers."""
