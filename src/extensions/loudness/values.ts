import type { LevelRow } from './store.ts';

/** Decibels of what is no sound. */
const quietest = -100;

/** A part of the sound, in seconds, and in how many values it is told. */
interface Shown {
  readonly start: number;
  readonly end: number;
  readonly width: number;
  readonly inDecibels: boolean;
}

/** The largest amplitude of each of so many parts, one behind the other. */
export function waveformValues({ bucket, levels }: LevelRow, { start, end, width, inDecibels }: Shown): number[] {
  const view = new DataView(levels.buffer, levels.byteOffset, levels.byteLength);
  const count = Math.floor(levels.byteLength / 2);
  const step = (end - start) / width;
  return Array.from({ length: width }, (_, at) => {
    const first = Math.max(0, Math.floor((start + at * step) / bucket));
    const last = Math.min(count, Math.max(first + 1, Math.ceil((start + (at + 1) * step) / bucket - 1e-9)));
    let largest = 0;
    for (let index = first; index < last; index++) largest = Math.max(largest, view.getUint16(index * 2, true));
    const value = largest / 65_535;
    if (!inDecibels) return Math.round(value * 1e5) / 1e5;
    return value > 0 ? Math.max(quietest, Math.round(2000 * Math.log10(value)) / 100) : quietest;
  });
}
