import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Field } from "#app/_components/field.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { Form } from "#app/_forms/form.tsx";
import { currentUser } from "#app/_http/guards.ts";
import { env } from "#env.ts";
import { firstAccountCode } from "#lib/accounts/first-account.ts";
import { signUpWithPassword } from "../actions.ts";
import { Providers } from "../providers.tsx";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage() {
  if (await currentUser()) redirect("/chat");
  const needsCode = (await firstAccountCode()) !== undefined;
  return (
    <>
      <h1 className="mb-5 font-semibold text-lg tracking-tight">Create an account</h1>
      {env().COVE_SIGNUP === "open" ? (
        <>
          <Form action={signUpWithPassword} submit="Create account">
            <Field label="Name" name="name" autoComplete="name" required autoFocus />
            <Field label="E-mail" name="email" type="email" autoComplete="username" required />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="new-password"
              hint="At least 10 characters."
              required
            />
            {needsCode && (
              <Field
                label="Code of this installation"
                name="code"
                autoComplete="off"
                hint="Nobody has an account here yet, and the first one is the administrator's. The start printed the code: in the terminal of `npm start`, or see `docker compose logs app`."
                required
              />
            )}
          </Form>
          {!needsCode && <Providers next="/chat" />}
        </>
      ) : (
        <Notice kind="problem">Sign-up is closed here. Ask your administrator for an account.</Notice>
      )}
      <p className="mt-5 text-muted text-sm">
        Have an account?{" "}
        <Link href="/sign-in" className="rounded-sm font-medium text-accent hover:underline">
          Sign in
        </Link>
      </p>
    </>
  );
}
