"use client";

import { Confirm } from "#app/_components/confirm.tsx";
import { CopyButton } from "#app/_components/copy-button.tsx";
import { Checkbox } from "#app/_components/field.tsx";
import { resetPassword } from "../actions.ts";

/** The new password is told once, for the administrator to hand over. */
export function ResetPassword({ id, email, tokens }: { id: string; email: string; tokens: number }) {
  return (
    <Confirm
      trigger="Reset password"
      triggerLabel={`Reset password: ${email}`}
      title={`Reset the password of ${email}?`}
      about="A new one is made and shown once, for you to hand over. All their sessions end."
      submit="Reset password"
      action={resetPassword}
      onResult={(password) => (
        <p className="flex items-center justify-between gap-3 rounded-md border border-accent bg-accent-soft px-3 py-2 text-sm">
          <code className="font-mono">{password}</code>
          <CopyButton text={password} label="Copy password" />
        </p>
      )}
    >
      <input type="hidden" name="id" value={id} />
      {tokens > 0 && (
        <Checkbox
          label={tokens === 1 ? "Revoke their API token, too" : `Revoke their ${tokens} API tokens, too`}
          name="revokeTokens"
          hint={`${tokens === 1 ? "It" : "They"} would go on working otherwise.`}
        />
      )}
    </Confirm>
  );
}
