import { MailOpen } from "lucide-react";
import { Confirm } from "#app/_components/confirm.tsx";
import { Section } from "#app/_components/page.tsx";
import { Ago } from "#app/_components/time-ago.tsx";
import { openInvitations } from "#lib/admin/invitations.ts";
import { uninvite } from "../actions.ts";
import { InviteForm } from "./invite-form.tsx";

/** A way in for people whom an administrator knows, whether sign-up is open or closed. */
export async function Invitations() {
  const invitations = await openInvitations();
  return (
    <Section
      title="Invitations"
      about="A link that lets one person make an account with that address, once, within seven days, even where sign-up is closed. Hand it over yourself: Cove sends no mail."
    >
      <InviteForm />
      {invitations.length === 0 ? (
        <p className="flex items-center gap-2 rounded-lg border border-dashed px-4 py-6 text-muted text-sm">
          <MailOpen className="size-4" aria-hidden /> Nobody is invited at the moment.
        </p>
      ) : (
        <ul aria-label="Open invitations" className="divide-y rounded-lg border bg-surface">
          {invitations.map(({ id, email, admin, invitedBy, createdAt, expiresAt }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="flex min-w-0 items-baseline gap-2 text-sm">
                  <span className="truncate font-medium">{email}</span>
                  {admin && <span className="shrink-0 text-accent text-xs">as administrator</span>}
                </p>
                <p className="text-muted text-xs">
                  Invited <Ago at={createdAt} /> by {invitedBy} · expires{" "}
                  {expiresAt.toLocaleDateString("en", { dateStyle: "medium", timeZone: "UTC" })}
                </p>
              </div>
              <Confirm
                trigger="Revoke"
                triggerLabel={`Revoke the invitation of ${email}`}
                title={`Revoke the invitation of ${email}?`}
                about="The link that you handed over opens nothing any more."
                submit="Revoke"
                action={uninvite}
              >
                <input type="hidden" name="id" value={id} />
              </Confirm>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
