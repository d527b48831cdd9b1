"use client";

import { CopyButton } from "#app/_components/copy-button.tsx";
import { Checkbox, Field } from "#app/_components/field.tsx";
import { Form } from "#app/_forms/form.tsx";
import { invite } from "../actions.ts";

export function InviteForm() {
  return (
    <Form
      action={invite}
      clears
      submit="Make a link"
      className="max-w-lg"
      onResult={(invitation) => <FreshLink {...invitation} />}
    >
      <Field label="E-mail" name="email" type="email" autoComplete="off" placeholder="Whom?" required />
      <Checkbox label="As administrator" name="admin" hint="They can then do everything you can." />
    </Form>
  );
}

/** The only time a link is ever shown. */
function FreshLink({ email, link }: { email: string; link: string }) {
  return (
    <div role="status" className="grid grid-cols-1 gap-3 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="text-sm">
        <strong className="font-semibold">Copy the link for {email} now.</strong> It is not shown again.
      </p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap rounded-md border bg-surface px-2.5 py-1.5 font-mono text-xs">
          {link}
        </code>
        <CopyButton text={link} label="Copy link" />
      </div>
    </div>
  );
}
