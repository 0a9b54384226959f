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
