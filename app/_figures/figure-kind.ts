/** The library that draws a kind of data. */
export type FigureLibrary = "plotly" | "vega";

/** By the type of a result or an artifact; nothing for what isn't a figure's data. Vega's types name a version. */
export function figureLibrary(mime: string): FigureLibrary | undefined {
  if (/^application\/vnd\.plotly\.v\d+\+json$/.test(mime)) return "plotly";
  if (/^application\/vnd\.vega(lite)?\.v\d+\+json$/.test(mime)) return "vega";
  return undefined;
}
