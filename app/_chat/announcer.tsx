"use client";

import { useEffect, useRef, useState } from "react";
import type { ChatMessage } from "#lib/chats/chat-message.ts";
import { messageText } from "./message-text.ts";
import { usePresentations } from "./tool-presentations.tsx";
import { type Presentations, toolView } from "./tool-view.ts";

// Often enough to follow, seldom enough to be heard out.
const PAUSE = 1500;

/** Reads a streamed answer out in whole sentences: live regions that change with every word are never heard to the end. */
export function Announcer({ message, running }: { message: ChatMessage | undefined; running: boolean }) {
  const [sentence, setSentence] = useState("");
  const heard = useRef({ id: "", length: 0, tools: 0, running: false });
  const presentations = usePresentations();
  const current = useRef({ message, running, presentations });
  current.current = { message, running, presentations };

  useEffect(() => {
    const speak = () => {
      const { message, running, presentations } = current.current;
      const toolsOf = (answer: ChatMessage) => toolTitles(answer, presentations);
      if (!message) return;
      if (heard.current.id !== message.id) {
        // What is there already when a page opens is read by the person, not to them.
        const [length, tools] = running ? [0, 0] : [messageText(message).length, toolsOf(message).length];
        heard.current = { id: message.id, length, tools, running };
        if (running) setSentence("Cove is answering.");
        return;
      }
      const tools = toolsOf(message);
      const text = messageText(message);
      const ready = running ? lastSentenceEnd(text) : text.length;
      const news = [
        ...tools.slice(heard.current.tools).map((name) => `Running ${name}.`),
        text.slice(heard.current.length, ready).trim(),
        heard.current.running && !running ? "The answer is complete." : "",
      ].filter(Boolean);
      const length = Math.max(heard.current.length, ready);
      heard.current = { id: message.id, length, tools: tools.length, running };
      if (news.length > 0) setSentence(news.join(" "));
    };
    const timer = setInterval(speak, PAUSE);
    return () => clearInterval(timer);
  }, []);

  return (
    <div role="status" aria-live="polite" className="sr-only">
      {sentence}
    </div>
  );
}

function toolTitles({ parts }: ChatMessage, presentations: Presentations): string[] {
  return parts.flatMap((part) =>
    part.type === "dynamic-tool" && part.state !== "input-streaming"
      ? [toolView(presentations, part.toolName, part.input).title]
      : [],
  );
}

function lastSentenceEnd(text: string): number {
  return (
    Math.max(text.lastIndexOf(". "), text.lastIndexOf("! "), text.lastIndexOf("? "), text.lastIndexOf("\n")) +
    1
  );
}
