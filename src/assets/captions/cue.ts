import { nextTurn } from '../../lib/turn.ts';

/** A subtitle: lines of text from one time code to another. */
export interface Cue {
  readonly start: string;
  readonly end: string;
  readonly text: string;
  /** Undefined: the file does not say. */
  readonly language?: string | undefined;
}

/** A subtitle with times that are written again. */
export interface TimedCue extends Pick<Cue, 'text' | 'language'> {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** Why a file of subtitles cannot be read, as a sentence. */
export class CaptionError extends Error {}

/** Gives the subtitles of a file, and undefined once in a while, so that the reader may stop there. */
export type Reading = Generator<Cue | undefined, void>;

/** More of them are no subtitles of one film. */
export const mostCues = 20_000;
/** Characters of one of them. */
const longestText = 4_000;
const steps = 1_000;

/** All subtitles of a file. Others go first in between. */
export async function collectCues(reading: Reading): Promise<readonly Cue[]> {
  const cues: Cue[] = [];
  let step = 0;
  for (const cue of reading) {
    if (++step % steps === 0) await nextTurn();
    if (!cue) continue;
    if (cue.text.length > longestText) {
      throw new CaptionError(`Expected at most ${longestText} characters of a subtitle: found ${cue.text.length}`);
    }
    if (cues.length === mostCues) throw new CaptionError(`Expected at most ${mostCues} subtitles: found more`);
    cues.push(cue);
  }
  return cues;
}

/** Lines one after the other: a file may have millions of them. */
export function* linesOf(text: string): Generator<string, void> {
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
  }
}

const base = 1000;

/** Milliseconds as a time code. */
export const inMilliseconds = (count: number): string => `${count}@${base}`;
