"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { Notice } from "#app/_components/notice.tsx";
import { usePoll } from "#app/_http/queries.tsx";
import type { SandboxDetails } from "#lib/own-sandbox/glance.ts";
import { Danger } from "./danger.tsx";
import { Meters } from "./meters.tsx";
import { Network } from "./network.tsx";
import { Processes, Sessions } from "./processes.tsx";
import { useCpu } from "./sandbox-provider.tsx";

const EVERY_MS = 2_000;

/** The panel itself: everything about the sandbox, kept up to date while it is open. */
export function SandboxSheet({
  open,
  onOpenChange,
  cpu,
  onChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  cpu: number | undefined;
  onChange: () => void;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-30 flex w-[27rem] max-w-full flex-col border-l bg-canvas shadow-xl outline-none"
        >
          <header className="flex h-12 shrink-0 items-center justify-between border-b px-4">
            <Dialog.Title className="font-semibold text-[15px]">Sandbox</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="rounded-md p-1.5 text-muted hover:bg-hover hover:text-ink"
            >
              <X className="size-4" aria-hidden />
            </Dialog.Close>
          </header>
          <div className="flex-1 overflow-y-auto">
            <Details cpu={cpu} onChange={onChange} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Details({ cpu, onChange }: { cpu: number | undefined; onChange: () => void }) {
  const { data, problem, refresh } = usePoll<SandboxDetails>("/api/sandbox/details", EVERY_MS);
  const here = useCpu(data);
  const changed = () => {
    refresh();
    onChange();
  };
  if (!data) {
    return (
      <div className="p-4">
        {problem ? <Notice kind="problem">{problem}</Notice> : <p className="text-muted text-sm">Looking…</p>}
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6 p-4">
      {problem && <Notice kind="problem">{problem}</Notice>}
      <Meters details={data} cpu={here ?? cpu} />
      <Processes details={data} onChange={changed} />
      <Sessions details={data} onChange={changed} />
      <Network details={data} />
      <Danger exists={data.state !== "none"} onChange={changed} />
    </div>
  );
}
