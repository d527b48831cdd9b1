"use client";

import { Link2 } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { CopyButton } from "#app/_components/copy-button.tsx";
import { Select } from "#app/_components/field.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import { ask } from "#app/_http/ask.ts";

const HOUR = 3600;
const LIFETIMES = [
  { label: "1 hour", seconds: HOUR },
  { label: "1 day", seconds: 24 * HOUR },
  { label: "7 days", seconds: 7 * 24 * HOUR },
  { label: "30 days", seconds: 30 * 24 * HOUR },
];

/** A link that opens without an account until it expires, or until all links are revoked. */
export function Share({ id }: { id: string }) {
  const [link, setLink] = useState<string>();
  const [outcome, setOutcome] = useState<{ kind: "done" | "problem"; text: string }>();
  const [seconds, setSeconds] = useState(24 * HOUR);
  const hydrated = useHydrated();
  const attempt = async (work: () => Promise<void>) => {
    setOutcome(undefined);
    await work().catch((error) => setOutcome({ kind: "problem", text: error.message }));
  };
  const address = `/api/artifacts/${id}/links`;
  const create = () =>
    attempt(async () => {
      const { url } = await ask<{ url: string }>(address, { method: "POST", body: { expires_in: seconds } });
      setLink(url);
    });
  const revoke = () =>
    attempt(async () => {
      await ask(address, { method: "DELETE" });
      setLink(undefined);
      setOutcome({ kind: "done", text: "Every link to this artifact has stopped working." });
    });
  return (
    <Dialog.Root onOpenChange={() => setOutcome(undefined)}>
      <Dialog.Trigger asChild>
        <Button size="small" disabled={!hydrated} aria-label="Share">
          <Link2 className="size-3.5" aria-hidden /> <span className="max-md:hidden">Share</span>
        </Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-surface p-5 shadow-xl">
          <div className="grid gap-1">
            <Dialog.Title className="font-semibold">Share a link</Dialog.Title>
            <Dialog.Description className="text-muted text-sm">
              Whoever has the link can open this artifact, and nothing else, without signing in.
            </Dialog.Description>
          </div>
          <div className="flex items-end gap-2">
            <div className="flex-1">
              <Select
                label="Valid for"
                value={seconds}
                onChange={({ target }) => setSeconds(Number(target.value))}
              >
                {LIFETIMES.map(({ label, seconds: value }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </div>
            <Button look="primary" onClick={create}>
              Create link
            </Button>
          </div>
          {link && (
            <div className="grid gap-2 rounded-md bg-sunken p-3">
              <output aria-label="Link" className="break-all font-mono text-xs">
                {link}
              </output>
              <div>
                <CopyButton text={link} />
              </div>
            </div>
          )}
          {outcome && <Notice kind={outcome.kind}>{outcome.text}</Notice>}
          <div className="flex justify-between gap-2 border-t pt-4">
            <Button look="quiet" onClick={revoke}>
              Revoke all links
            </Button>
            <Dialog.Close asChild>
              <Button>Close</Button>
            </Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
