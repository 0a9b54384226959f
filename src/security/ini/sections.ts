import { nearest } from '../../core/lib/messages.ts';
import { type Findings, type LinePosition, quoted } from './findings.ts';
import { type IniEntry, type Section, scanIni } from './scan.ts';

/** A file with each section once, and each key once: what the original would see, plus where it stands. */
export interface Ini {
  readonly file: string;
  readonly sections: ReadonlyMap<string, Section>;
}

/** Treatment of repeated keys, by section. */
const repeats = new Map<string, (entry: IniEntry, first: IniEntry, section: string, findings: Findings) => void>([
  ['main', inMain],
  ['filters', inMain],
  ['', inMain],
  ['users', refuse],
  ['roles', refuse],
  ['urls', refuse],
]);

export function readIni(text: string, file: string, findings: Findings): Ini {
  const sections = new Map<string, Section>();
  for (const section of scanIni(text, findings)) {
    // A section without a statement does not exist, as in the original.
    if (section.entries.length === 0) continue;
    checkName(section, findings);
    const earlier = sections.get(section.name);
    if (earlier) findings.error('repeated-section', section.position, repeatedMessage(section.name, earlier.position));
    // Joined only so that the other findings make sense: with this error nothing is started.
    const entries = earlier ? [...earlier.entries, ...section.entries] : section.entries;
    sections.set(section.name, { ...section, position: earlier?.position ?? section.position, entries });
  }
  for (const [name, section] of sections) sections.set(name, { ...section, entries: once(section, findings) });
  return { file, sections };
}

const repeatedMessage = (name: string, first: LinePosition): string =>
  `Expected the section [${name}] once: a second one, which would replace that of line ${first.line}`;

function checkName({ name, position, entries }: Section, findings: Findings): void {
  if (repeats.has(name) && name !== '') return;
  if (name === '') {
    const message =
      'Expected a section header before the first statement: none (read as [main] where there is no [main])';
    findings.warning('before-section', entries[0]!.position, message);
  } else {
    const sections = [...repeats.keys()].filter((each) => each !== '');
    const message = `Expected one of the sections ${sections.map((each) => `[${each}]`).join(' ')}: [${name.slice(0, 40)}]`;
    findings.error('unknown-section', position, message, nearest(name, sections));
  }
}

/** The last value counts, at the place of the first. */
function once(section: Section, findings: Findings): readonly IniEntry[] {
  const entries = new Map<string, IniEntry>();
  for (const entry of section.entries) {
    const first = entries.get(entry.key);
    if (first) repeats.get(section.name)?.(entry, first, section.name, findings);
    entries.set(entry.key, entry);
  }
  return [...entries.values()];
}

function inMain(entry: IniEntry, first: IniEntry, section: string, findings: Findings): void {
  // A second class for a name changes what every statement in between was written for.
  if (!entry.key.includes('.') && entry.value !== first.value) {
    refuse(entry, first, section, findings);
    return;
  }
  const message = `Expected ${quoted(entry.key)} once: it stands in line ${first.position.line} too; this value counts, at the place of line ${first.position.line}`;
  findings.warning('repeated-key', entry.position, message);
}

function refuse(entry: IniEntry, first: IniEntry, section: string, findings: Findings): void {
  const message = `Expected ${quoted(entry.key)} once in [${section}]: it stands in line ${first.position.line} too`;
  findings.error('repeated-key', entry.position, message);
}
