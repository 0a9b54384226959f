import type { TimedCue } from './cue.ts';

/** Time as TTML and WebVTT have it. */
export function clockText(seconds: number): string {
  const all = Math.round(seconds * 1000);
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  const rest = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}.${rest}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An empty line would end a subtitle. */
const cueText = (text: string): string =>
  text
    .replace(/[&<>]/g, (character) => entities[character]!)
    .replace(/\r\n?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();

export function* writeVtt(cues: readonly TimedCue[]): Generator<string, void> {
  yield 'WEBVTT\n';
  for (const { start, end, text } of cues) yield `\n${clockText(start)} --> ${clockText(end)}\n${cueText(text)}\n`;
}
