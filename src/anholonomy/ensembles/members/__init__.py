"""Members on their way: their states completed, charts made ready for many, blocks integrated in rounds, events located side by side."""
