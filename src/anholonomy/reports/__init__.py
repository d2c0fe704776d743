"""The report: one page that derives, proves, analyses and plays a system, in any browser, offline."""
