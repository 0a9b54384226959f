/** Speeds of J, K and L. Below 0 the film runs backwards. */
const ladder = [-4, -2, -1, 0, 1, 2, 4] as const;
export type Speed = (typeof ladder)[number];

/** The next speed after a key: L one faster, J one slower and then backwards, K stops. */
export function shuttled(speed: number, key: 'j' | 'k' | 'l'): Speed {
  if (key === 'k') return 0;
  const at = ladder.indexOf(speed as Speed);
  const next = (at < 0 ? ladder.indexOf(0) : at) + (key === 'l' ? 1 : -1);
  return ladder[Math.min(ladder.length - 1, Math.max(0, next))]!;
}

/** A part of a film, in frames. Its end is not a part of it. */
export interface Marks {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Sets the in point. An out point that lies before it is taken away. */
export const withIn = ({ to }: Marks, frame: number): Marks => ({
  from: frame,
  to: to !== undefined && to > frame ? to : undefined,
});

/** Sets the out point behind a frame. An in point that lies behind it is taken away. */
export const withOut = ({ from }: Marks, frame: number): Marks => ({
  from: from !== undefined && from <= frame ? from : undefined,
  to: frame + 1,
});
