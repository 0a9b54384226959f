import { CaptionError } from './cue.ts';

/** Frames a second, as they pass. 30 are counted. */
export const sccRate = 30_000 / 1001;

/** The base of its time codes. */
const base = '30000:1001';

const code = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2})$/;

/** The number of a frame. A semicolon before the frames: some numbers are left out, so that hours take an hour. */
export function frameOf(text: string): number {
  const [, hours, minutes, seconds, mark, frames] = code.exec(text) ?? [];
  if (hours === undefined) {
    throw new CaptionError(`Expected time codes of SCC such as 01:00:00;00: found "${text.slice(0, 40)}"`);
  }
  const whole = Number(hours) * 60 + Number(minutes);
  const dropped = mark === ':' ? 0 : 2 * (whole - Math.floor(whole / 10));
  return (whole * 60 + Number(seconds)) * 30 + Number(frames) - dropped;
}

/** The same the other way round, with the numbers that are left out. */
export function frameText(frame: number): string {
  const [tens, rest] = [Math.floor(frame / 17_982), frame % 17_982];
  const number = frame + tens * 18 + (rest < 1800 ? 0 : 2 * (1 + Math.floor((rest - 1800) / 1798)));
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${two(number / 108_000)}:${two((number / 1800) % 60)}:${two((number / 30) % 60)};${two(number % 30)}`;
}

export const frameCode = (frame: number): string => `${frame}@${base}`;
