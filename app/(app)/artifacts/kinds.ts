// What kinds and orders are called on the page.
export const KIND_NAMES: Record<string, string> = {
  image: "Images",
  table: "Tables",
  text: "Text",
  code: "Code and data",
  document: "Documents",
  notebook: "Notebooks",
  html: "Web pages",
  audio: "Audio",
  video: "Video",
  archive: "Archives",
  other: "Other",
};

/** The newest come first unless chosen otherwise. */
export const ORDERS: Record<string, string> = {
  oldest: "Oldest first",
  name: "By name",
  largest: "Largest first",
};
