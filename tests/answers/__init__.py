"""All answers of the catalogue and the accelerations of random systems, as data to compare a later state of the code with.

``python -m tests.answers write`` asks every question of `tests.answers.questions` and keeps what comes back in ``catalogue.json`` and
``random_systems.json``; ``python -m tests.answers compare`` asks again and prints what differs. The data hold verdicts, counts and
numbers, never sentences, so that wording may change and answers may not.
"""
