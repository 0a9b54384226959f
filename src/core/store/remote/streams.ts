import type { Clock } from '../../lib/clock.ts';
import type { HranaRequest, HranaResult } from './hrana.ts';
import type { Stream } from './stream.ts';

interface StreamSettings {
  readonly clock: Pick<Clock, 'now'>;
  /** Streams at once. Further calls wait in turn. Left out: each call has a stream of its own, which ends with it. */
  readonly most?: number;
  open(): Stream;
}

interface Idle {
  readonly stream: Stream;
  readonly since: number;
}

/** Below the ten seconds after which a server drops a stream that nobody uses. */
const keptFor = 8_000;
const close: HranaRequest = { type: 'close' };

/** Streams that are used again. The one that was used last is the next: after a burst the others end by themselves. */
export class Streams {
  readonly #settings: StreamSettings;
  readonly #idle: Idle[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(settings: StreamSettings) {
    this.#settings = settings;
  }

  /** Sends what `requests` gives once there is a stream. `fresh`: in a stream that nothing was sent in before. */
  async send(requests: () => readonly HranaRequest[], fresh = false): Promise<readonly HranaResult[]> {
    const { most = Number.POSITIVE_INFINITY, open } = this.#settings;
    const keeps = Number.isFinite(most);
    if (this.#busy >= most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy++;
    try {
      const sent = requests();
      const stream = (fresh ? undefined : this.#kept()) ?? open();
      try {
        return await stream.send(keeps ? sent : [...sent, close]);
      } finally {
        if (keeps) this.#put(stream);
      }
    } finally {
      // A caller that waits takes the place over.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  }

  /** Tells the server that the streams are no longer used. It would drop them by itself. */
  close(): void {
    for (const { stream } of this.#idle.splice(0)) void stream.send([close]).catch(() => undefined);
  }

  #kept(): Stream | undefined {
    const last = this.#idle.pop();
    if (last && this.#settings.clock.now() - last.since < keptFor) return last.stream;
    // The others are older.
    this.#idle.length = 0;
    return undefined;
  }

  #put(stream: Stream): void {
    if (stream.isOpen) this.#idle.push({ stream, since: this.#settings.clock.now() });
    // Idle streams have probably ended like this one.
    else this.#idle.length = 0;
  }
}
