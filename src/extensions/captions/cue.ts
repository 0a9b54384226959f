import { yieldTurn } from '../../core/lib/turn.ts';

/** A subtitle: text with its start and end time code. */
export interface Cue {
  readonly start: string;
  readonly end: string;
  readonly text: string;
  /** Undefined: not in the file. */
  readonly language?: string | undefined;
}

/** A subtitle whose times can be formatted again. */
export interface TimedCue extends Pick<Cue, 'text' | 'language'> {
  /** Time in seconds, as `end`. */
  readonly start: number;
  readonly end: number;
}

/** Parse error of a subtitle file, as a sentence. */
export class CaptionError extends Error {}

/** Yields the subtitles of a file, and sometimes undefined, so that the consumer can pause there. */
export type CueReader = Generator<Cue | undefined, void>;

/** Limit of subtitles: no film has more. */
export const maxCues = 20_000;
/** Maximum characters of one subtitle. */
const maxTextLength = 4_000;
const steps = 1_000;

/** All subtitles of a file. Yields to the event loop in between. */
export async function collectCues(reading: CueReader): Promise<readonly Cue[]> {
  const cues: Cue[] = [];
  let step = 0;
  for (const cue of reading) {
    if (++step % steps === 0) await yieldTurn();
    if (!cue) continue;
    if (cue.text.length > maxTextLength) {
      throw new CaptionError(`Expected at most ${maxTextLength} characters of a subtitle: found ${cue.text.length}`);
    }
    if (cues.length === maxCues) throw new CaptionError(`Expected at most ${maxCues} subtitles: found more`);
    cues.push(cue);
  }
  return cues;
}

/** Iterates over lines without an array: a file may have millions of them. */
export function* linesOf(text: string): Generator<string, void> {
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    yield text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
  }
}

const base = 1000;

/** Milliseconds as a time code. */
export const inMilliseconds = (count: number): string => `${count}@${base}`;
