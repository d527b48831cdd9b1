import type { Metadata } from "next";
import Link from "next/link";
import { Notice } from "#app/_components/notice.tsx";
import { currentUser } from "#app/_http/guards.ts";
import { JoinForm } from "./join-form.tsx";

export const metadata: Metadata = { title: "Join", robots: { index: false } };

export default async function JoinPage() {
  const user = await currentUser();
  return (
    <>
      <h1 className="mb-5 font-semibold text-lg tracking-tight">Join Cove</h1>
      {user ? (
        <Notice kind="problem">
          You are signed in as {user.email}. Sign out first, or open the link in another browser.
        </Notice>
      ) : (
        <JoinForm />
      )}
      <p className="mt-5 text-muted text-sm">
        Have an account?{" "}
        <Link
          href={user ? "/chat" : "/sign-in"}
          className="rounded-sm font-medium text-accent hover:underline"
        >
          {user ? "Go on to it" : "Sign in"}
        </Link>
      </p>
    </>
  );
}
