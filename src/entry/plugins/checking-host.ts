import { systemClock } from '../../core/lib/clock.ts';
import { systemRandom } from '../../core/lib/random.ts';
import { createOutbound } from '../../core/outbound/outbound.ts';
import type { Host } from '../../spi/index.ts';
import { hasher, keyedDigest, scrypt } from '../crypto.ts';
import { hostWire } from '../wire.ts';

/** For objects that are made only to be looked at. */
export const checkingHost: Omit<Host, 'name'> = {
  now: () => systemClock.now(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
  randomBytes: (length) => systemRandom.bytes(length),
  fetch: (...given) => fetch(...given),
  ...createOutbound({ wire: hostWire(), allow: [], clock: systemClock }),
  scrypt,
  digest: keyedDigest(),
  hasher,
  sharesWork: true,
  log: () => undefined,
};
