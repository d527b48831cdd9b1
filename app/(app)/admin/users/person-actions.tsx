import { Confirm } from "#app/_components/confirm.tsx";
import type { FormAction } from "#app/_forms/form-action.ts";
import type { Person } from "#lib/admin/people.ts";
import { demote, disable, enable, promote } from "../actions.ts";
import { ResetPassword } from "./reset-password.tsx";

/** Everything asks first: each changes what somebody may do. */
export function PersonActions({ person, self }: { person: Person; self: boolean }) {
  const { id, email, admin, disabledAt, tokens } = person;
  const ask = (trigger: string, title: string, about: string, action: FormAction) => (
    <Confirm
      trigger={trigger}
      title={title}
      about={about}
      action={action}
      triggerLabel={`${trigger}: ${email}`}
      submit={trigger}
    >
      <input type="hidden" name="id" value={id} />
    </Confirm>
  );
  return (
    <div className="flex gap-1.5">
      {admin
        ? ask(
            "Remove as admin",
            `Take administration from ${email}?`,
            "They keep their account and data.",
            demote,
          )
        : ask("Make admin", `Make ${email} administrator?`, "They can then do everything you can.", promote)}
      {disabledAt
        ? ask("Enable", `Enable ${email}?`, "They can sign in again; their tokens work again.", enable)
        : !self &&
          ask(
            "Disable",
            `Disable ${email}?`,
            "They are signed out, their runs end and their tokens stop working. Nothing is deleted.",
            disable,
          )}
      <ResetPassword id={id} email={email} tokens={tokens} />
    </div>
  );
}
