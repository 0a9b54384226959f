import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import { Duration, durationText, Timed, timedText } from './timed.ts';

/** Decimal digits without an exponent: metadata has frame numbers, where 1.0E6 would be unreadable. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return Object.is(value, -0) ? '0' : plain(value);
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  // The last digits are where binary fractions differ from decimal ones.
  return plain(Number(value.toPrecision(15)));
}

function plain(value: number): string {
  const text = String(value);
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** A name as a value. */
export class QName {
  readonly prefix: string;
  readonly local: string;
  readonly uri: string;

  constructor(prefix: string, local: string, uri: string) {
    this.prefix = prefix;
    this.local = local;
    this.uri = uri;
  }
}

/**
 * Atomic values. All numbers have one type, and so have texts: untyped metadata is read by what it is compared with.
 */
export type Atomic = string | number | boolean | Timed | Duration | QName;
export type Item = Node | Atomic;
export type Sequence = readonly Item[];

export const empty: Sequence = [];

export function textOf(item: Item): string {
  if (typeof item === 'string') return item;
  if (item instanceof Node) return item.text;
  if (typeof item === 'number') return numberText(item);
  if (typeof item === 'boolean') return String(item);
  if (item instanceof Timed) return timedText(item);
  if (item instanceof Duration) return durationText(item);
  return item.prefix === '' ? item.local : `${item.prefix}:${item.local}`;
}

export const atomOf = (item: Item): Atomic => (item instanceof Node ? item.text : item);
export const atomsOf = (items: Sequence): readonly Atomic[] =>
  items.some((item) => item instanceof Node) ? items.map(atomOf) : (items as readonly Atomic[]);

const numeric = /^[ \t\r\n]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\r\n]*$/;

export function numberOf(item: Item | undefined): number {
  if (typeof item === 'number') return item;
  if (typeof item === 'boolean') return item ? 1 : 0;
  if (item === undefined) return Number.NaN;
  const text = textOf(item);
  if (numeric.test(text)) return Number(text);
  const special = text.trim();
  if (special === 'INF') return Number.POSITIVE_INFINITY;
  return special === '-INF' ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** Whether a sequence holds, as conditions ask. */
export function truthOf(items: Sequence): boolean {
  const first = items[0];
  if (first === undefined) return false;
  if (first instanceof Node) return true;
  if (items.length > 1) throw new StylesheetFails('Expected one value or nodes in a condition: found several values');
  if (typeof first === 'boolean') return first;
  if (typeof first === 'number') return first !== 0 && !Number.isNaN(first);
  if (typeof first === 'string') return first !== '';
  throw new StylesheetFails(
    `Expected a text, a number, a truth or nodes in a condition: found ${shown(textOf(first))}`,
  );
}

/** First item of a sequence. More items are an error, except in version 1.0. */
export function onlyOf(items: Sequence, isFirst: boolean, what: string): Item | undefined {
  if (items.length > 1 && !isFirst) throw new StylesheetFails(`Expected one value ${what}: found ${items.length}`);
  return items[0];
}

export function nodeOf(item: Item | undefined, what: string): Node {
  if (item instanceof Node) return item;
  const actual = item === undefined ? 'nothing' : shown(textOf(item));
  throw new StylesheetFails(`Expected a node ${what}: found ${actual}`);
}

/** In document order, each once. */
export function ordered(nodes: readonly Node[]): readonly Node[] {
  for (let at = 1; at < nodes.length; at++) {
    if (nodes[at]!.order <= nodes[at - 1]!.order) return sorted(nodes);
  }
  return nodes;
}

const sorted = (nodes: readonly Node[]): readonly Node[] => [...new Set(nodes)].sort((a, b) => a.order - b.order);
