import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

/** A button that is only a picture; its label is read out and shown when pointed at. */
export function IconButton({
  icon: Icon,
  label,
  className,
  type = "button",
  ...rest
}: { icon: LucideIcon; label: string } & ComponentProps<"button">) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={clsx(
        "grid size-7 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink",
        "disabled:opacity-50 max-md:size-9",
        className,
      )}
      {...rest}
    >
      <Icon className="size-3.5" aria-hidden />
    </button>
  );
}
