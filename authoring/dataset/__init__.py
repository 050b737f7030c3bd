"""From the readable source of the library of things to the files that ship."""
