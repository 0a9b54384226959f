import type { Clock } from '../../core/lib/clock.ts';
import type { Secret } from '../../core/lib/secret.ts';
import { numberOfKey } from '../../core/lib/vault.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { findCounter, keepCounter, keyCounter, newestEvent, setCounter } from './store.ts';

/** Whether secrets that are stored can be read. `none`: there is no key, and there never was one. */
type KeyState = 'known' | 'other' | 'missing' | 'none';

/** Compares the key with the one that the database was first used with. */
export async function stateOfKey(reader: Reader, secretKey: Secret | undefined): Promise<KeyState | 'new'> {
  const [row, number] = await Promise.all([
    findCounter(reader, { name: keyCounter }),
    secretKey && numberOfKey(secretKey),
  ]);
  if (number === undefined) return row ? 'missing' : 'none';
  if (!row) return 'new';
  return row.value === number ? 'known' : 'other';
}

/** As `stateOfKey`. The first key is noted: that of a new database, and of one from before there was a note. */
export async function noteKey(store: Store, secretKey: Secret | undefined): Promise<KeyState> {
  const state = await stateOfKey(store, secretKey);
  if (state !== 'new') return state;
  const note = keepCounter({ name: keyCounter, value: await numberOfKey(secretKey!) });
  await store.commit(changing(note), systemActor);
  return noteKey(store, secretKey);
}

/** Takes this key for the right one. What is stored under another one stays unreadable. */
export async function acceptKey(store: Store, secretKey: Secret): Promise<void> {
  const value = await numberOfKey(secretKey);
  await store.commit(changing(setCounter({ name: keyCounter, value })), systemActor);
}

/** Sentence with the way out where stored secrets cannot be read. Undefined: they can. */
export function keyDefect(state: KeyState | 'new'): string | undefined {
  if (state !== 'other' && state !== 'missing') return undefined;
  const key = state === 'other' ? 'another one' : 'none';
  return `Expected the secret key that this database was first used with, found ${key}: stored passwords, keys and apps for codes cannot be read. Bring secret.key or PORTICO_SECRET_KEY back, or run "portico accept-key" and store the secrets again`;
}

/** Instances need not agree to the second. */
const tolerance = 5 * 60_000;

/** Undefined: the clock goes on from what the database has. */
export async function clockDefect(reader: Reader, clock: Clock): Promise<string | undefined> {
  const now = clock.now();
  const newest = (await newestEvent(reader, {}))?.at ?? now;
  if (newest - now <= tolerance) return undefined;
  const [is, was] = [now, newest].map((time) => new Date(time).toISOString());
  return `Expected a clock that goes on from the newest change, of ${was}: it says ${is}. Set it: until then logins and leases end late, and new changes are listed as older ones`;
}
