import { signal } from '@preact/signals';
import { en, type Key, type Texts } from './en.ts';
import { sizeIn } from './size.ts';

export type { Key };

type Values = Readonly<Record<string, string | number>>;

/** Positions of the English texts in the files of other languages, which have no keys: so they are half as large. */
const positions = new Map(Object.keys(en).map((key, at) => [key, at]));
let translated: readonly (string | null)[] = [];
const texts = signal<Texts>(en);
/** Language of the texts. */
export const language = signal('en');
/** Language of numbers and dates, with the region that the browser names first for the language of the texts. */
const locale = signal('en');

/** Addresses of the texts of other languages, as the build writes them into the page: each folder beside `en`. */
const addresses = (): Readonly<Record<string, string>> => JSON.parse(document.documentElement.dataset['texts'] ?? '{}');

/** Adds the texts of a part of the page that has just been loaded. The build calls it. */
export function addEnglish(more: Partial<Texts>, first: number): void {
  for (const [at, key] of Object.keys(more).entries()) positions.set(key, first + at);
  Object.assign(en, more);
  translate();
}

function translate(): void {
  const entries = Object.entries(en).map(([key, text]) => [key, translated[positions.get(key)!] ?? text]);
  texts.value = Object.fromEntries(entries) as Texts;
}

async function fetchTexts(name: string): Promise<readonly (string | null)[]> {
  const response = await fetch(addresses()[name]!);
  if (!response.ok) throw new Error(`Expected texts, got ${response.status}`);
  return await response.json();
}

/** Codes and own names of the languages of the page. */
export const languages = (): readonly (readonly [string, string])[] =>
  ['en', ...Object.keys(addresses())].map((code) => {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
    return [code, name.charAt(0).toLocaleUpperCase(code) + name.slice(1)];
  });

export const isLanguage = (name: string): boolean => name === 'en' || Object.hasOwn(addresses(), name);

/** Takes English where the texts of a language cannot be read. */
export async function speak(name: string, read = fetchTexts): Promise<void> {
  const answer = name === 'en' ? [] : await read(name).catch(() => undefined);
  translated = answer ?? [];
  translate();
  language.value = answer ? name : 'en';
  locale.value = navigator.languages.find((each) => each.split('-')[0] === language.value) ?? language.value;
  document.documentElement.lang = language.value;
}

/** A text with its values: `{name}`, and `{count, plural, one {# item} other {# items}}` by the number. */
export function t(key: Key, values: Values = {}): string {
  return fill(texts.value[key], values, language.value, locale.value);
}

/** The subset of ICU messages that translators' tools know: values, and plurals without values within. */
export function fill(text: string, values: Values, language: string, locale = language): string {
  return text.replace(/\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g, (whole, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (forms === undefined) return typeof value === 'number' ? formatNumber(value, locale) : value;
    const category = new Intl.PluralRules(language).select(Number(value));
    const form = (wanted: string) => new RegExp(` ${wanted} \\{([^}]*)`).exec(forms)?.[1];
    return (form(category) ?? form('other') ?? '').replace('#', formatNumber(Number(value), locale));
  });
}

const formatNumber = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

export const numberText = (value: number): string => formatNumber(value, locale.value);

export const sizeText = (bytes: number): string => sizeIn(locale.value, bytes);

/** "28 Nov", and the year unless it is this one. */
export const dayText = (date: Date): string =>
  new Intl.DateTimeFormat(locale.value, {
    ...{ day: 'numeric', month: 'short' },
    ...(date.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  }).format(date);

const toTheSecond = { dateStyle: 'medium', timeStyle: 'medium' } as const;

export const dateText = (date: Date, style: Intl.DateTimeFormatOptions = toTheSecond): string =>
  new Intl.DateTimeFormat(locale.value, style).format(date);

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
  for (const [unit, max] of steps) {
    if (Math.abs(value) < max) {
      return new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' }).format(Math.round(value), unit);
    }
    value /= max;
  }
  return dateText(date);
}
