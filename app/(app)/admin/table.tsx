import type { ReactNode } from "react";

/** Rows of facts about people or machines; wider than a phone, it scrolls by itself. */
export function Table({ label, heads, children }: { label: string; heads: string[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full text-left text-sm [&_td]:px-4 [&_td]:py-2.5 [&_th]:px-4 [&_th]:py-2">
        <thead className="border-b text-muted text-xs">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="whitespace-nowrap font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">{children}</tbody>
      </table>
    </section>
  );
}
