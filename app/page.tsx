import Link from "next/link";
import { redirect } from "next/navigation";
import { env } from "#env.ts";
import { buttonClass } from "./_components/button.tsx";
import { Logo } from "./_components/logo.tsx";
import { currentUser } from "./_http/page-guard.ts";
import { Doors } from "./_landing/doors.tsx";
import { readTheme } from "./_theme/theme.ts";
import { ThemeSwitch } from "./_theme/theme-switch.tsx";

const PROMISES = [
  [
    "Private",
    "It runs on your machine, and files and history stay there. Only what you ask of a hosted model goes out.",
  ],
  ["Contained", "A container per person: no network of its own, no privileges, hard limits."],
  ["Lasting", "Files, variables and results are still there when you come back."],
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
        <ThemeSwitch initial={await readTheme()} />
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
