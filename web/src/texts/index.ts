import { signal } from '@preact/signals';
import { en, type Key, type Texts } from './en.ts';
import { sizeIn } from './size.ts';

export type { Key };

type Values = Readonly<Record<string, string | number>>;

const texts = signal<Texts>(en);
/** Language of the texts and of numbers and dates. */
export const language = signal('en');

/** Languages of the page. English is there at once. */
export const languages = { en: 'English', sv: 'Svenska' } as const;
export type Language = keyof typeof languages;

const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  sv: async () => (await import('./sv.ts')).sv,
};

export const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

export async function speak(name: Language): Promise<void> {
  texts.value = name === 'en' ? en : await others[name]();
  language.value = name;
  document.documentElement.lang = name;
}

/** A text with its values: `{name}`, and `{count|one item|# items}` by the number. */
export function t(key: Key, values: Values = {}): string {
  return fill(texts.value[key], values, language.value);
}

export function fill(text: string, values: Values, locale: string): string {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined) return typeof value === 'number' ? formatNumber(value, locale) : value;
    const form = new Intl.PluralRules(locale).select(Number(value)) === 'one' ? one : many!;
    return form.replace('#', formatNumber(Number(value), locale));
  });
}

const formatNumber = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

export const numberText = (value: number): string => formatNumber(value, language.value);

export const sizeText = (bytes: number): string => sizeIn(language.value, bytes);

export const dateText = (date: Date): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/** "3 minutes ago", "in 2 days". */
export function relativeText(date: Date, now = Date.now()): string {
  let value = (date.getTime() - now) / 1000;
  for (const [unit, most] of steps) {
    if (Math.abs(value) < most) {
      return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' }).format(Math.round(value), unit);
    }
    value /= most;
  }
  return dateText(date);
}
