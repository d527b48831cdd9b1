// What runs inside a figure's frame: it takes data from the page around it, and tells how high the drawing is or why there is
// none. The libraries are ours; the data may be anybody's.

/** `draw(figure, dark)` is the library's part: it resolves to the height, if it knows one. */
const RECEIVE = `
const tell = (message) => parent.postMessage({ figure: message }, "*");
const root = document.getElementById("figure");
addEventListener("message", async ({ source, data }) => {
  if (source !== parent || typeof data?.text !== "string") return;
  document.documentElement.style.colorScheme = data.dark ? "dark" : "light";
  try {
    const height = await draw(JSON.parse(data.text), data.dark === true);
    tell({ height: height ?? Math.ceil(root.getBoundingClientRect().height) });
  } catch (error) {
    tell({ problem: String(error?.message ?? error).slice(0, 500) });
  }
});
tell({ ready: true });`;

/** Colours that the figure doesn't choose itself suit the page around it. Its configuration is ours: it names servers. */
const DRAW_PLOTLY = `
const lines = { gridcolor: "#2f3735", zerolinecolor: "#3a4240", linecolor: "#3a4240" };
function darkened(layout) {
  const axes = Object.keys({ xaxis: 1, yaxis: 1, ...layout }).filter((key) => /^[xy]axis\\d*$/.test(key));
  return {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", ...layout,
    font: { color: "#d5dbd8", ...layout.font },
    ...Object.fromEntries(axes.map((key) => [key, { ...lines, ...layout[key] }])),
  };
}
async function draw({ data, layout: { width, ...layout } = {}, frames }, dark) {
  const height = Math.min(Math.max(Number(layout.height) || 450, 100), 4000);
  await Plotly.newPlot(root, {
    data, frames, layout: { ...(dark ? darkened(layout) : layout), height, autosize: true },
    config: { responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: "",
      modeBarButtonsToRemove: ["toImage", "sendDataToCloud"] },
  });
  return height;
}`;

/** Data comes with the figure or not at all: the loader opens nothing. Expressions are walked through, never compiled. */
const DRAW_VEGA = `
const quiet = { axis: { gridColor: "#2f3735", domainColor: "#3a4240", tickColor: "#3a4240" }, view: { stroke: "#3a4240" } };
async function draw({ usermeta, ...spec }, dark) {
  let refused = false;
  const refuse = () => {
    refused = true;
    return Promise.reject(new Error("refused"));
  };
  const { view } = await vegaEmbed(root, spec, {
    ast: true, actions: false, renderer: "svg", logLevel: vega.Error,
    loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    tooltip: { theme: dark ? "dark" : "light" },
    ...(dark && { theme: "dark" }), config: { background: "transparent", ...(dark && quiet) },
  });
  await view.runAsync();
  if (refused) throw new Error("it wants data or pictures from elsewhere, and figures load nothing. Put the data into the figure.");
}`;

export const DRAWING_SCRIPTS = {
  plotly: DRAW_PLOTLY + RECEIVE,
  vega: DRAW_VEGA + RECEIVE,
};
