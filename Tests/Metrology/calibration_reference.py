"""Fits of colour charts by NumPy: calibration_reference.py < in > report

Standard input is a list of charts in JSON, each with the light of its patches and what it should be, and the terms of
the model. Prints, for each, the coefficients by least squares, and what a fit to all other patches predicts for each.
"""

import json
import sys

import numpy as np


def terms(light, model):
    red, green, blue = light.T
    roots = [np.sqrt(red * green), np.sqrt(green * blue), np.sqrt(red * blue)]
    return np.stack([red, green, blue] + (roots if model == "root-polynomial" else []), axis=1)


def fit(rows, targets):
    return np.linalg.lstsq(rows, targets, rcond=None)[0]


def report(chart):
    rows = terms(np.array(chart["light"]), chart["model"])
    targets = np.array(chart["targets"])
    others = [np.arange(len(rows)) != left_out for left_out in range(len(rows))]
    predictions = [row @ fit(rows[other], targets[other]) for row, other in zip(rows, others, strict=True)]
    return {"coefficients": fit(rows, targets).T.tolist(), "predictions": np.array(predictions).tolist()}


json.dump([report(chart) for chart in json.load(sys.stdin)], sys.stdout)
