"""Systems, equations and motions with their verbs."""
