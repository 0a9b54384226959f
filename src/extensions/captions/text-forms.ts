import { type CueReader, inMilliseconds, linesOf } from './cue.ts';

const time = /(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})/.source;
const arrow = new RegExp(`^\\s*${time}\\s*-->\\s*${time}(?:\\s|$)`);

export const isTimingLine = (line: string): boolean => line.length < 500 && arrow.test(line);

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
export const readSrt = (text: string): CueReader =>
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
export const readVtt = (text: string): CueReader =>
  timedBlocks(text, (said) =>
    said.replace(/<[^<>]{0,500}>/g, '').replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_whole, name: string) => named[name]!),
  );
