"""Makes the frozen runs that ship with the dataset, their manifest, and the table of results."""
