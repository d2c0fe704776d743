"""Pages about a system: its report in any browser, its study in Markdown, all questions at once, widgets of notebooks."""
