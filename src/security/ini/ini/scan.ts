import { isSeparator, leadingBlanks, trimBlanks } from './blanks.ts';
import type { Findings, LinePosition } from './findings.ts';
import { cutSections, type IniLine, isContinued, type RawSection } from './lines.ts';

/** A statement of a section. */
export interface IniEntry {
  readonly key: string;
  readonly value: string;
  readonly place: LinePosition;
  /** Place of the character at an offset of the value, even in values with several lines. */
  valuePlace(offset?: number): LinePosition;
}

export interface Section {
  readonly name: string;
  readonly place: LinePosition;
  readonly entries: readonly IniEntry[];
}

/** Longer texts are no configuration; the limit bounds the time that reading takes. */
const mostCharacters = 1024 * 1024;

/** Sections and statements in file order, repeated ones included: their readers decide what a repetition means. */
export function scanIni(text: string, findings: Findings): readonly Section[] {
  if (text.length > mostCharacters) {
    const message = `Expected at most ${mostCharacters} characters: ${text.length}`;
    findings.error('file-size', { line: 1, column: 1 }, message);
    return [];
  }
  return cutSections(text, findings).map((section) => ({
    name: section.name,
    place: section.place,
    entries: entriesOf(section, findings),
  }));
}

/** Pass two: joins continued lines and splits each statement into key and value. */
function entriesOf({ lines }: RawSection, findings: Findings): readonly IniEntry[] {
  const entries: IniEntry[] = [];
  let parts: IniLine[] = [];
  for (const line of lines) {
    const more = isContinued(line.text);
    parts.push(more ? { ...line, text: line.text.slice(0, -1) } : line);
    if (more) continue;
    const entry = entryOf(parts, findings);
    if (entry) entries.push(entry);
    parts = [];
  }
  return entries;
}

function entryOf(parts: readonly IniLine[], findings: Findings): IniEntry | undefined {
  const text = parts.map((part) => part.text).join('');
  const place = parts[0]!.place;
  const split = splitKeyValue(text);
  if (split.key === '') findings.error('no-key', place, 'Expected a key, a separator and a value: no key');
  else if (split.value === '')
    findings.error(
      'no-value',
      place,
      'Expected a key, a separator and a value: no value (an empty text is written "")',
    );
  else {
    const { key, value, valueAt } = split;
    return { key, value, place, valuePlace: (offset = 0) => positionIn(parts, valueAt + offset) };
  }
  return undefined;
}

interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly valueAt: number;
}

/**
 * The first separator without a backslash before it ends the key; all that follow are skipped. A backslash in a key
 * protects the next character and disappears; in a value it is text.
 */
export function splitKeyValue(text: string): KeyValue {
  let at = leadingBlanks(text);
  let key = '';
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (isSeparator(character) && text[at - 1] !== '\\') break;
    if (character !== '\\') key += character;
  }
  while (at < text.length && isSeparator(text[at]!)) at++;
  const rest = text.slice(at);
  return { key: trimBlanks(key), value: trimBlanks(rest), valueAt: at + leadingBlanks(rest) };
}

function positionIn(parts: readonly IniLine[], offset: number): LinePosition {
  let rest = offset;
  for (const part of parts) {
    if (rest < part.text.length || part === parts.at(-1)) {
      return { line: part.place.line, column: part.place.column + rest };
    }
    rest -= part.text.length;
  }
  return parts[0]!.place;
}
