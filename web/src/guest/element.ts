import { guestEn } from '../texts/guest.en.ts';
import { guestSv } from '../texts/guest.sv.ts';

export type Key = keyof typeof guestEn;

export const isSwedish = navigator.language.startsWith('sv');
const texts: Readonly<Record<Key, string>> = isSwedish ? guestSv : guestEn;

export const t = (key: Key, values: Readonly<Record<string, string>> = {}): string =>
  texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export type Child = Node | string | undefined;

/** A node with its properties. Texts of others are never read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/** A document of the service. Throws the status of a refusal. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, headers: { accept: 'application/json', ...init.headers } });
  if (!response.ok) throw response.status;
  return (await response.json()) as T;
}

export const post = <T>(path: string, document: object): Promise<T> =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) });
