"use client";

import clsx from "clsx";
import { Check, ChevronDown } from "lucide-react";
import { Select } from "radix-ui";
import { useFilter } from "./use-filter.ts";

export interface Option {
  value: string;
  label: string;
}

// An item of radix can't have the empty value, which is what "no filter" is in the address.
const ANY = "*";

/** A filter with a few possible values; the first entry, `any`, takes the filter away. */
export function Choice({
  name,
  label,
  any,
  options,
}: {
  name: string;
  label: string;
  any: string;
  options: readonly Option[];
}) {
  const { value, change, pending } = useFilter(name);
  const known = options.some((option) => option.value === value);
  return (
    <Select.Root value={known ? value : ANY} onValueChange={(chosen) => change(chosen === ANY ? "" : chosen)}>
      <Select.Trigger
        aria-label={label}
        aria-busy={pending}
        className={clsx(
          "inline-flex h-8 max-w-52 shrink-0 items-center gap-1.5 rounded-md border bg-surface px-2.5 text-[13px] hover:bg-hover",
          known ? "border-accent text-accent" : "border-line-strong",
        )}
      >
        <span className="truncate">
          <Select.Value />
        </span>
        <Select.Icon>
          <ChevronDown className="size-3.5 text-muted" aria-hidden />
        </Select.Icon>
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          position="popper"
          sideOffset={4}
          className="z-40 max-h-80 min-w-(--radix-select-trigger-width) max-w-72 overflow-hidden rounded-lg border bg-surface p-1 shadow-lg"
        >
          <Select.Viewport>
            {[{ value: ANY, label: any }, ...options].map((option) => (
              <Select.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center gap-2 rounded pr-2 pl-7 text-[13px] outline-none data-highlighted:bg-hover max-md:h-10"
              >
                <Select.ItemIndicator className="-ml-5">
                  <Check className="size-3.5 text-accent" aria-hidden />
                </Select.ItemIndicator>
                <span className="min-w-0 truncate">
                  <Select.ItemText>{option.label}</Select.ItemText>
                </span>
              </Select.Item>
            ))}
          </Select.Viewport>
        </Select.Content>
      </Select.Portal>
    </Select.Root>
  );
}
