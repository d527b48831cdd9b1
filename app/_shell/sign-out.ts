"use server";

import { redirect } from "next/navigation";
import { signOut } from "#lib/auth/next-auth.ts";

export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
  redirect("/");
}
