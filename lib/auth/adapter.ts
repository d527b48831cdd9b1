// Lets next-auth find and make the people who come through GitHub or Google. Sessions are our own (see sessions.ts),
// so this is the small part of its adapter that sign-in with a provider needs, on our use-cases instead of raw tables.
import type { Adapter, AdapterUser } from "next-auth/adapters";
import { findUserByAccount, insertAccount } from "#db/queries/accounts.ts";
import { findUser, findUserByEmail, insertUser, type User } from "#db/queries/users.ts";
import { requireFirstAccountCode } from "../accounts/first-account.ts";
import { requireOpenSignUp } from "../accounts/sign-up.ts";
import { writeAudit } from "../audit.ts";
import { db } from "../database.ts";

export const adapter: Adapter = {
  async createUser({ email, name }) {
    requireOpenSignUp();
    // A provider's sign-in has no place to type it, so nobody is the first that way.
    await requireFirstAccountCode();
    const made = await insertUser(db(), { email, name: name || email.split("@")[0] || email });
    if (!made) throw new Error("The e-mail address was taken between two steps of a provider's sign-in.");
    await writeAudit(made, "user.added", { id: made.id, name: made.email });
    return toAdapterUser(made);
  },
  async getUser(id) {
    return toAdapterUserOrNull(await findUser(db(), id));
  },
  async getUserByEmail(email) {
    return toAdapterUserOrNull(await findUserByEmail(db(), email));
  },
  async getUserByAccount(account) {
    return toAdapterUserOrNull(await findUserByAccount(db(), account));
  },
  async linkAccount({ provider, providerAccountId, userId }) {
    await insertAccount(db(), { provider, providerAccountId, userId });
  },
  // Called after every sign-in with what the provider says; the name and e-mail kept here are the person's own choice.
  async updateUser({ id }) {
    const user = await findUser(db(), id);
    if (!user) throw new Error("A user vanished during sign-in.");
    return toAdapterUser(user);
  },
};

function toAdapterUserOrNull(user: User | undefined): AdapterUser | null {
  return user ? toAdapterUser(user) : null;
}

function toAdapterUser({ id, email, name }: User): AdapterUser {
  return { id, email, name, emailVerified: null };
}
