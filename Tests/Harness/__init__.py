"""Helpers for all Python tests: to run the program, send it requests, inspect its process, and wait for a condition."""
