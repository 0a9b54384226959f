import { leadingBlanks, trimBlanks } from './blanks.ts';
import { type Findings, type LinePosition, quoted } from './findings.ts';

/** A line that carries text, trimmed. */
export interface IniLine {
  readonly text: string;
  readonly place: LinePosition;
}

/** A section as written: a name that appears twice is two of these. */
export interface RawSection {
  /** Empty: what stands before the first header. */
  readonly name: string;
  readonly place: LinePosition;
  readonly lines: readonly IniLine[];
}

const lineEnd = /\r\n|[\n\r\u0085\u2028\u2029]/;

/**
 * Pass one: lines and sections. Comments and empty lines go before continuations are joined, so that one in the
 * middle of a long value does not end it. A header ends whatever was being continued.
 */
export function cutSections(text: string, findings: Findings): readonly RawSection[] {
  let lines: IniLine[] = [];
  const sections: RawSection[] = [{ name: '', place: { line: 1, column: 1 }, lines }];
  let continued = false;
  // A byte-order mark is a mark, not text; the original takes it for the first character of the first line.
  for (const [index, raw] of (text.startsWith('\uFEFF') ? text.slice(1) : text).split(lineEnd).entries()) {
    const trimmed = trimBlanks(raw);
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const place = { line: index + 1, column: leadingBlanks(raw) + 1 };
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) {
      if (continued) findings.error('open-continuation', lines.at(-1)!.place, openContinuation);
      lines = [];
      sections.push({ name: trimBlanks(trimmed.slice(1, -1)), place, lines });
      continued = false;
    } else if (trimmed.startsWith('[') && (!continued || /^\[[^\]]*\]\s*[#;]/.test(trimmed))) {
      findings.error('section-header', place, headerMessage(trimmed));
    } else {
      lines.push({ text: trimmed, place });
      continued = isContinued(trimmed);
    }
  }
  if (continued) findings.error('open-continuation', lines.at(-1)!.place, openContinuation);
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
