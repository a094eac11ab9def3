export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const themeKey = "backlot:console-theme";

/** The theme that was chosen in this browser. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(themeKey);
  return themes.find((theme) => theme === stored) ?? "auto";
}

/** Shows a theme, now and the next time. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}
