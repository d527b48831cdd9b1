"use client";

import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "#app/_components/button.tsx";

/** A question before something that can't be undone, opened from elsewhere. */
export function AskFirst({
  open,
  onClose,
  title,
  about,
  action,
  onYes,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  about: ReactNode;
  action: string;
  onYes: () => void;
}) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(opened) => !opened && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-surface p-5 shadow-xl">
          <div className="grid gap-1">
            <AlertDialog.Title className="font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description className="text-muted text-sm">{about}</AlertDialog.Description>
          </div>
          <div className="flex items-center gap-2">
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={onYes}>
                {action}
              </Button>
            </AlertDialog.Action>
            <AlertDialog.Cancel asChild>
              <Button look="quiet">Cancel</Button>
            </AlertDialog.Cancel>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
