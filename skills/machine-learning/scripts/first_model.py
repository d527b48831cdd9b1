#!/usr/bin/env python3
"""first_model.py FILE TARGET: a baseline and two models on a table, cross-validated."""

import sys

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from tools import read_table

if len(sys.argv) != 3:
    sys.exit(__doc__)
file, target = sys.argv[1:]
table = read_table(file)
if target not in table.columns:
    sys.exit(f"There is no column {target}; there are {', '.join(map(str, table.columns))}.")
table = table.dropna(subset=[target])
X, y = table.drop(columns=target), table[target]
# Names of things, and one value per row, teach a model nothing.
X = X[[name for name in X if X[name].dtype.kind in "biuf" or X[name].nunique() <= 50]]
prepare = make_column_transformer(
    (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), make_column_selector(dtype_include="number")),
    (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_exclude="number")),
)
classes = y.dtype.kind not in "f" and y.nunique() <= 20
if classes:
    models = DummyClassifier(strategy="prior"), LogisticRegression(max_iter=2000), HistGradientBoostingClassifier(max_iter=60)
    scoring = "balanced_accuracy"
else:
    models = DummyRegressor(), Ridge(), HistGradientBoostingRegressor(max_iter=60)
    scoring = "neg_mean_absolute_error"
print(f"{len(table):,} rows, {X.shape[1]} features, {scoring.removeprefix('neg_')}")
for model in models:
    scores = abs(cross_val_score(make_pipeline(prepare, model), X, y, cv=5, scoring=scoring))
    print(f"{type(model).__name__:32} {scores.mean():.3f} ± {scores.std():.3f}")
