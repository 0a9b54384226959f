import type { Clock } from '../../src/core/lib/clock.ts';
import { prepareDueTimes } from '../../src/core/store/due.ts';
import { type Reader, sql } from '../../src/core/store/statement.ts';
import type { PieceContext, WorkKind } from '../../src/core/work/work-kind.ts';

/** Context of a piece that neither stops nor counts. */
export const held: PieceContext = {
  signal: new AbortController().signal,
  stop: () => undefined,
  mayGoOn: () => true,
  ending: (work) => work(),
  done: () => undefined,
  failed: () => undefined,
};

/** Takes one step of a kind that has them, if it is due. Gives the milliseconds until the next one is. */
export async function stepOf(kind: WorkKind, clock: Pick<Clock, 'now'>): Promise<number> {
  const rest = () => Math.max(0, (kind.dueHere?.(0) ?? 0) - clock.now());
  if (rest() > 0) return rest();
  for (const piece of await kind.claim(1, clock.now(), () => false)) await kind.do(piece, held);
  return rest();
}

type DueTimes = (kinds: readonly WorkKind[]) => () => Promise<(number | undefined)[]>;
/** Kinds without a database: each is always due. */
export const alwaysDue: DueTimes = (kinds) => async () => kinds.map(() => 0);

/** Due times in a database where nothing is switched off. */
export const dueTimesIn = (reader: Reader) => (kinds: readonly WorkKind[]) => {
  const read = prepareDueTimes(kinds, sql`SELECT '' LIMIT 0`);
  return () => read(reader);
};
