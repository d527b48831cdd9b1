"use client";

import { KeyRound } from "lucide-react";
import { Tabs } from "radix-ui";
import { useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { CopyButton } from "#app/_components/copy-button.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Section } from "#app/_components/page.tsx";
import { addToken } from "../actions.ts";
import { setups } from "./setups.ts";
import { TryIt } from "./try-it.tsx";

export function ConnectGuide({ address }: { address: string }) {
  const [token, setToken] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [pending, setPending] = useState(false);
  const [chosen, setChosen] = useState("claude-code");
  const all = setups(address, token);

  async function makeToken(): Promise<void> {
    setPending(true);
    const data = new FormData();
    data.set("name", all.find(({ id }) => id === chosen)?.name ?? "Client");
    data.set("lifetime", "90");
    const made = await addToken({}, data).catch(() => ({
      problem: "The server could not be reached.",
      result: undefined,
    }));
    setToken(made.result);
    setProblem(made.problem);
    setPending(false);
  }

  return (
    <>
      <Section
        title="Connect a client"
        about="Your files, your Python state and your history, from wherever you work. Choose what you use and copy."
      >
        <Tabs.Root value={chosen} onValueChange={setChosen} className="grid grid-cols-1 gap-3">
          <Tabs.List aria-label="Clients" className="flex gap-1 overflow-x-auto border-b">
            {all.map(({ id, name }) => (
              <Tabs.Trigger
                key={id}
                value={id}
                className="-mb-px h-9 shrink-0 whitespace-nowrap border-transparent border-b-2 px-2.5 text-muted text-sm hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
              >
                {name}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {all.map(({ id, name, place, text }) => (
            <Tabs.Content key={id} value={id} className="grid grid-cols-1 overflow-hidden rounded-lg border">
              <div className="flex items-center justify-between gap-3 border-b bg-sunken py-1.5 pr-1.5 pl-3.5">
                <span className="min-w-0 text-muted text-xs">{place}</span>
                <CopyButton text={text} />
              </div>
              <section aria-label={`Set-up for ${name}`} className="min-w-0">
                <pre
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
                  tabIndex={0}
                  className="overflow-x-auto bg-surface p-3.5 text-xs leading-relaxed"
                >
                  <code className="font-mono">{text}</code>
                </pre>
              </section>
            </Tabs.Content>
          ))}
        </Tabs.Root>
        {problem && <Notice kind="problem">{problem}</Notice>}
        {token ? (
          <Notice kind="done">
            The token is filled in above, for 90 days. Copy it now: it is not shown again.
          </Notice>
        ) : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button look="primary" onClick={makeToken} disabled={pending} aria-busy={pending}>
              <KeyRound className="size-4" aria-hidden /> Make a token and fill it in
            </Button>
            <p className="text-muted text-sm">Or put one you have in the place of YOUR_TOKEN.</p>
          </div>
        )}
      </Section>
      <TryIt token={token} />
    </>
  );
}
