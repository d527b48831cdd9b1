import Link from "next/link";
import { buttonClass } from "./_components/button.tsx";
import { Logo } from "./_components/logo.tsx";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="grid justify-items-center gap-3 text-center">
        <Logo className="size-9" />
        <h1 className="font-semibold text-lg">There is nothing here</h1>
        <p className="text-muted text-sm">The address may be mistyped, or what was here is gone.</p>
        <Link href="/" className={buttonClass()}>
          Go to the start
        </Link>
      </div>
    </main>
  );
}
