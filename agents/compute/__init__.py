"""This computer: how kernels are compiled, where things are kept, processes of our own."""
