import type { Clock } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import { kindOfFault, messageOf, refusalOf } from '../faults.ts';
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
}

const longest = 4;

/** Random delay between half and all of the step, so that instances spread out. */
function pauseAfter(attempt: number, { random, pause }: AttemptSettings): number {
  const share = random.bytes(1)[0]! / 255;
  return pause * 2 ** Math.min(attempt - 1, longest) * (0.5 + share / 2);
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

/**
 * Repeats a call while the server is busy, because nothing was changed. Repeats it for an unreachable server only if it
 * is `repeatable`. A definite answer about a statement is rethrown unchanged.
 */
export async function persist<T>(
  call: () => Promise<T>,
  settings: AttemptSettings,
  repeatable: boolean,
  doubt: Doubt = { ambiguous: false },
): Promise<T> {
  const giveUp = settings.clock.now() + settings.patience;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (isAnswer(error)) throw error;
      const busy = kindOfFault(error) === 'busy';
      const final = error instanceof RemoteFault && error.isFinal && !busy;
      const ended = error instanceof StreamEnded;
      if (!busy && !final && !(ended && error.isRefused)) doubt.ambiguous = true;
      const explanation = `The database cannot be reached: ${messageOf(error)}`;
      if (final) throw refusalOf('unavailable', explanation);
      const last = attempt >= settings.attempts || settings.clock.now() >= giveUp;
      if (last || (doubt.ambiguous && !repeatable)) {
        if (!doubt.ambiguous) throw refusalOf('busy', 'The database is busy');
        throw refusalOf('unavailable', `${explanation}; a change may have been made`);
      }
      // Another stream is there at once.
      if (!ended) await settings.clock.sleep(pauseAfter(attempt, settings));
    }
  }
}
