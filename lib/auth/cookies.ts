// The names of our cookies, and the one in which a browser carries what lib/accounts/known-devices.ts wrote for it.
import { cookies } from "next/headers";
import { findDeviceEpoch } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { DEVICE_SECONDS, rememberDevice } from "../accounts/known-devices.ts";
import { db } from "../database.ts";

export function isSecure(): boolean {
  return env().COVE_URL.startsWith("https:");
}

/** Over https every cookie is bound to this very host: no sibling domain can plant one. */
export function cookieName(name: string): string {
  return `${isSecure() ? "__Host-" : ""}cove.${name}`;
}

export async function readDeviceCookie(): Promise<string | undefined> {
  return (await cookies()).get(cookieName("device"))?.value;
}

/** After a sign-in, and after everything that makes strangers of all devices but this one. */
export async function writeDeviceCookie(userId: string): Promise<void> {
  const deviceEpoch = await findDeviceEpoch(db(), userId);
  if (deviceEpoch === undefined) return;
  const jar = await cookies();
  const name = cookieName("device");
  jar.set(name, rememberDevice(jar.get(name)?.value, { id: userId, deviceEpoch }), {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(),
    path: "/",
    maxAge: DEVICE_SECONDS,
  });
}
