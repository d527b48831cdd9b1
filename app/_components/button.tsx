import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

const LOOKS = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-ink",
  danger: "bg-danger text-on-danger hover:opacity-90",
};

const SIZES = {
  small: "h-7 px-2.5 text-[13px]",
  medium: "h-9 px-3.5 text-sm",
  large: "h-11 px-5 text-[15px]",
};

interface Look {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
}

/** For links that look like buttons, too. */
export function buttonClass({ look = "secondary", size = "medium" }: Look = {}, extra?: string): string {
  return clsx(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap",
    "transition-colors disabled:opacity-55",
    LOOKS[look],
    SIZES[size],
    extra,
  );
}

export function Button({ look, size, className, type = "button", ...rest }: Look & ComponentProps<"button">) {
  return <button type={type} className={buttonClass({ look, size }, className)} {...rest} />;
}

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
