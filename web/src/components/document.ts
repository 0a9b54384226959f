import type { Refusal } from '../api/client.ts';

/** A part of a document, as a form shows it. */
export interface Part {
  /** Path in the document: `auditTrail.age`, `request.0.origin`. */
  readonly at: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Lines are a list of texts, blocks are one of texts of several lines, and a size is in bytes. Left out: a text. */
  readonly kind?: 'number' | 'size' | 'lines' | 'blocks' | 'long' | 'flag' | undefined;
  readonly required?: boolean | undefined;
  readonly min?: number | undefined;
  /** Lines in the field of a long text. */
  readonly rows?: number | undefined;
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** The part that it follows, until somebody types something else. No text follows from none. */
  readonly follows?: { readonly at: string; readonly as: (text: string) => string };
}

/** Texts of the controls by the paths of their parts. Empty: the part is not there. */
export type Values = Readonly<Record<string, string>>;

/** Values with a text that was typed into a part, and into those that follow it. */
export function withTyped(values: Values, parts: readonly Part[], at: string, text: string): Values {
  const followers = parts.flatMap(({ at: other, follows }) =>
    follows?.at === at && (values[other] ?? '') === follows.as(values[at] ?? '') ? [[other, follows.as(text)]] : [],
  );
  return { ...values, ...Object.fromEntries(followers), [at]: text };
}

type Node = Readonly<Record<string, unknown>>;

const units = ['', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** `3.1 MB` of a number of bytes, without loss. */
export function sizeWords(bytes: number): string {
  let step = 0;
  while (step < units.length - 1 && bytes >= 1000 ** (step + 1) && bytes % 1000 ** step === 0) step += 1;
  return `${bytes / 1000 ** step} ${units[step]}`.trim();
}

/** Bytes of `2 TB`, `1,5 gb` or `300`. Undefined: no size. */
export function bytesOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:[.,]\d+)?)\s*([kmgtp]?b?)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const step = Math.max(0, ' kmgtp'.indexOf((unit ?? '').charAt(0).toLowerCase() || ' '));
  return Math.round(Number(number.replace(',', '.')) * 1000 ** (/^b/i.test(unit ?? '') ? 0 : step));
}

const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce((node: unknown, name) => (node as Node | undefined)?.[name], document);

function textAt(document: unknown, { at: path, kind }: Part): string {
  const value = at(document, path);
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.join(kind === 'blocks' ? '\n\n' : '\n');
  return kind === 'size' ? sizeWords(value as number) : String(value);
}

export const valuesOf = (document: unknown, parts: readonly Part[]): Values =>
  Object.fromEntries(parts.map((part) => [part.at, textAt(document, part)]));

function partValue(text: string, kind: Part['kind']): unknown {
  const content = kind === 'long' ? text : text.trim();
  if (content === '') return undefined;
  if (kind === 'number') return Number(content);
  if (kind === 'size') return bytesOf(content) ?? content;
  if (kind === 'flag') return true;
  if (kind === 'lines' || kind === 'blocks') {
    const parts = content.split(kind === 'lines' ? '\n' : /\n\s*\n/);
    return parts.map((each) => each.trim()).filter(Boolean);
  }
  return content;
}

/** Nodes on the way to a value. A node that has nothing left is taken out, and all else stays. */
function put(node: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  const isList = Array.isArray(node) || (node === undefined && name === '0');
  const copy: Record<string, unknown> = isList ? ([...((node as unknown[]) ?? [])] as never) : { ...(node as Node) };
  const inner = rest.length === 0 ? value : put(copy[name!], rest, value);
  if (inner !== undefined) copy[name!] = inner;
  else delete copy[name!];
  const left = Object.values(copy);
  return left.length === 0 ? undefined : isList ? left : copy;
}

/** The document with what was typed. Parts that the form does not show stay as they are. */
export const documentOf = <D>(document: D, parts: readonly Part[], values: Values): D =>
  (parts.reduce<unknown>(
    (node, { at: path, kind }) => put(node, path.split('.'), partValue(values[path] ?? '', kind)),
    document,
  ) ?? {}) as D;

const plain = (path: string): string => path.replace(/\[\d+\]|\.\d+/g, '').replaceAll('.', '/');

/** The part that a refusal is about: its context or its id names it, or what it found is what was typed there. */
export function partOf({ context = '', id, value }: Refusal, parts: readonly Part[], values: Values): Part | undefined {
  const path = plain(context);
  return (
    parts.find(({ at: name }) => path.endsWith(`/${plain(name)}`) || name === id) ??
    parts.find(({ at: name, kind }) => {
      const typed = String(partValue(values[name] ?? '', kind) ?? '');
      return typed !== '' && (typed === value || typed === id);
    })
  );
}
