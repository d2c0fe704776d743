"""Is a system well posed? Dependent constraints, impossible ones, and the mistakes that show only in mechanics."""
