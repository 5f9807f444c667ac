// Light, dark, or as the system has it.

const system = window.matchMedia('(prefers-color-scheme: dark)');

export const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' };

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'dark' || (chosen !== 'light' && system.matches);
}

export function watchTheme(app) {
  system.addEventListener('change', () => app.store.touch('theme'));
  app.store.on(['theme'], () => {
    if (app.state.theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = app.state.theme;
  });
}

/** A colour of the style sheet. */
export const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
