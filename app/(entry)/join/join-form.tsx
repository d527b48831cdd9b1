"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { Field } from "#app/_components/field.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Form } from "#app/_forms/form.tsx";
import type { FormState } from "#app/_forms/form-action.ts";
import { joinWithPassword, openInvitation } from "../actions.ts";

type Opened = FormState<{ email: string; admin: boolean }> & { secret: string };

/** The secret stands behind the `#`, where only this page sees it, and is sent in the body of a request and nowhere else. */
export function JoinForm() {
  const secret = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => undefined,
  );
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    if (secret !== undefined) void open(secret).then(setOpened);
  }, [secret]);

  if (!opened || opened.secret !== secret) return <p className="text-muted text-sm">Looking it up …</p>;
  if (!opened.result) return <Notice kind="problem">{opened.problem}</Notice>;
  const { email, admin } = opened.result;
  return (
    <Form action={joinWithPassword} submit="Create account">
      <p className="text-muted text-sm">
        You are invited{admin && " as administrator"}. Choose a name and a password of your own.
      </p>
      <input type="hidden" name="secret" value={secret} />
      <Field label="E-mail" value={email} autoComplete="username" readOnly className="text-muted" />
      <Field label="Name" name="name" autoComplete="name" required autoFocus />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters."
        required
      />
    </Form>
  );
}

async function open(secret: string): Promise<Opened> {
  const data = new FormData();
  data.set("secret", secret);
  try {
    return { secret, ...(await openInvitation({}, data)) };
  } catch {
    return { secret, problem: "The server could not be reached. Check the connection and try again." };
  }
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
