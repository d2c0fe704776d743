"""Programs: numbers in, numbers out, with neutral names; their derivatives, backends and exports."""
