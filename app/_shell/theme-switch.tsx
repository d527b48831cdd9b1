"use client";

import clsx from "clsx";
import { Monitor, Moon, Sun } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { THEME_COOKIE, THEMES, type Theme } from "#app/_shell/theme.ts";

const LOOKS = {
  system: { label: "Like the system", icon: Monitor },
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
};

export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);

  function choose(next: Theme) {
    setTheme(next);
    remember(next);
    if (next === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", next);
  }

  return (
    <RadioGroup.Root
      aria-label="Theme"
      orientation="horizontal"
      value={theme}
      onValueChange={(value) => choose(value as Theme)}
      className="inline-flex rounded-md border bg-surface p-0.5"
    >
      {THEMES.map((value) => {
        const { label, icon: Icon } = LOOKS[value];
        return (
          <RadioGroup.Item
            key={value}
            value={value}
            aria-label={label}
            title={label}
            className={clsx(
              "rounded p-1.5 text-muted hover:text-ink",
              "data-[state=checked]:bg-hover data-[state=checked]:text-ink",
            )}
          >
            <Icon className="size-3.5" aria-hidden />
          </RadioGroup.Item>
        );
      })}
    </RadioGroup.Root>
  );
}

function remember(theme: Theme) {
  const year = 365 * 24 * 60 * 60;
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain http, where Cove often runs.
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${year}; samesite=lax${secure}`;
}
