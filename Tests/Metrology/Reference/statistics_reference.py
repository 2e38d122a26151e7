"""Statistics by SciPy and NumPy: statistics_reference.py < queries > answers

Standard input is a JSON list of queries: the name of a function below and its arguments. Prints the list of the results.
"""

import json
import sys

import numpy as np
from scipy import integrate, optimize, stats


def tolerance_factor(count, share, confidence):
    """The exact factor of a two-sided tolerance interval (Meeker, Hahn, Escobar, "Statistical Intervals", 4.6.1)."""
    freedom = count - 1

    def covered(factor):
        def density(z):
            radius = stats.ncx2.ppf(share, 1, z * z / count)
            return stats.chi2.sf(freedom * radius / factor**2, freedom) * stats.norm.pdf(z)

        return 2 * integrate.quad(density, 0, 8)[0]

    return optimize.brentq(lambda factor: covered(factor) - confidence, 1, 100)


def line(x, y, weights):
    """Slope, intercept, their standard errors and R² of a weighted fit."""
    (slope, intercept), covariance = np.polyfit(x, y, 1, w=np.sqrt(weights), cov=True)
    # np.polyfit divides by n - 2, as it should.
    errors = np.sqrt(np.diag(covariance))
    y = np.asarray(y)
    rest = np.average((y - np.polyval([slope, intercept], x)) ** 2, weights=weights)
    return [
        slope,
        intercept,
        *errors.tolist(),
        1 - rest / np.average((y - np.average(y, weights=weights)) ** 2, weights=weights),
    ]


def fieller(x, y, weights, value, weight):
    """The ends of the set of x at which the line may have the value: the roots of a test of value - line(x)."""
    (slope, intercept), covariance = np.polyfit(x, y, 1, w=np.sqrt(weights), cov=True)
    rest = np.sum(np.asarray(weights) * (np.asarray(y) - np.polyval([slope, intercept], x)) ** 2) / (len(x) - 2)
    t = stats.t.ppf(0.975, len(x) - 2)

    def excess(position):
        direction = np.array([position, 1])
        variance = direction @ covariance @ direction + rest / weight
        return (value - np.polyval([slope, intercept], position)) ** 2 - t * t * variance

    middle, width = (value - intercept) / slope, max(x) - min(x)
    return [
        optimize.brentq(excess, middle - 1000 * width, middle, xtol=1e-13),
        optimize.brentq(excess, middle, middle + 1000 * width, xtol=1e-13),
    ]


def lack_of_fit(x, y, weights):
    """The probability of the lack of fit of a straight line, with repeated levels or by a parabola."""
    x, y, weights = map(np.asarray, (x, y, weights))

    def rest(degree):
        return np.sum(weights * (y - np.polyval(np.polyfit(x, y, degree, w=np.sqrt(weights)), x)) ** 2)

    levels = np.unique(x)
    if len(x) - len(levels) >= 2:
        groups = [(y[x == level], weights[x == level]) for level in levels]
        pure = sum(np.sum(w * (v - np.average(v, weights=w)) ** 2) for v, w in groups)
        freedom, left = len(levels) - 2, len(x) - len(levels)
    else:
        pure, freedom, left = rest(2), 1, len(x) - 3
    return stats.f.sf((rest(1) - pure) / freedom / (pure / left), freedom, left)


def eigenvalues(diagonal, others):
    (a, b, c), (f, e, d) = diagonal, others
    return np.linalg.eigvalsh([[a, d, e], [d, b, f], [e, f, c]]).tolist()


FUNCTIONS = {
    "eigenvalues": eigenvalues,
    "fieller": fieller,
    "lackOfFit": lack_of_fit,
    "line": line,
    "toleranceFactor": tolerance_factor,
    "normal": stats.norm.cdf,
    "normalQuantile": stats.norm.ppf,
    "t": stats.t.cdf,
    "tQuantile": stats.t.ppf,
    "chiSquared": stats.chi2.cdf,
    "chiSquaredQuantile": stats.chi2.ppf,
    "fTail": stats.f.sf,
    "distance": lambda length, distance: stats.ncx2.cdf(length**2, 3, distance**2),
}


def main():
    results = [FUNCTIONS[name](*arguments) for name, arguments in json.load(sys.stdin)]
    json.dump([result if isinstance(result, list) else [float(result)] for result in results], sys.stdout)


main()
