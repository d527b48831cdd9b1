"use client";

import { Check } from "lucide-react";
import { useState } from "react";
import { Confirm } from "#app/_components/confirm.tsx";
import { Field } from "#app/_components/field.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { Form } from "#app/_forms/form.tsx";
import type { FormAction, FormState } from "#app/_forms/form-action.ts";
import type { Provider } from "#lib/models/credentials.ts";
import type { ModelKey } from "#lib/models/model-keys.ts";
import { addKey, removeKey, testKey } from "./actions.ts";

export interface ProviderView {
  provider: Provider;
  name: string;
  about: string;
  placeholder: string;
  /** A server of one's own has an address, and often needs no key. */
  own?: boolean;
}

export function ProviderCard({ view, known }: { view: ProviderView; known: ModelKey | undefined }) {
  const { provider, name, about, placeholder, own } = view;
  // A saved key takes the place of its form, which would take what it had to say with it.
  const [saved, setSaved] = useState<FormState>();
  const which = <input type="hidden" name="provider" value={provider} />;

  const saying =
    (action: FormAction, keep: boolean): FormAction =>
    async (previous, data) => {
      const state = await action(previous, data);
      setSaved(keep ? state : undefined);
      return state;
    };

  return (
    <li aria-label={name} className="grid grid-cols-1 gap-3 rounded-lg border bg-surface p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-2 font-medium text-sm">
            {name}
            {known && (
              <span className="flex items-center gap-1 rounded-full bg-accent-soft px-2 py-0.5 text-accent text-xs">
                <Check className="size-3" aria-hidden /> Saved
              </span>
            )}
          </h3>
          <p className="text-muted text-sm">{known ? <Known known={known} /> : about}</p>
        </div>
        {known && (
          <Confirm
            trigger="Remove"
            triggerLabel={`Remove the key for ${name}`}
            title={`Remove the key for ${name}?`}
            about="Conversations stay. Models of this key can no longer be used until you add one again."
            submit="Remove"
            action={saying(removeKey, false)}
          >
            {which}
          </Confirm>
        )}
      </div>
      {known && saved && (
        <Notice kind={saved.problem ? "problem" : "done"}>{saved.problem ?? saved.done}</Notice>
      )}
      {known ? (
        <Form key="test" action={saying(testKey, false)} submit="Test" submitLook="secondary">
          {which}
        </Form>
      ) : (
        <Form key="add" action={saying(addKey, true)} submit="Save and test" submitLook="secondary">
          {which}
          <div className="grid max-w-lg grid-cols-1 gap-3">
            {own && (
              <Field
                label="Address"
                name="baseUrl"
                type="url"
                placeholder="http://localhost:11434/v1"
                required
              />
            )}
            <Field
              label="Key"
              name="key"
              type="password"
              autoComplete="off"
              placeholder={placeholder}
              required={!own}
              className="font-mono"
            />
          </div>
        </Form>
      )}
    </li>
  );
}

function Known({ known: { hint, baseUrl, createdAt } }: { known: ModelKey }) {
  return (
    <>
      {baseUrl && <span className="break-all font-mono text-xs">{baseUrl} · </span>}
      {hint && (
        <>
          key <span className="font-mono text-xs">{hint}</span> ·{" "}
        </>
      )}
      added <Ago at={createdAt} />
    </>
  );
}
