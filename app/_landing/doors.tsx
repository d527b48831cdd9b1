import { Bot, Braces, type LucideIcon, MessageSquare, Plug, SquareTerminal } from "lucide-react";

const DOORS: { icon: LucideIcon; name: string; detail: string }[] = [
  { icon: MessageSquare, name: "Chat", detail: "ask in words" },
  { icon: SquareTerminal, name: "Console", detail: "type the code" },
  { icon: Plug, name: "MCP", detail: "Claude Code, Cursor" },
  { icon: Bot, name: "OpenAI API", detail: "any client" },
  { icon: Braces, name: "REST", detail: "curl and scripts" },
];

/** The architecture in one picture: many doors, one workspace. */
export function Doors() {
  return (
    <figure
      className="grid content-center"
      aria-label="Five doors lead into one workspace in a hardened container"
    >
      <div className="rounded-2xl border bg-sunken p-5 sm:p-7">
        <ul className="grid gap-2">
          {DOORS.map(({ icon: Icon, name, detail }) => (
            <li
              key={name}
              className="flex items-center gap-3 rounded-lg border bg-surface px-3.5 py-2.5 text-sm"
            >
              <Icon className="size-4 text-accent" aria-hidden />
              <span className="font-medium">{name}</span>
              <span className="ml-auto text-muted">{detail}</span>
            </li>
          ))}
        </ul>
        <div className="mx-auto h-6 w-px bg-line-strong" aria-hidden />
        <div className="overflow-hidden rounded-xl border border-accent bg-surface">
          <p className="flex items-center justify-between border-b bg-accent-soft px-4 py-2 text-sm">
            <span className="font-medium text-accent">Your container</span>
            <span className="font-mono text-muted text-xs">/workspace</span>
          </p>
          <p className="grid gap-1 px-4 py-3 font-mono text-muted text-xs leading-relaxed">
            <span>the same files</span>
            <span>the same Python state</span>
            <span>the same history</span>
          </p>
        </div>
      </div>
    </figure>
  );
}
