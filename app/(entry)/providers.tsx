import { Button } from "#app/_components/button.tsx";
import { env } from "#env.ts";
import { signInWithProvider } from "./actions.ts";

const NAMES = { github: "GitHub", google: "Google" };

/** Buttons for the providers whose keys are set; nothing where none is. */
export function Providers({ next }: { next: string }) {
  const { AUTH_GITHUB_ID, AUTH_GOOGLE_ID } = env();
  const available = [
    ...(AUTH_GITHUB_ID ? (["github"] as const) : []),
    ...(AUTH_GOOGLE_ID ? (["google"] as const) : []),
  ];
  if (available.length === 0) return null;
  return (
    <div className="mt-4 grid gap-2 border-t pt-4">
      {available.map((provider) => (
        <form key={provider} action={signInWithProvider.bind(null, provider, next)}>
          <Button type="submit" className="w-full">
            Continue with {NAMES[provider]}
          </Button>
        </form>
      ))}
    </div>
  );
}
