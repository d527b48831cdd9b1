import type { Metadata } from "next";
import { Confirm } from "#app/_components/confirm.tsx";
import { Field } from "#app/_components/field.tsx";
import { Section } from "#app/_components/page.tsx";
import { Form } from "#app/_forms/form.tsx";
import { requirePageUser } from "#app/_http/guards.ts";
import { ownsPassword } from "#lib/accounts/own-account.ts";
import { removeAccount, saveProfile } from "./actions.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function ProfilePage() {
  const user = await requirePageUser();
  const withPassword = await ownsPassword(user);
  return (
    <>
      <Section title="Profile">
        <Form action={saveProfile} submit="Save" className="max-w-sm">
          <Field label="Name" name="name" defaultValue={user.name} autoComplete="name" required />
          <Field label="E-mail" value={user.email} readOnly className="text-muted" />
        </Form>
      </Section>
      <Section
        title="Delete account"
        about="Removes your account with all its data: tokens, sessions and everything you made here."
      >
        <div>
          <Confirm
            trigger="Delete account…"
            title="Delete your account?"
            about={`Everything that belongs to ${user.email} is removed, at once and for good.`}
            submit="Delete everything"
            action={removeAccount}
          >
            <Field label={`Type ${user.email} to confirm`} name="confirmation" autoComplete="off" required />
            {withPassword && (
              <Field
                label="Password"
                name="password"
                type="password"
                autoComplete="current-password"
                required
              />
            )}
          </Confirm>
        </div>
      </Section>
    </>
  );
}
