import { CaptionError } from './cue.ts';

/** Real frames per second. Time codes count 30. */
export const sccRate = 30_000 / 1001;

/** Time base of SCC time codes. */
const base = '30000:1001';

const code = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2})$/;

/** Frame number of a time code. A semicolon before the frames marks drop-frame: skipped numbers keep hours exact. */
export function sccFrame(text: string): number {
  const [, hours, minutes, seconds, mark, frames] = code.exec(text) ?? [];
  if (hours === undefined) {
    throw new CaptionError(`Expected time codes of SCC such as 01:00:00;00: found "${text.slice(0, 40)}"`);
  }
  const whole = Number(hours) * 60 + Number(minutes);
  const dropped = mark === ':' ? 0 : 2 * (whole - Math.floor(whole / 10));
  return (whole * 60 + Number(seconds)) * 30 + Number(frames) - dropped;
}

/** Drop-frame time code of a frame number. */
export function frameText(frame: number): string {
  const [tens, rest] = [Math.floor(frame / 17_982), frame % 17_982];
  const number = frame + tens * 18 + (rest < 1800 ? 0 : 2 * (1 + Math.floor((rest - 1800) / 1798)));
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${two(number / 108_000)}:${two((number / 1800) % 60)}:${two((number / 30) % 60)};${two(number % 30)}`;
}

export const frameCode = (frame: number): string => `${frame}@${base}`;
