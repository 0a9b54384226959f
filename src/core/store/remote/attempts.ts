import type { Clock } from '../../lib/clock.ts';
import { CallsUsedUp } from '../../lib/errors.ts';
import type { Random } from '../../lib/random.ts';
import { kindOfFault, messageOf, refusalOf } from '../faults.ts';
import type { Breaker } from './breaker.ts';
import { RemoteFault } from './hrana.ts';
import { StreamEnded } from './streams.ts';

export interface AttemptSettings {
  readonly clock: Clock;
  readonly random: Random;
  /** Number of attempts of one call until its caller is refused. */
  readonly attempts: number;
  /** After so many milliseconds no further attempt is made. */
  readonly patience: number;
  /** The pause after the first attempt; it doubles, up to sixteen times that. */
  readonly pause: number;
  /** Tells whether the server hangs: another attempt to read would only wait as long. */
  readonly breaker: Breaker;
}

const maxLength = 4;

/** Random delay between half and all of the step, so that instances spread out. */
function pauseAfter(attempt: number, { random, pause }: AttemptSettings): number {
  const share = random.bytes(1)[0]! / 255;
  return pause * 2 ** Math.min(attempt - 1, maxLength) * (0.5 + share / 2);
}

/** A definite answer about a statement: repeating the call would only repeat it. */
export function isAnswer(error: unknown): boolean {
  const kind = kindOfFault(error);
  return kind === 'constraint' || kind === 'bad-sql';
}

/** Set when a call got no answer: it may have been carried out, or may still be on its way. */
interface Doubt {
  ambiguous: boolean;
}

/** `read` changes nothing. A `marked` change happens once, however often it is sent. */
type CallKind = 'read' | 'marked' | 'unmarked';

/** The refusal of a change whose answer is missing says so. */
export const unreachable = (problem: string, isRead: boolean) =>
  refusalOf(
    'unavailable',
    `The database cannot be reached: ${problem}${isRead ? '' : '; a change may have been made'}`,
  );

/**
 * Repeats a call while the server is busy, because nothing was changed. Repeats an unmarked change for an unreachable
 * server never. A definite answer about a statement is rethrown unchanged.
 */
export async function persist<T>(
  call: () => Promise<T>,
  settings: AttemptSettings,
  kind: CallKind,
  doubt: Doubt = { ambiguous: false },
): Promise<T> {
  const giveUp = settings.clock.now() + settings.patience;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (isAnswer(error) || error instanceof CallsUsedUp) throw error;
      const busy = kindOfFault(error) === 'busy';
      const final = error instanceof RemoteFault && error.isFinal && !busy;
      const ended = error instanceof StreamEnded;
      if (!busy && !final && !(ended && error.isRefused)) doubt.ambiguous = true;
      if (final) throw unreachable(messageOf(error), true);
      // A change is sent again, so that it is known whether it was made, although its request was answered meanwhile.
      const hangs = kind === 'read' && settings.breaker.isOpen;
      const last = attempt >= settings.attempts || settings.clock.now() >= giveUp || hangs;
      if (last || (doubt.ambiguous && kind === 'unmarked')) {
        if (!doubt.ambiguous) throw refusalOf('busy', 'The database is busy');
        throw unreachable(messageOf(error), kind === 'read');
      }
      // Another stream is there at once.
      if (!ended) await settings.clock.sleep(pauseAfter(attempt, settings));
    }
  }
}
