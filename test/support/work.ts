import type { Clock } from '../../src/lib/clock.ts';
import type { PieceContext, WorkKind } from '../../src/work/kind.ts';

/** What a hand is lent that neither stops nor counts. */
export const held: PieceContext = {
  signal: new AbortController().signal,
  mayGoOn: () => true,
  done: () => undefined,
  failed: () => undefined,
};

/** Takes one step of a kind that has them, if it is due. Gives the milliseconds until the next one is. */
export async function stepOf(kind: WorkKind, clock: Pick<Clock, 'now'>): Promise<number> {
  const { pieces } = await kind.claim(1, clock.now(), () => false);
  for (const piece of pieces) await kind.do(piece, held);
  const { looks = 0 } = await kind.claim(1, Number.NEGATIVE_INFINITY, () => false);
  return Math.max(0, looks - clock.now());
}
