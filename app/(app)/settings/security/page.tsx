import type { Metadata } from "next";
import { Confirm } from "#app/_components/confirm.tsx";
import { Checkbox, Field } from "#app/_components/field.tsx";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { Form } from "#app/_forms/form.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { ownSessions, ownsPassword } from "#lib/accounts/own-account.ts";
import { countTokensOf } from "#lib/accounts/tokens.ts";
import { endEveryOtherSession, endSession, savePassword } from "../actions.ts";
import { describeUserAgent } from "./describe-user-agent.ts";

export const metadata: Metadata = { title: "Security" };

export default async function SecurityPage() {
  const user = await requirePageUser();
  const [sessions, withPassword, tokens] = await Promise.all([
    ownSessions(user),
    ownsPassword(user),
    countTokensOf(user.id),
  ]);
  return (
    <>
      <Section title="Password" about="Changing it signs out every other session.">
        <Form
          action={savePassword}
          clears
          submit={withPassword ? "Change password" : "Set password"}
          className="max-w-sm"
        >
          <input type="hidden" name="username" value={user.email} autoComplete="username" />
          {withPassword && (
            <Field
              label="Current password"
              name="current"
              type="password"
              autoComplete="current-password"
              required
            />
          )}
          <Field
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            hint="At least 10 characters."
            required
          />
          {tokens > 0 && (
            <Checkbox
              label={tokens === 1 ? "Revoke my API token, too" : `Revoke my ${tokens} API tokens, too`}
              name="revokeTokens"
              hint={`${tokens === 1 ? "It doesn't" : "They don't"} depend on the password and would go on working. Do this if somebody else may have been in your account.`}
            />
          )}
        </Form>
      </Section>
      <Section
        title="Sessions"
        about="Where you are signed in."
        actions={
          sessions.length > 1 && (
            <Confirm
              trigger="Sign out everywhere else"
              title="Sign out everywhere else?"
              about="Every session but this one ends at once."
              submit="Sign out"
              action={endEveryOtherSession}
            />
          )
        }
      >
        <ul className="divide-y rounded-lg border bg-surface">
          {sessions.map((session) => {
            const label = describeUserAgent(session.userAgent);
            const here = session.id === user.sessionId;
            return (
              <li key={session.id} className="flex items-center gap-3 px-4 py-3">
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium text-sm" title={session.userAgent}>
                    {label}
                    {here && (
                      <span className="ml-2 rounded bg-accent-soft px-1.5 py-0.5 text-accent text-xs">
                        this one
                      </span>
                    )}
                  </p>
                  <p className="text-muted text-xs">
                    Signed in <Ago at={session.createdAt} /> · last seen <Ago at={session.lastSeenAt} />
                  </p>
                </div>
                <Confirm
                  trigger="Sign out"
                  triggerLabel={here ? "Sign out this session" : `Sign out ${label}`}
                  title="End this session?"
                  about={
                    here ? "You will have to sign in again here." : `${label} will have to sign in again.`
                  }
                  submit="Sign out"
                  action={endSession}
                >
                  <input type="hidden" name="id" value={session.id} />
                </Confirm>
              </li>
            );
          })}
        </ul>
      </Section>
    </>
  );
}
