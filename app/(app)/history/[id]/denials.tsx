import { ShieldX } from "lucide-react";

/** What the network policy refused meanwhile, and why. */
export function Denials({ denials }: { denials: { host: string; port: number; message: string }[] }) {
  if (denials.length === 0) return null;
  return (
    <section aria-labelledby="denials" className="grid gap-2">
      <h3 id="denials" className="font-medium text-sm">
        Refused by the network policy
      </h3>
      <ul className="divide-y rounded-lg border bg-surface">
        {denials.map(({ host, port, message }) => (
          <li key={`${host}:${port}:${message}`} className="flex gap-2.5 px-3 py-2 text-sm">
            <ShieldX className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
            <div className="min-w-0">
              <p className="break-all font-mono text-[13px]">
                {host}:{port}
              </p>
              <p className="text-muted text-xs">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
