// next-auth does the cookies, the providers and CSRF. The token in the cookie carries a session id and nothing else:
// who that is, and whether it still counts, is looked up in `sessions` on every request.
import NextAuth, { type Account, CredentialsSignin } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import { findUserByAccount } from "#db/queries/accounts.ts";
import { endSession } from "#db/queries/sessions.ts";
import { env } from "#env.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { clientAddress } from "../accounts/client-address.ts";
import * as fields from "../accounts/fields.ts";
import { firstAccountCode } from "../accounts/first-account.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { adapter } from "./adapter.ts";
import { cookieName, isSecure, readDeviceCookie } from "./cookies.ts";
import { SESSION_SECONDS, startSession } from "./sessions.ts";

/** A refusal that carries the sentence for the person through next-auth. */
export class SignInRefused extends CredentialsSignin {
  readonly reason: AppError;
  constructor(reason: AppError) {
    super();
    this.reason = reason;
  }
}

// A function, so that the environment is read at the first request and not while building.
export const { auth, handlers, signIn, signOut } = NextAuth(() => {
  return {
    secret: env().AUTH_SECRET,
    trustHost: true,
    adapter,
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: isSecure(),
    cookies: cookieNames(),
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [passwordProvider(), ...oauthProviders()],
    callbacks: {
      signIn: ({ account }) => admit(account),
      async jwt({ token, user }) {
        return user?.id ? { sid: await startSession(user.id) } : { sid: token.sid };
      },
      session: ({ session, token }) => ({ expires: session.expires, sid: token.sid }),
    },
    events: {
      async signOut(message) {
        if ("token" in message && typeof message.token?.sid === "string")
          await endSession(db(), message.token.sid);
      },
    },
    logger: {
      // Wrong passwords are ordinary and counted elsewhere.
      error: (err) => (err instanceof CredentialsSignin ? undefined : log().error({ err }, "sign-in failed")),
      warn: (code) => log().debug({ code }, "next-auth warning"),
    },
  };
});

function passwordProvider() {
  return Credentials({
    credentials: { email: {}, password: {} },
    async authorize(given, request) {
      const email = fields.email.safeParse(given.email);
      const password = fields.givenPassword.safeParse(given.password);
      if (!email.success || !password.success) return null;
      try {
        const origin = { address: clientAddress(request.headers), deviceNotes: await readDeviceCookie() };
        return await authenticate(email.data, password.data, origin);
      } catch (error) {
        throw error instanceof AppError ? new SignInRefused(error) : error;
      }
    },
  });
}

/** Passwords were checked already; somebody a provider sends must be welcome here too. */
async function admit(account: Account | null | undefined): Promise<boolean | string> {
  if (!account || account.type === "credentials") return true;
  const known = await findUserByAccount(db(), account);
  if (known) return known.disabledAt === null;
  if (env().COVE_SIGNUP === "closed") return "/sign-in?error=SignUpClosed";
  return (await firstAccountCode()) === undefined || "/sign-in?error=FirstAccount";
}

function oauthProviders() {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GITHUB_URL, AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET } = env();
  const github = { clientId: AUTH_GITHUB_ID, clientSecret: AUTH_GITHUB_SECRET };
  const enterprise = AUTH_GITHUB_URL ? { baseUrl: AUTH_GITHUB_URL } : undefined;
  return [
    ...(AUTH_GITHUB_ID ? [GitHub({ ...github, enterprise })] : []),
    ...(AUTH_GOOGLE_ID ? [Google({ clientId: AUTH_GOOGLE_ID, clientSecret: AUTH_GOOGLE_SECRET })] : []),
  ];
}

/** The names alone are ours; all else is next-auth's default. */
function cookieNames() {
  const named = (name: string) => ({ name: cookieName(name) });
  return {
    sessionToken: named("session"),
    callbackUrl: named("callback-url"),
    csrfToken: named("csrf-token"),
    pkceCodeVerifier: named("pkce"),
    state: named("state"),
    nonce: named("nonce"),
  };
}
