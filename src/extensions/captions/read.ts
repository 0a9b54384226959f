import type { MetadataDocumentValue } from '../../assets/metadata/public-reading.ts';
import { DocumentError, type DocumentLimits, rootName } from '../../core/documents/index.ts';
import type { Sidecar } from '../../production/ingest/public.ts';
import { JobFails } from '../../room/jobs/job-type.ts';
import { CaptionError, type Cue, type CueReader, collectCues, inMilliseconds, linesOf } from './cue.ts';
import { readScc } from './scc-read.ts';
import { readTtml } from './ttml.ts';

const time = /(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/.source;
const arrow = new RegExp(`^\\s*${time}\\s*-->\\s*${time}(?:\\s|$)`);

const isTimingLine = (line: string): boolean => line.length < 500 && arrow.test(line);

function millisecondsOf(found: RegExpExecArray, first: number): number {
  const part = (offset: number): number => Number(found[first + offset] ?? 0);
  return ((part(0) * 60 + part(1)) * 60 + part(2)) * 1000 + Number((found[first + 3] ?? '').padEnd(3, '0'));
}

/** Parses subtitles with a line of times before each. `clean`: removes markup of the format. */
function* timedBlocks(text: string, clean: (text: string) => string): CueReader {
  let times: RegExpExecArray | undefined;
  let said: string[] = [];
  const finished = () => {
    const whole = clean(said.join('\n')).trim();
    const [start, end] = times ? [millisecondsOf(times, 1), millisecondsOf(times, 5)] : [0, 0];
    times = undefined;
    said = [];
    return whole !== '' && end > start
      ? { start: inMilliseconds(start), end: inMilliseconds(end), text: whole }
      : undefined;
  };
  for (const line of linesOf(text)) {
    const arrowMatch = isTimingLine(line) ? arrow.exec(line) : null;
    if (arrowMatch) {
      yield finished();
      times = arrowMatch;
    } else if (line.trim() === '') yield finished();
    else {
      if (times) said.push(line);
      yield undefined;
    }
  }
  yield finished();
}

/** Parses SubRip (SRT) subtitles. */
const readSrt = (text: string): CueReader =>
  timedBlocks(text, (said) => said.replace(/<\/?(?:[bius]|font)(?:[ .=][^<>]{0,200})?>|\{\\[^{}]{0,200}\}/gi, ''));

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Parses WebVTT. Notes, styles and regions have no times, so they are skipped. */
const readVtt = (text: string): CueReader =>
  timedBlocks(text, (said) =>
    said.replace(/<[^<>]{0,500}>/g, '').replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_whole, name: string) => named[name]!),
  );

type Form = (text: string, limits: DocumentLimits) => CueReader;

const byEnding: Readonly<Record<string, Form>> = {
  srt: readSrt,
  vtt: readVtt,
  scc: readScc,
  ttml: readTtml,
  dfxp: readTtml,
};

/** Detects the format by content, then by extension. Undefined: no subtitles. */
function formOf({ name, text }: CaptionFile): Form | undefined {
  const begin = text.slice(0, 200).replace(/^\ufeff/, '');
  if (/^WEBVTT(?:\s|$)/.test(begin)) return readVtt;
  if (/^Scenarist_SCC\b/.test(begin)) return readScc;
  if (rootName(text) === 'tt') return readTtml;
  const ending = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(byEnding, ending)) return byEnding[ending];
  if (/^\s*[<{]/.test(begin)) return undefined;
  let seen = 0;
  for (const line of linesOf(text)) {
    if (isTimingLine(line)) return readSrt;
    if (++seen === 5) break;
  }
  return undefined;
}

interface CaptionFile {
  readonly name: string;
  readonly text: string;
}

const isCaptions = (file: CaptionFile): boolean => formOf(file) !== undefined;

/** Subtitles of a file, in its order. Throws a CaptionError if it cannot be parsed. */
export async function readCaptions(file: CaptionFile, limits: DocumentLimits): Promise<readonly Cue[]> {
  const form = formOf(file);
  try {
    return form ? await collectCues(form(file.text, limits)) : [];
  } catch (error) {
    if (error instanceof DocumentError) throw new CaptionError(error.message);
    throw error;
  }
}

/** Field whose timed values are subtitles. */
export const subtitleField = 'stl_text';

/** Subtitles as metadata with time spans. `language`: what the caller says of those without one. */
const metadataOfCues = (cues: readonly Cue[], language: string | undefined): MetadataDocumentValue => ({
  timespan: cues.map((cue) => {
    const lang = language ?? cue.language;
    const value = [{ value: cue.text, ...(lang !== undefined && { lang }) }];
    return { start: cue.start, end: cue.end, field: [{ name: subtitleField, value }] };
  }),
});

/** Subtitles of a file as metadata. Undefined: it has none of the known formats. */
export async function captionMetadata(
  sidecar: Sidecar,
  limits: DocumentLimits,
  language: string | undefined,
): Promise<MetadataDocumentValue | undefined> {
  if (!isCaptions(sidecar)) return undefined;
  const cues = await readCaptions(sidecar, limits).catch((error: unknown) => {
    throw error instanceof CaptionError ? new JobFails(`${sidecar.name}: ${error.message}`) : error;
  });
  if (cues.length > 0) return metadataOfCues(cues, language);
  throw new JobFails(`Expected subtitles with times: ${sidecar.name}`);
}
