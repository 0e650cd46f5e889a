"""Commands for people: doctor, scan, and the generators of the reference pages."""
