"use client";

import { Button } from "./_components/button.tsx";

/** The reason stays in the server's log, under the digest shown here. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main className="grid min-h-[60dvh] place-items-center px-4">
      <div role="alert" className="grid justify-items-center gap-3 text-center">
        <h1 className="font-semibold text-lg">This page could not be shown</h1>
        <p className="text-muted text-sm">
          Something went wrong on our side. Nothing you saved is lost.
          {error.digest && <span className="block font-mono text-xs">Reference {error.digest}</span>}
        </p>
        <Button onClick={reset}>Try again</Button>
      </div>
    </main>
  );
}
