import { ServiceError } from '../../../core/lib/errors.ts';

interface Limits {
  readonly maxEventStreams: number;
  readonly maxUserEventStreams: number;
}

export interface Holder {
  /** Account whose credentials the request had. */
  readonly account: string;
  /** Whether the request came with a session of the web page. */
  readonly isPage: boolean;
}

/** Share of all streams that only sessions of the web page get. */
const share = 5;

/** Places for open streams. No account takes those of others, and no program those of the web page. */
export function createPlaces({ maxEventStreams: most, maxUserEventStreams: mostOfUser }: Limits) {
  const taken = new Map<AbortController, Holder>();
  const forPrograms = most - Math.floor(most / share);

  /** Refuses a stream that finds no place. The place is free again when the stream ends. */
  function take(stream: AbortController, holder: Holder): void {
    const holders = [...taken.values()];
    if (holders.filter(({ account }) => account === holder.account).length >= mostOfUser)
      throw tooMany(mostOfUser, 'of one user', 'maxUserEventStreams');
    if (holders.length >= most) throw tooMany(most, 'of all callers', 'maxEventStreams');
    if (!holder.isPage && holders.filter(({ isPage }) => !isPage).length >= forPrograms)
      throw tooMany(forPrograms, 'without a session of the web page', 'maxEventStreams');
    taken.set(stream, holder);
    stream.signal.addEventListener('abort', () => taken.delete(stream), { once: true });
  }

  return {
    take,
    get size() {
      return taken.size;
    },
    /** Streams that are open now. */
    streams: (): readonly AbortController[] => [...taken.keys()],
  };
}

function tooMany(most: number, whose: string, setting: string): ServiceError {
  const explanation = `Expected at most ${most} connections that wait for events ${whose} (setting ${setting})`;
  return new ServiceError('busy', { explanation }, { 'Retry-After': '10' });
}
