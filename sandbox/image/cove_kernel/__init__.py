"""What runs inside a Python session: IPython's shell, fed by coved, results on a pipe of their own."""
