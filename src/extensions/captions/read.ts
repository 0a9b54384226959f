import { DocumentError, type DocumentLimits, rootName } from '../../core/documents/index.ts';
import { CaptionError, type Cue, type CueReader, collectCues, linesOf } from './cue.ts';
import { readScc } from './scc-read.ts';
import { isTimingLine, readSrt, readVtt } from './text-forms.ts';
import { readTtml } from './ttml.ts';

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

export const isCaptions = (file: CaptionFile): boolean => formOf(file) !== undefined;

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
