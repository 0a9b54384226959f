import type { Clock } from '../lib/clock.ts';
import type { Lease, Piece } from './kind.ts';

/** A piece that this instance holds, until when, and how its work is ended. */
export interface Leased<P extends Piece = Piece> {
  readonly piece: P;
  readonly stop: AbortController;
  until: number;
  /** When the part of it began that is done just now. */
  since: number;
}

/**
 * Moves the end of the leases on while their pieces are worked on, so that a lease can be short and a call long. Work on
 * a piece that was lost is ended at once, also where the database does not answer: another instance may have begun with it.
 */
export async function keepLeases<P extends Piece>(
  held: ReadonlyMap<string, Leased<P>>,
  { milliseconds, renew, lost }: Lease<P>,
  clock: Clock,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await clock.sleep(milliseconds / 3, over);
    } catch {
      return;
    }
    await Promise.all(
      [...held.values()].map(async (leased) => {
        const until = clock.now() + milliseconds;
        try {
          await renew(leased.piece, until);
          leased.until = until;
        } catch (error) {
          // The next turn would come too late to see its end.
          if (error === lost || clock.now() + milliseconds / 3 >= leased.until) leased.stop.abort(lost);
        }
      }),
    );
  }
}
