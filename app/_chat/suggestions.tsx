"use client";

interface Suggestion {
  title: string;
  about: string;
  text: string;
}

const WITH_A_MODEL: Suggestion[] = [
  {
    title: "Draw something",
    about: "A damped oscillation, plotted and explained",
    text: "Plot a damped oscillation together with its envelope, and explain the formula in two sentences.",
  },
  {
    title: "Analyse data",
    about: "A year of sales: make it, chart it, find the best month",
    text: "Make a CSV with a year of plausible daily sales, then chart the monthly totals and tell me the best month.",
  },
  {
    title: "Test first",
    about: "A Roman numeral converter, tests before code",
    text: "Write a Python function that converts integers to Roman numerals. Write the tests first, watch them fail, then make them pass.",
  },
  {
    title: "Look around",
    about: "What is in my workspace?",
    text: "What is in my workspace, and which Python packages can I use?",
  },
];

const PLOT = `>>> import numpy as np
import matplotlib.pyplot as plt
t = np.linspace(0, 12, 500)
plt.figure(figsize=(7, 3))
plt.plot(t, np.exp(-t / 4) * np.cos(3 * t))
plt.plot(t, np.exp(-t / 4), "--", alpha=0.6)
plt.title("A damped oscillation")
plt.show()`;

const TABLE = `>>> import pandas as pd
pd.DataFrame({"n": range(1, 9)}).assign(square=lambda d: d.n ** 2, cube=lambda d: d.n ** 3)`;

const FORMULA = `>>> import sympy as sp
x = sp.symbols("x")
sp.Integral(sp.exp(-x**2), (x, -sp.oo, sp.oo)).doit()`;

/** These run as they are, in Python and Bash. */
const WITHOUT: Suggestion[] = [
  { title: "Draw something", about: "A damped oscillation, in Python", text: PLOT },
  { title: "Make a table", about: "Squares and cubes, with pandas", text: TABLE },
  { title: "Do some maths", about: "An integral, with SymPy", text: FORMULA },
  {
    title: "Look around",
    about: "What is in my workspace?",
    text: "!pwd; ls -la; python3 --version; df -h /workspace",
  },
];

/** `model`: whether one is connected; undefined until that is known. */
export function Suggestions({
  model,
  onChoose,
}: {
  model: boolean | undefined;
  onChoose: (text: string) => void;
}) {
  return (
    <ul aria-label="Suggestions" className="grid gap-2 sm:grid-cols-2">
      {(model === false ? WITHOUT : WITH_A_MODEL).map(({ title, about, text }) => (
        <li key={title}>
          <button
            type="button"
            disabled={model === undefined}
            onClick={() => onChoose(text)}
            className="grid h-full w-full content-start gap-0.5 rounded-xl border bg-surface px-4 py-3 text-left transition-colors hover:border-line-strong hover:bg-hover"
          >
            <span className="font-medium text-sm">{title}</span>
            <span className="text-muted text-sm">{about}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
