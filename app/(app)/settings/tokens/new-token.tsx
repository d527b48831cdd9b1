"use client";

import { CopyButton } from "#app/_components/copy-button.tsx";
import { Field, Select } from "#app/_components/field.tsx";
import { Form } from "#app/_forms/form.tsx";
import { addToken } from "../actions.ts";

export function NewToken({ address }: { address: string }) {
  return (
    <Form
      action={addToken}
      clears
      submit="Create token"
      onResult={(token) => <FreshToken token={token} address={address} />}
    >
      <div className="grid max-w-lg gap-4 sm:grid-cols-[1fr_10rem]">
        <Field label="Name" name="name" placeholder="What will use it?" required />
        <Select label="Valid for" name="lifetime" defaultValue="90">
          <option value="30">30 days</option>
          <option value="90">90 days</option>
          <option value="365">a year</option>
          <option value="never">ever</option>
        </Select>
      </div>
    </Form>
  );
}

/** The only time a token is ever shown. */
function FreshToken({ token, address }: { token: string; address: string }) {
  const command = `curl -H "Authorization: Bearer ${token}" ${address}/tools`;
  return (
    <div role="status" className="grid grid-cols-1 gap-3 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="text-sm">
        <strong className="font-semibold">Copy the token now.</strong> It is not shown again.
      </p>
      <Copyable label="Token" text={token} />
      <Copyable label="Try it" text={command} />
    </div>
  );
}

function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <span className="text-muted text-xs">{label}</span>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap rounded-md border bg-surface px-2.5 py-1.5 font-mono text-xs">
          {text}
        </code>
        <CopyButton text={text} label={`Copy ${label === "Token" ? "token" : "command"}`} />
      </div>
    </div>
  );
}
