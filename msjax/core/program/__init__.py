"""One rewriter of programs: an interpreter of jaxprs, with a table of rules for each thing that is done to them.

`primitives.py` names JAX's primitives, whatever the version, and sorts them into families. `tables.py` holds what a pass does with each.
`parts.py` knows the programs inside of equations. `interpreter.py` evaluates a program over values of any kind, or over facts about
values; `needs.py` goes backwards; `sites.py` lists all equations, with how often each runs and where it comes from. A pass is a table
and a subclass: integer gradients, open lengths, stages, NumPy programs, counting.
"""
