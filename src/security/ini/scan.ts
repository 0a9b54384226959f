import { type Findings, type LinePosition, quoted } from './findings.ts';
import { isSeparator, leadingBlanks, trimBlanks } from './split.ts';

/** A line that carries text, trimmed. */
interface IniLine {
  readonly text: string;
  readonly position: LinePosition;
}

/** A section as written: a name that appears twice is two of these. */
interface RawSection {
  /** Empty: what stands before the first header. */
  readonly name: string;
  readonly position: LinePosition;
  readonly lines: readonly IniLine[];
}

const lineEnd = /\r\n|[\n\r\u0085\u2028\u2029]/;

/**
 * Pass one: lines and sections. Comments and empty lines go before continuations are joined, so that one in the
 * middle of a long value does not end it. A header ends whatever was being continued.
 */
function cutSections(text: string, findings: Findings): readonly RawSection[] {
  let lines: IniLine[] = [];
  const sections: RawSection[] = [{ name: '', position: { line: 1, column: 1 }, lines }];
  let continued = false;
  // A byte-order mark is a mark, not text; the original takes it for the first character of the first line.
  for (const [index, raw] of (text.startsWith('\uFEFF') ? text.slice(1) : text).split(lineEnd).entries()) {
    const trimmed = trimBlanks(raw);
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const position = { line: index + 1, column: leadingBlanks(raw) + 1 };
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) {
      if (continued) findings.error('open-continuation', lines.at(-1)!.position, openContinuation);
      lines = [];
      sections.push({ name: trimBlanks(trimmed.slice(1, -1)), position, lines });
      continued = false;
    } else if (trimmed.startsWith('[') && (!continued || /^\[[^\]]*\]\s*[#;]/.test(trimmed))) {
      findings.error('section-header', position, headerMessage(trimmed));
    } else {
      lines.push({ text: trimmed, position });
      continued = isContinued(trimmed);
    }
  }
  if (continued) findings.error('open-continuation', lines.at(-1)!.position, openContinuation);
  return sections;
}

const openContinuation = 'Expected a line that continues the one ending in a backslash: the section ends';

function headerMessage(text: string): string {
  const close = text.indexOf(']');
  return close < 0
    ? 'Expected "]" at the end of a section header: the line ends without it'
    : `Expected nothing after the section header ${quoted(text.slice(0, close + 1))}: more text (a comment needs its own line)`;
}

/** An odd number of backslashes at the end. The first character of a line is not counted: a lone backslash is text. */
export function isContinued(line: string): boolean {
  let at = line.length;
  while (at > 1 && line[at - 1] === '\\') at--;
  return (line.length - at) % 2 === 1;
}

/** A statement of a section. */
export interface IniEntry {
  readonly key: string;
  readonly value: string;
  readonly position: LinePosition;
  /** Place of the character at an offset of the value, even in values with several lines. */
  valuePosition(offset?: number): LinePosition;
}

export interface Section {
  readonly name: string;
  readonly position: LinePosition;
  readonly entries: readonly IniEntry[];
}

/** Longer texts are no configuration; the limit bounds the time that reading takes. */
const maxCharacters = 1024 * 1024;

/** Sections and statements in file order, repeated ones included: their readers decide what a repetition means. */
export function scanIni(text: string, findings: Findings): readonly Section[] {
  if (text.length > maxCharacters) {
    const message = `Expected at most ${maxCharacters} characters: ${text.length}`;
    findings.error('file-size', { line: 1, column: 1 }, message);
    return [];
  }
  return cutSections(text, findings).map((section) => ({
    name: section.name,
    position: section.position,
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
  const position = parts[0]!.position;
  const split = splitKeyValue(text);
  if (split.key === '') findings.error('no-key', position, 'Expected a key, a separator and a value: no key');
  else if (split.value === '')
    findings.error(
      'no-value',
      position,
      'Expected a key, a separator and a value: no value (an empty text is written "")',
    );
  else {
    const { key, value, valueAt } = split;
    return { key, value, position, valuePosition: (offset = 0) => positionIn(parts, valueAt + offset) };
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
      return { line: part.position.line, column: part.position.column + rest };
    }
    rest -= part.text.length;
  }
  return parts[0]!.position;
}
