// Figures that are data, drawn where they appear: nobody is asked, because nobody's script runs.
import { addToken } from "../support/people.ts";
import { execute, expect, openArtifact, runner } from "./artifact-steps.ts";
import { signIn, test } from "./fixtures.ts";

test.describe.configure({ timeout: 240_000 });

const FIGURES = `
plotly = {"data": [{"type": "bar", "x": ["north", "south"], "y": [3, 5]}], "layout": {"title": {"text": "Sold by region"}}}
vega = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "width": "container", "title": "Sold by month",
    "data": {"values": [{"month": "May", "sold": 4}, {"month": "June", "sold": 7}]},
    "transform": [{"calculate": "datum.sold * 2", "as": "twice"}], "mark": "line",
    "encoding": {"x": {"field": "month", "type": "nominal"}, "y": {"field": "twice", "type": "quantitative"}}}`;

test("a cell's figures are drawn in the history, and again in the notebook that is saved", async ({
  page,
  person,
  cove,
  request,
}) => {
  const token = await addToken(cove.dataDir, person.id);
  const code = `${FIGURES}
display({"application/vnd.plotly.v1+json": plotly, "text/plain": "Figure"}, raw=True)
display({"application/vnd.vegalite.v5+json": vega, "text/plain": "Chart"}, raw=True)`;
  const { execution_id } = await execute(request, token, "execute_python", { code, timeout: 60 });
  await signIn(page, person);
  await page.goto(`/history/${execution_id}`);
  const frames = page.locator('iframe[title="Figure"]');
  await expect(frames).toHaveCount(2);
  await expect(frames.nth(0).contentFrame().getByText("Sold by region")).toBeVisible({ timeout: 60_000 });
  await frames.nth(1).scrollIntoViewIfNeeded();
  await expect(frames.nth(1).contentFrame().getByText("Sold by month")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Run this page" })).toHaveCount(0);
  const exported = await page.request.get(`/api/history/export?format=ipynb&ids=${execution_id}`);
  const { cells } = await exported.json();
  const data = cells[0].outputs.map((output: { data: object }) => Object.keys(output.data)[0]);
  expect(data).toEqual(["application/vnd.plotly.v1+json", "application/vnd.vegalite.v6+json"]);
  expect(cells[0].outputs[0].data[data[0]].layout.title.text).toBe("Sold by region");
});

test("a figure that was saved opens as one, and says so when it can't be drawn", async ({
  page,
  person,
  cove,
  request,
}) => {
  const run = runner(request, await addToken(cove.dataDir, person.id));
  await run(`python3 - <<'PY'
import json
${FIGURES}
json.dump(plotly, open("regions.plotly.json", "w"))
json.dump({**vega, "data": {"url": "https://example.com/data.json"}}, open("far.vl.json", "w"))
PY`);
  await signIn(page, person);
  await openArtifact(page, "regions.plotly.json");
  const figure = page.locator('iframe[title="Figure"]').contentFrame();
  await expect(figure.getByText("Sold by region")).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Source" }).click();
  await expect(page.getByRole("article").getByText("Sold by region")).toBeVisible();
  await openArtifact(page, "far.vl.json");
  await expect(page.getByText("This figure could not be drawn")).toBeVisible({ timeout: 60_000 });
});
