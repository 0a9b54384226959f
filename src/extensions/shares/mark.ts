import { badValue } from '../../core/documents/error.ts';
import { type Mark, markPlaces } from '../../room/marks.ts';
import type { ShareRow, UseRow } from './store.ts';

/** Setting of the mark of a share. */
interface ShareMark extends Mark {
  /** Whether it is part of all pictures and films that guests get. */
  readonly burn: boolean;
}

const maxTemplateLength = 100;
/** Characters of a mark for one guest, ahead of the number, and of those the name. */
const [maxTextLength, maxMarkName] = [120, 40];
const [minStrength, maxStrength] = [10, 100];
const parts = ['name', 'address', 'date', 'title'] as const;

const place = (name: string) => `/ShareDocument/mark/${name}`;

/** A mark as makers send it, with all that they left out. Throws the refusal. */
export function markFrom(given: { readonly [K in keyof ShareMark]?: ShareMark[K] | undefined }): ShareMark {
  const { text = '{name} {date}', place: where = markPlaces[0], strength = 30, burn = false } = given;
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxTemplateLength || trimmed !== plain(trimmed))
    throw badValue(place('text'), `1 to ${maxTemplateLength} characters, and no control characters`, text);
  const unknown = trimmed.match(/\{[^}]*\}?/g)?.find((each) => !parts.some((part) => each === `{${part}}`));
  if (unknown !== undefined)
    throw badValue(place('text'), `no braces but ${parts.map((part) => `{${part}}`).join(', ')}`, unknown);
  if (strength < minStrength || strength > maxStrength)
    throw badValue(place('strength'), `a number from ${minStrength} to ${maxStrength}`, String(strength));
  return { text: trimmed, place: where, strength, burn };
}

export const markOf = ({ mark }: Pick<ShareRow, 'mark'>): ShareMark | undefined =>
  mark === null ? undefined : (JSON.parse(mark) as ShareMark);

/** Whether guests get nothing without their mark in it. */
export const isBurnt = (share: Pick<ShareRow, 'mark'>): boolean => markOf(share)?.burn === true;

/** Whether the text of a mark has a part. */
export const hasPart = ({ text }: Pick<Mark, 'text'>, part: (typeof parts)[number]): boolean =>
  text.includes(`{${part}}`);

/**
 * The name of a guest in a mark: letters, digits, and a few signs between them. What looks like the sign of the number would
 * forge it, and rows of dots, or of characters without ink, would thin the mark.
 */
const markName = (name: string): string =>
  [
    ...name
      .normalize('NFKC')
      .replace(/\p{DI}|[^\p{L}\p{M}\p{N}\s.,'’&@()+_-]/gu, '')
      .replace(/[^\p{L}\p{M}\p{N}]{4,}/gu, ' ')
      .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N})]+$/gu, ''),
  ]
    .slice(0, maxMarkName)
    .join('');

/** The mark for one guest. Names of guests are text and nothing else: no part of them is read as a template. */
export function markOfGuest(
  mark: ShareMark,
  { id, at, name, address }: Pick<UseRow, 'id' | 'at' | 'name' | 'address'>,
  title: string | undefined,
): ShareMark {
  const date = new Date(at).toISOString().slice(0, 10);
  const values = { name: markName(name ?? ''), address: address ?? '', date, title: title ?? '' };
  const filled = mark.text.replace(/\{(\w+)\}/g, (_, part: keyof typeof values) => values[part]);
  const text = [...plain(filled)].slice(0, maxTextLength).join('').trim();
  return { ...mark, text: `${text} #${id}`.trimStart() };
}

/**
 * A text without characters that steer others: control characters, those that turn the direction of writing, and piles of
 * marks on one letter.
 */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
