/** The part of the film that the timeline shows, in seconds. */
export interface View {
  readonly from: number;
  readonly to: number;
}

export const shareAt = ({ from, to }: View, seconds: number): number =>
  to > from ? (seconds - from) / (to - from) : 0;
export const secondsAt = ({ from, to }: View, share: number): number => from + share * (to - from);

/** Shows more or less around a time, which stays where it is. Never less than `least` seconds, never more than all. */
export function zoomed(view: View, by: number, around: number, duration: number, least: number): View {
  const length = Math.min(duration, Math.max(least, (view.to - view.from) / by));
  const share = Math.min(1, Math.max(0, shareAt(view, around)));
  return placed(around - share * length, length, duration);
}

/** Moves the view so that a time is in it. */
export function showing(view: View, seconds: number, duration: number): View {
  if (seconds >= view.from && seconds <= view.to) return view;
  const length = view.to - view.from;
  return placed(seconds - length * 0.1, length, duration);
}

function placed(from: number, length: number, duration: number): View {
  const begin = Math.min(Math.max(0, from), Math.max(0, duration - length));
  return { from: begin, to: begin + length };
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

/** Times of the marks of a ruler, at whole steps, and not more of them than `max`. */
export function ticks({ from, to }: View, max: number, frame: number): readonly number[] {
  const length = to - from;
  if (!(length > 0)) return [];
  const fine = [1, 2, 5, 10].map((frames) => frames * frame).filter((step) => step < 1);
  const step = [...fine, ...steps].find((each) => length / each <= max) ?? Math.ceil(length / max / 3600) * 3600;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_tick, at) => (first + at) * step);
}

/** The greatest value in each of `count` parts of a view, over all tracks. `values` cover the whole duration. */
export function peaks(
  tracks: readonly (readonly number[])[],
  { from, to }: View,
  duration: number,
  count: number,
): readonly number[] {
  return Array.from({ length: count }, (_bin, bin) => {
    let max = 0;
    for (const values of tracks) {
      const at = (share: number) => (secondsAt({ from, to }, share) / duration) * values.length;
      const end = Math.min(values.length, Math.max(Math.floor(at(bin / count)) + 1, Math.ceil(at((bin + 1) / count))));
      for (let index = Math.max(0, Math.floor(at(bin / count))); index < end; index++) {
        max = Math.max(max, Math.abs(values[index]!));
      }
    }
    return max;
  });
}

/** The next stop after a frame, or the one before. Undefined: there is none. */
export function stopBeside(stops: readonly number[], frame: number, step: 1 | -1): number | undefined {
  const beyond = stops.filter((each) => (step === 1 ? each > frame : each < frame));
  return beyond.length === 0 ? undefined : step === 1 ? Math.min(...beyond) : Math.max(...beyond);
}
