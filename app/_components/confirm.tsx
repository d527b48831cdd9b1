"use client";

import { AlertDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Form } from "#app/_forms/form.tsx";
import type { FormAction } from "#app/_forms/form-action.ts";
import { Button } from "./button.tsx";

/** A button that asks before it does something that can't be undone. What the action brings back is shown before it closes. */
export function Confirm<Result = undefined>({
  trigger,
  triggerLabel,
  title,
  about,
  submit,
  action,
  onResult,
  children,
}: {
  trigger: ReactNode;
  triggerLabel?: string;
  title: string;
  about: ReactNode;
  submit: string;
  action: FormAction<Result>;
  onResult?: (result: Result) => ReactNode;
  children?: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const closing: FormAction<Result> = async (previous, data) => {
    const state = await action(previous, data);
    if (!state.problem && state.result === undefined) setOpen(false);
    return state;
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger asChild>
        <Button size="small" aria-label={triggerLabel}>
          {trigger}
        </Button>
      </AlertDialog.Trigger>
      <Question title={title} about={about}>
        <Form
          action={closing}
          submit={submit}
          submitLook="danger"
          onResult={onResult}
          beside={
            <AlertDialog.Cancel asChild>
              <Button look="quiet">Cancel</Button>
            </AlertDialog.Cancel>
          }
        >
          {children}
        </Form>
      </Question>
    </AlertDialog.Root>
  );
}

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
      <Question title={title} about={about}>
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
      </Question>
    </AlertDialog.Root>
  );
}

function Question({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  return (
    <AlertDialog.Portal>
      <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
      <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-surface p-5 shadow-xl">
        <div className="grid gap-1">
          <AlertDialog.Title className="font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-muted text-sm">{about}</AlertDialog.Description>
        </div>
        {children}
      </AlertDialog.Content>
    </AlertDialog.Portal>
  );
}
