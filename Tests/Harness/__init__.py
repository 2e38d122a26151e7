"""Helpers of all Python tests, which run the program, send it requests, inspect its process and wait for conditions."""
