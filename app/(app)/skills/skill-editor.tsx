"use client";

import { CircleAlert, CircleCheck, Info } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { buttonClass } from "#app/_components/button.tsx";
import { Field } from "#app/_components/field.tsx";
import { Editor } from "#app/_editor/editor.tsx";
import { Form } from "#app/_forms/form.tsx";
import type { FormAction } from "#app/_forms/form-action.ts";
import type { SkillCheck } from "#lib/skills/check-skill.ts";
import { validate } from "./actions.ts";

const PAUSE_MS = 400;

/** SKILL.md, written in the app. The validator reads along. */
export function SkillEditor({
  name: existing,
  text: first,
  action,
}: {
  /** Of one that is there; a new one is given its name here. */
  name?: string;
  text: string;
  action: FormAction;
}) {
  const [name, setName] = useState(existing ?? "");
  const [text, setText] = useState(first);
  return (
    <Form
      action={action}
      submit={existing ? "Save" : "Create skill"}
      beside={
        <Link href={existing ? `/skills/${existing}` : "/skills"} className={buttonClass({ look: "quiet" })}>
          Cancel
        </Link>
      }
    >
      {existing ? (
        <input type="hidden" name="name" value={existing} />
      ) : (
        <div className="max-w-sm">
          <Field
            label="Name"
            name="name"
            value={name}
            onChange={(event) => {
              const next = event.target.value;
              setText((before) => renamed(before, name, next));
              setName(next);
            }}
            placeholder="sales-report"
            hint="Lower-case letters, digits and hyphens. It is the folder's name, too."
            autoComplete="off"
            required
          />
        </div>
      )}
      <input type="hidden" name="text" value={text} />
      <div className="overflow-hidden rounded-lg border border-line-strong bg-surface focus-within:border-accent">
        <Editor
          label="SKILL.md"
          value={text}
          onChange={setText}
          language="markdown"
          hasLineNumbers
          wraps
          className="min-h-[24rem]"
        />
      </div>
      <Verdict name={name} text={text} />
    </Form>
  );
}

/** The name on top of the text follows the field, as long as nobody wrote another one there. */
function renamed(text: string, from: string, to: string): string {
  const line = `name: ${from}`.trimEnd();
  return text.replace(/^name:.*$/m, (header) =>
    header.trimEnd() === line ? `name: ${to}`.trimEnd() : header,
  );
}

/** What the validator says, a moment after the last key. */
function Verdict({ name, text }: { name: string; text: string }) {
  const [check, setCheck] = useState<SkillCheck>();
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      validate(name, text).then(
        (answer) => wanted && setCheck(answer),
        () => wanted && setCheck(undefined),
      );
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [name, text]);
  if (!check) return null;
  return (
    <div role="status" className="grid gap-1.5 text-sm">
      {check.valid && (
        <p className="flex items-start gap-2 text-accent">
          <CircleCheck className="mt-0.5 size-4 shrink-0" aria-hidden /> Valid by the Agent Skills standard.
        </p>
      )}
      {check.problems.map((problem) => (
        <p key={problem} className="flex items-start gap-2 text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {problem}
        </p>
      ))}
      {check.advice.map((advice) => (
        <p key={advice} className="flex items-start gap-2 text-muted">
          <Info className="mt-0.5 size-4 shrink-0" aria-hidden /> {advice}
        </p>
      ))}
    </div>
  );
}
