import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Field } from "#app/_components/field.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Form } from "#app/_forms/form.tsx";
import { currentUser } from "#app/_http/guards.ts";
import { safeNext } from "#app/_http/safe-next.ts";
import { env } from "#env.ts";
import { signInWithPassword } from "../actions.ts";
import { Providers } from "../providers.tsx";

export const metadata: Metadata = { title: "Sign in" };

// next-auth comes back with one of these when a provider's sign-in did not work out.
const PROBLEMS: Record<string, string> = {
  SignUpClosed: "Sign-up is closed here. Ask your administrator for an account.",
  FirstAccount:
    "Nobody has an account here yet. The first one is made on the sign-up page, with the code that the start of Cove printed.",
  AccessDenied: "This account may not sign in here.",
  OAuthAccountNotLinked:
    "There is already an account with this e-mail address. Sign in the way you did before.",
};

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, error } = await searchParams;
  const target = safeNext(next);
  if (await currentUser()) redirect(target);
  return (
    <>
      <h1 className="mb-5 font-semibold text-lg tracking-tight">Sign in</h1>
      {typeof error === "string" && (
        <div className="mb-4">
          <Notice kind="problem">{PROBLEMS[error] ?? "Signing in did not work. Try again."}</Notice>
        </div>
      )}
      <Form action={signInWithPassword} submit="Sign in">
        <input type="hidden" name="next" value={target} />
        <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      </Form>
      <Providers next={target} />
      {env().COVE_SIGNUP === "open" && (
        <p className="mt-5 text-muted text-sm">
          New here?{" "}
          <Link href="/sign-up" className="rounded-sm font-medium text-accent hover:underline">
            Create an account
          </Link>
        </p>
      )}
    </>
  );
}
