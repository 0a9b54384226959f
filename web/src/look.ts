import { effect, signal } from '@preact/signals';
import { me, preferences, setPreference } from './api/session.ts';
import { store, stored } from './browser-storage.ts';
import { isLanguage, speak } from './texts/index.ts';

/** How a person wants the page. The browser remembers it, so that the page does not flash, and the API for all browsers. */
export interface Look {
  readonly theme: 'auto' | 'light' | 'dark';
  readonly density: 'cozy' | 'compact';
  readonly language: string;
}

const storageKey = 'portico.look';
const defaultValue: Look = { theme: 'auto', density: 'cozy', language: navigator.language.slice(0, 2) };
const names = ['theme', 'density', 'language'] as const;

export const look = signal<Look>({ ...defaultValue, ...(stored(storageKey) as Partial<Look> | undefined) });

effect(() => {
  const { theme, density, language } = look.value;
  const { dataset } = document.documentElement;
  if (theme === 'auto') delete dataset['theme'];
  else dataset['theme'] = theme;
  dataset['density'] = density;
  void speak(isLanguage(language) ? language : 'en');
});

export async function setLook(changes: Partial<Look>): Promise<void> {
  take(changes);
  if (!me.value) return;
  for (const [name, value] of Object.entries(changes)) await setPreference(name, value);
}

/** Takes over what the person has chosen in another browser. */
export async function loadLook(): Promise<void> {
  if (!me.value) return;
  const chosen = await preferences();
  const changes = names.flatMap((each) => (chosen.has(each) ? [[each, chosen.get(each)] as const] : []));
  take(Object.fromEntries(changes) as Partial<Look>);
}

function take(changes: Partial<Look>): void {
  look.value = { ...look.value, ...changes };
  store(storageKey, look.value);
}

/** Whether the window is wider than that of a phone. */
export const isWide = (): boolean => matchMedia('(min-width: 800px)').matches;
