import { expect, test } from "vitest";
import { distributionOf, missingModuleHint } from "./missing-module.ts";

test.each([
  ["cv2", "opencv-python-headless"],
  ["sklearn.linear_model", "scikit-learn"],
  ["PIL", "pillow"],
  ["yaml", "pyyaml"],
  ["bs4", "beautifulsoup4"],
  ["google.protobuf.message", "protobuf"],
  ["seaborn", "seaborn"],
  ["sentence_transformers", "sentence-transformers"],
])("%s comes with %s", (module, distribution) => {
  expect(distributionOf(module)).toBe(distribution);
});

test("a hint is a sentence to act on", () => {
  expect(missingModuleHint("cv2")).toBe(
    "There is no module cv2: install the package opencv-python-headless to get it.",
  );
});

test("a part that others may add to what is there is known by its whole name", () => {
  expect(missingModuleHint("google.cloud.storage")).toMatch(/package google-cloud-storage /);
  expect(missingModuleHint("google.protobuf.message")).toMatch(/package protobuf /);
});

test("a part that a package hasn't got is no reason to install the package again", () => {
  for (const module of ["pandas.nope", "sklearn.nope", "json.nope", "google.nope"])
    expect(missingModuleHint(module)).toBeUndefined();
});

test("a name that many distributions share names none of them", () => {
  expect(missingModuleHint("google")).toBeUndefined();
  expect(missingModuleHint("azure")).toBeUndefined();
});

test("what can't be a package gets no hint", () => {
  for (const module of ["", "_private", "a b", "../x", "x".repeat(100), "constructor.x; rm"])
    expect(missingModuleHint(module)).toSatisfy(
      (hint) => hint === undefined || !/[;/]/.test(String(hint).split("package ")[1] ?? ""),
    );
  expect(missingModuleHint("__main__.x")).toBeUndefined();
});
