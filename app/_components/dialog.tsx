"use client";

import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** A question with one answer to give. It stays open, with the reason, if the answer is refused. */
export function Dialog({
  title,
  about,
  submit,
  danger = false,
  disabled = false,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  about?: ReactNode;
  submit: string;
  danger?: boolean;
  disabled?: boolean;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const answer = async () => {
    setPending(true);
    setProblem(undefined);
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          {...(about ? {} : { "aria-describedby": undefined })}
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-xl border bg-surface p-5 shadow-xl"
        >
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              void answer();
            }}
          >
            <div className="grid gap-1">
              <Radix.Title className="font-semibold">{title}</Radix.Title>
              {about && <Radix.Description className="text-muted text-sm">{about}</Radix.Description>}
            </div>
            {children}
            {problem && <Notice kind="problem">{problem}</Notice>}
            <div className="flex items-center gap-2">
              <Button
                type="submit"
                look={danger ? "danger" : "primary"}
                disabled={disabled || pending}
                aria-busy={pending}
              >
                {submit}
              </Button>
              <Radix.Close asChild>
                <Button look="quiet">Cancel</Button>
              </Radix.Close>
            </div>
          </form>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
