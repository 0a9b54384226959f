import type { Clock } from '../lib/clock.ts';
import type { WorkKind } from './kind.ts';

/** Milliseconds after which a kind that is off looks whether it is on again. */
const rest = 2_000;

/**
 * Makes a kind switchable by administrators. Switched off it claims no new pieces, on any instance. Running pieces
 * continue.
 */
export const switchable = (kind: WorkKind, isOff: (name: string) => Promise<boolean>, clock: Clock): WorkKind => ({
  ...kind,
  claim: async (most, now, isHeld) =>
    (await isOff(kind.name)) ? { pieces: [], looks: clock.now() + rest } : kind.claim(most, now, isHeld),
});
