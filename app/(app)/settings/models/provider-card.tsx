"use client";

import { Check } from "lucide-react";
import { Ago } from "#app/_components/ago.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { Field } from "#app/_components/field.tsx";
import { Form } from "#app/_forms/form.tsx";
import type { ModelKey } from "#lib/models/model-keys.ts";
import { addKey, removeKey, testKey } from "./actions.ts";
import type { ProviderView } from "./provider-views.ts";

export function ProviderCard({ view, known }: { view: ProviderView; known: ModelKey | undefined }) {
  const { provider, name, about, placeholder, own } = view;
  const which = <input type="hidden" name="provider" value={provider} />;
  return (
    <li aria-label={name} className="grid grid-cols-1 gap-3 rounded-lg border bg-surface p-4">
      <div>
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
      {known ? (
        <Form
          action={testKey}
          submit="Test"
          submitLook="secondary"
          beside={
            <Confirm
              trigger="Remove"
              triggerLabel={`Remove the key for ${name}`}
              title={`Remove the key for ${name}?`}
              about="Conversations stay. Models of this key can no longer be used until you add one again."
              submit="Remove"
              action={removeKey}
            >
              {which}
            </Confirm>
          }
        >
          {which}
        </Form>
      ) : (
        <Form action={addKey} submit="Save and test" submitLook="secondary">
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
