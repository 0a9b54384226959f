import { hash } from 'node:crypto';
import type { Clock } from '../../../src/core/lib/clock.ts';
import { hasher } from '../../../src/entry/crypto.ts';
import type { Ask } from '../../../src/entry/migrate/calls.ts';
import type { MigrationOptions } from '../../../src/entry/migrate/carry.ts';
import type { StateFolder } from '../../../src/entry/migrate/journal.ts';
import { type MigrationRequest, migrate, reachOriginal } from '../../../src/entry/migrate/run.ts';
import { type MemoryStorage, memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { testRandom } from '../../support/random.ts';
import { admin, memoryPlugin, type ServiceOptions } from '../../support/service.ts';

/** A folder in memory, as a killed process leaves it. */
export interface MemoryState extends StateFolder {
  readonly files: Map<string, string>;
}

export function memoryState(files = new Map<string, string>()): MemoryState {
  return {
    files,
    async *lines(name) {
      let offset = 0;
      for (const text of (files.get(name) ?? '').split('\n')) {
        yield { text, offset, length: text.length };
        offset += text.length + 1;
      }
    },
    lineAt: async (name, { offset, length }) => (files.get(name) ?? '').slice(offset, offset + length),
    async append(name, text) {
      const before = files.get(name) ?? '';
      const begin = before === '' || before.endsWith('\n') ? before : `${before}\n`;
      files.set(name, `${begin}${text}\n`);
      return { offset: begin.length, length: text.length };
    },
    write: async (name, text) => void files.set(name, text),
  };
}

/** Time passes as soon as somebody waits for it, and no answer is late unless the clock is impatient. */
export function hastyClock(): Clock & { readonly slept: number[]; isPatient: boolean } {
  let now = Date.UTC(2030, 0, 1);
  const slept: number[] = [];
  return {
    slept,
    isPatient: true,
    now: () => now,
    sleep(milliseconds, signal) {
      if (this.isPatient && milliseconds >= 120_000)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      now += milliseconds;
      slept.push(milliseconds);
      return Promise.resolve();
    },
  };
}

/** Requests of an administrator to a service, by its Fetch entry. */
export const askOf =
  ({ service }: World): Ask =>
  async (path, init) => {
    const headers = { ...(init.headers as object), authorization: `Basic ${btoa(admin.join(':'))}` };
    return service.fetch(new Request(`http://house/API${path}`, { ...init, headers } as RequestInit));
  };

/** The original, and a service beside it that sees the same bytes. */
export interface Houses {
  readonly from: World;
  readonly to: World;
  readonly storage: MemoryStorage;
}

export async function openHouses({
  to = {},
  from = {},
}: Partial<Record<'to' | 'from', ServiceOptions>> = {}): Promise<Houses> {
  const clock = testClock();
  const storage = memoryStorage(() => clock.now());
  const plugins = [memoryPlugin(storage)];
  return {
    storage,
    from: await openWorld('fetch', { clock, plugins, ...from }),
    to: await openWorld('fetch', { clock: testClock(), plugins, settings: { firstId: 1_000_000 }, ...to }),
  };
}

const options: MigrationOptions = {
  lanes: 1,
  without: new Set(),
  isFinal: false,
  deletes: false,
  page: undefined,
  storages: new Map(),
};

export type Given = Partial<Omit<MigrationRequest, 'options'>> & { readonly options?: Partial<MigrationOptions> };

export function requestOf({ from, to }: Pick<Houses, 'from' | 'to'>, given: Given = {}): MigrationRequest {
  return {
    from: { address: 'http://old/API', ask: askOf(from) },
    to: { address: 'http://new/API', ask: askOf(to) },
    folder: memoryState(),
    clock: hastyClock(),
    random: testRandom(),
    signal: new AbortController().signal,
    rate: 1_000,
    digest: (text) => hash('sha256', text, 'base64url').slice(0, 16),
    newHasher: () => hasher('SHA-1'),
    tell: () => undefined,
    ...given,
    options: { ...options, ...given.options },
  };
}

export const run = async (request: MigrationRequest) => migrate(request, await reachOriginal(request));

/** The answer of the n-th change never arrives, and nothing after it: the process is gone. */
export const killedAt = (houses: Pick<Houses, 'to'>, number: number) => {
  const killed = new AbortController();
  const ask = askOf(houses.to);
  let writes = 0;
  return {
    signal: killed.signal,
    to: {
      address: 'http://new/API',
      async ask(path: string, init: RequestInit) {
        const isWrite = init.method !== 'GET' && init.method !== undefined;
        const answer = await ask(path, { ...init, signal: null });
        if (isWrite && ++writes === number) killed.abort(new Error('Killed'));
        killed.signal.throwIfAborted();
        return answer;
      },
    },
  };
};

/** Counts and notes of a run that a person would read first. */
export const outcomeOf = ({
  failure,
  kind,
}: Awaited<ReturnType<typeof run>>): { failure: readonly object[]; made: Record<string, number> } => ({
  failure,
  made: Object.fromEntries(kind.map((each) => [each.kind, each.made])),
});
