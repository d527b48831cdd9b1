/** A bay that shelters a single light: the sandbox, and what runs in it. */
export function Logo({ className = "size-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M23.2 10.4a9.2 9.2 0 1 0 0 11.2"
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="3.2"
        strokeLinecap="round"
      />
      <circle cx="17" cy="16" r="2.6" fill="var(--on-accent)" />
    </svg>
  );
}
