import type { MetadataDocumentValue } from '../../assets/documents/metadata.ts';

/** A file with what is said of the media beside it. */
export interface Sidecar {
  readonly name: string;
  readonly text: string;
}

/** The field that subtitles go to. */
export const subtitleField = 'stl_text';

/** Milliseconds, as subtitles of this form count. */
const base = 1000;
/** More of them are no subtitles of one film. */
const most = 20_000;

const times = /^(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->\s*(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})/;

export const isSubtitles = ({ name, text }: Sidecar): boolean =>
  /\.srt$/i.test(name) ||
  (!/^\s*[<{]/.test(text) &&
    text
      .split(/\r?\n/)
      .slice(0, 5)
      .some((line) => times.test(line)));

/** Subtitles as metadata with time spans. Undefined: there are none. */
export function subtitlesFrom({ text }: Sidecar, language: string | undefined): MetadataDocumentValue | undefined {
  const timespan: NonNullable<MetadataDocumentValue['timespan']>[number][] = [];
  for (const block of text.replace(/^\uFEFF/, '').split(/\r?\n[ \t]*\r?\n/)) {
    const rows = block.split(/\r?\n/);
    const at = rows.findIndex((row) => times.test(row));
    const found = at < 0 ? undefined : times.exec(rows[at]!);
    const said = rows
      .slice(at + 1)
      .join('\n')
      .replace(/<\/?[bciu](?:\.[^>]*)?>|\{\\[^}]*\}/g, '')
      .trim();
    if (!found || said === '') continue;
    const [start, end] = [spanOf(found, 1), spanOf(found, 5)];
    if (end <= start || timespan.length === most) continue;
    const value = [{ value: said, ...(language !== undefined && { lang: language }) }];
    timespan.push({ start: `${start}@${base}`, end: `${end}@${base}`, field: [{ name: subtitleField, value }] });
  }
  return timespan.length > 0 ? { timespan } : undefined;
}

function spanOf(found: RegExpExecArray, first: number): number {
  const [hours, minutes, seconds] = [0, 1, 2].map((offset) => Number(found[first + offset])) as [
    number,
    number,
    number,
  ];
  return ((hours * 60 + minutes) * 60 + seconds) * base + Number(found[first + 3]!.padEnd(3, '0'));
}
