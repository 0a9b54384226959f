import { md5, sha1 } from '@noble/hashes/legacy.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { createOutbound } from '../../core/outbound/outbound.ts';
import { fetchWire } from '../../core/outbound/wire.ts';
import type { CredentialsMatcher, Host } from '../../spi/index.ts';
import { type ManualClock, manualClock, seededRandom } from './clock.ts';
import { textOf } from './leaks.ts';
import { broken } from './result.ts';

/** Network of a test: it answers requests. */
export type Backend = (request: Request) => Promise<Response> | Response;

export interface TestHost extends Host {
  readonly clock: ManualClock;
  /** Lines of the log, each as one text. */
  readonly logged: readonly string[];
  /** Requests over `fetch`, `call` and `stream`. Their bodies are still readable. */
  readonly requests: readonly Request[];
  /** Counters of slow work. */
  readonly counts: { scrypt: number; matches: number };
  /** Number of running operations of the host or its backend. The clock should not advance meanwhile. */
  readonly busy: number;
  /** Milliseconds of real time for any wait of a suite. */
  readonly patience: number;
}

export interface TestHostOptions {
  readonly name?: string;
  /** Initial time of the clock. */
  readonly start?: number;
  readonly seed?: number;
  /** Without it, nothing can be reached. */
  readonly backend?: Backend | undefined;
  readonly patience?: number | undefined;
  /** A faster one than that in JavaScript. */
  readonly scrypt?: Host['scrypt'] | undefined;
  /** False: as on an edge. */
  readonly sharesWork?: boolean;
}

const unreachable: Backend = () => Promise.reject(new TypeError('fetch failed'));

/** Error for a redirect mode that always fails on the edge, so the kit lets it fail everywhere. */
const noRedirectError = `Expected redirect: 'manual', because workerd has no "error"`;

/** A host whose time, chance, network and log belong to the test. */
export function testHost(options: TestHostOptions = {}): TestHost {
  const { name = 'example', start, seed = 1, backend = unreachable, scrypt = slowHash } = options;
  const { patience = 5_000, sharesWork = true } = options;
  const clock = manualClock(start);
  const random = seededRandom(seed);
  const logged: string[] = [];
  const requests: Request[] = [];
  const counts = { scrypt: 0, matches: 0 };
  let busy = 0;
  const atWork = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++;
    try {
      return await work();
    } finally {
      busy--;
    }
  };
  const fetchOnce: Host['fetch'] = async (input, init) => {
    const request = new Request(input, init);
    if (request.redirect === 'error') throw new TypeError(noRedirectError);
    // Node does not abort a request that was garbage-collected, and a backend may hold its signal alone.
    init?.signal?.addEventListener('abort', () => void request, { once: true });
    requests.push(request.clone());
    request.signal.throwIfAborted();
    return followed(
      request,
      await untilAborted(
        request.signal,
        atWork(async () => backend(request)),
      ),
    );
  };
  return {
    name,
    clock,
    logged,
    requests,
    counts,
    patience,
    get busy() {
      return busy;
    },
    now: clock.now,
    sleep: clock.sleep,
    randomBytes: random.bytes,
    fetch: fetchOnce,
    ...createOutbound({ wire: fetchWire(fetchOnce), allow: [], clock }),
    scrypt(...input) {
      counts.scrypt++;
      return atWork(() => scrypt(...input));
    },
    hasher(algorithm) {
      const running = algorithms[algorithm].create();
      return { update: (bytes) => void running.update(bytes), hex: () => bytesToHex(running.digest()) };
    },
    digest: (text) => bytesToHex(sha256(utf8ToBytes(`${seed}:${text}`))),
    sharesWork,
    log: (level, event, fields = {}) => void logged.push(textOf({ level, event, ...fields })),
  };
}

/** In JavaScript: the host runs anywhere. */
const algorithms = { 'SHA-1': sha1, 'SHA-256': sha256, MD5: md5 } as const;

const slowHash: Host['scrypt'] = (password, salt, { cost, block, parallel }, length) =>
  scryptAsync(password, salt, { N: 2 ** cost, r: block, p: parallel, dkLen: length });

/** Rejects on abort like a real `fetch`, whatever the work does. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** A call that follows redirects gets a page that does not answer the question. */
function followed(request: Request, response: Response): Response {
  if (response.status < 300 || response.status > 399 || request.redirect === 'manual') return response;
  return new Response('<html><body>Welcome</body></html>', { headers: { 'content-type': 'text/html' } });
}

/** Counts on the host how often it compares. */
export function countMatches(matcher: CredentialsMatcher, { counts }: Pick<TestHost, 'counts'>): CredentialsMatcher {
  return new Proxy(matcher, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...input: unknown[]): unknown => {
        if (key === 'matches') counts.matches++;
        return Reflect.apply(value, target, input);
      };
    },
  });
}

const realPause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits for the work while the time of the host moves on, much faster than real time. So code that waits for its own
 * timeout, or for a slow answer, reaches it. The clock stands still at first, and while the host computes.
 */
export async function ended<T>(work: Promise<T>, host: TestHost, { moving = true } = {}): Promise<T> {
  let done = false;
  const settled = () => {
    done = true;
  };
  work.then(settled, settled);
  const start = Date.now();
  // Immediate results arrive in these ticks, most of them without a timer.
  for (let turn = 0; turn < 20 && !done; turn++) await undefined;
  for (let turn = 0; turn < 5 && !done; turn++) await realPause(0);
  for (let turns = 0; !done; turns++) {
    const waited = Date.now() - start;
    // Turns count as well: on a busy machine time passes without a chance to answer.
    if (waited > host.patience && turns > host.patience / 10) broken('an end', `none within ${host.patience} ms`);
    await realPause(3);
    if (moving && waited > 10 && host.busy === 0 && host.clock.sleepers > 0) await host.clock.advance(500);
  }
  return work;
}
