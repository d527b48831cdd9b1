"use client";

import clsx from "clsx";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useRef,
} from "react";
import { Button } from "#app/_components/button.tsx";
import { Notice } from "#app/_components/notice.tsx";
import type { FormAction, FormState } from "./form-action.ts";

const Problem = createContext<{ field?: string; problem?: string }>({});

interface Props<Result> {
  action: FormAction<Result>;
  submit: string;
  submitLook?: ComponentProps<typeof Button>["look"];
  className?: string;
  /** Empties the fields once the action has done its work. */
  clears?: boolean;
  children?: ReactNode;
  /** Stands beside the submit button. */
  beside?: ReactNode;
  /** What to show once the action has brought something back. */
  onResult?: (result: Result) => ReactNode;
}

/**
 * A form with its problem, its pending state and its outcome. It submits by itself instead of leaving that to React,
 * which would empty the fields of a refused form.
 */
export function Form<Result>({
  action,
  submit,
  submitLook = "primary",
  className,
  clears = false,
  children,
  beside,
  onResult,
}: Props<Result>) {
  const [state, dispatch, pending] = useActionState(guarded(action), {} as FormState<Result>);

  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (clears && (state.done || state.result !== undefined)) form.current?.reset();
  }, [clears, state]);

  return (
    <form
      ref={form}
      action={dispatch}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        startTransition(() => dispatch(data));
      }}
      className={clsx("grid grid-cols-1 gap-4", className)}
    >
      <Problem value={state}>{children}</Problem>
      {state.problem && !state.field && <Notice kind="problem">{state.problem}</Notice>}
      {state.done && <Notice kind="done">{state.done}</Notice>}
      {state.result !== undefined && onResult?.(state.result)}
      <div className="flex items-center gap-2">
        <Button type="submit" look={submitLook} disabled={pending} aria-busy={pending}>
          {submit}
        </Button>
        {beside}
      </div>
    </form>
  );
}

export function useFormProblem(name: string | undefined): string | undefined {
  const { field, problem } = useContext(Problem);
  return name !== undefined && field === name ? problem : undefined;
}

// Next refuses bodies over a megabyte before an action runs; this says so in words and doesn't even send them.
const MOST_CHARACTERS = 100_000;

function guarded<Result>(action: FormAction<Result>): FormAction<Result> {
  return async (previous, data) => {
    for (const [field, value] of data) {
      if (typeof value === "string" && value.length > MOST_CHARACTERS) {
        return { problem: "That is far too long.", field };
      }
    }
    try {
      return await action(previous, data);
    } catch (error) {
      if (error instanceof Error && "digest" in error) throw error;
      return { problem: "The server could not be reached. Check the connection and try again." };
    }
  };
}
