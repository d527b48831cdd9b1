"use client";

import { useState } from "react";
import { Code } from "#app/_code/code.tsx";
import { Tabs } from "./tabs.tsx";
import type { Content, Shown } from "./view.tsx";

/**
 * A page that code made, in a frame without an origin: its scripts run, but they see no cookie and reach nobody. Its own
 * policy says so once more (`/preview`).
 */
export function HtmlView({ artifact: { name, href }, content }: { artifact: Shown; content: Content }) {
  const [tab, setTab] = useState("Page");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <Tabs names={["Page", "Source"]} current={tab} onChange={setTab} />
      {tab === "Page" ? (
        <iframe
          title={name}
          src={`${href}/preview`}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          className="h-[75dvh] w-full rounded-lg border bg-white"
        />
      ) : (
        <div className="overflow-hidden rounded-lg border bg-surface">
          <Code code={content.text} language="html" className="max-h-[75dvh]" />
        </div>
      )}
    </div>
  );
}
