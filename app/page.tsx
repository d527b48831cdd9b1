import { Bot, Braces, type LucideIcon, MessageSquare, Plug, SquareTerminal } from "lucide-react";
import { cookies } from "next/headers";
import Link from "next/link";
import { redirect } from "next/navigation";
import { currentUser } from "#app/_http/guards.ts";
import { readTheme } from "#app/_shell/theme.ts";
import { ThemeSwitch } from "#app/_shell/theme-switch.tsx";
import { env } from "#env.ts";
import { buttonClass } from "./_components/button.tsx";
import { Logo } from "./_components/logo.tsx";

const PROMISES = [
  [
    "Private",
    "It runs on your machine, and files and history stay there. Only what you ask of a hosted model goes out.",
  ],
  ["Contained", "A container per person: no network of its own, no privileges, hard limits."],
  ["Lasting", "Files, variables and results are still there when you come back."],
];

const DOORS: { icon: LucideIcon; name: string; detail: string }[] = [
  { icon: MessageSquare, name: "Chat", detail: "ask in words" },
  { icon: SquareTerminal, name: "Console", detail: "type the code" },
  { icon: Plug, name: "MCP", detail: "Claude Code, Cursor" },
  { icon: Bot, name: "OpenAI API", detail: "any client" },
  { icon: Braces, name: "REST", detail: "curl and scripts" },
];

export default async function LandingPage() {
  if (await currentUser()) redirect("/chat");
  const open = env().COVE_SIGNUP === "open";
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex h-16 w-full max-w-6xl items-center justify-between px-5">
        <span className="flex items-center gap-2 font-semibold text-lg">
          <Logo /> Cove
        </span>
        <ThemeSwitch initial={readTheme(await cookies())} />
      </header>
      <main className="mx-auto grid w-full max-w-6xl flex-1 content-center gap-12 px-5 py-8 lg:grid-cols-[1.05fr_1fr] lg:gap-16">
        <div className="grid content-center gap-6">
          <h1 className="text-balance font-semibold text-4xl leading-[1.1] tracking-tight sm:text-5xl">
            A code interpreter of your own
          </h1>
          <p className="max-w-xl text-pretty text-lg text-muted leading-relaxed">
            Cove gives you and your agents a private Linux workspace that lasts. Ask an agent to write and run
            the code, type it yourself, or connect the tools you already use.
          </p>
          <div className="flex flex-wrap gap-3">
            {open && (
              <Link href="/sign-up" className={buttonClass({ look: "primary", size: "large" })}>
                Create an account
              </Link>
            )}
            <Link
              href="/sign-in"
              className={buttonClass({ look: open ? "secondary" : "primary", size: "large" })}
            >
              Sign in
            </Link>
          </div>
          <dl className="mt-4 grid gap-5 border-t pt-6 sm:grid-cols-3">
            {PROMISES.map(([title, text]) => (
              <div key={title} className="grid content-start gap-1">
                <dt className="font-medium text-sm">{title}</dt>
                <dd className="text-muted text-sm leading-snug">{text}</dd>
              </div>
            ))}
          </dl>
        </div>
        <Doors />
      </main>
    </div>
  );
}

/** The architecture in one picture: many doors, one workspace. */
function Doors() {
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
