import type { Clock } from '../lib/clock.ts';
import { Recent } from '../lib/recent.ts';
import { OutboundError } from './error.ts';
import type { Wire } from './wire.ts';

const rememberedFor = 10_000;
const most = 1_000;

/** The addresses of names, each looked up once for the calls of a few seconds. The address policy still checks remembered addresses at every call. */
interface Names {
  addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** No server answers at that address: calls try the other addresses first, until the next lookup of the name. */
  leaveOut(host: string, address: string): void;
  /** The next call looks the name up again. */
  forget(host: string): void;
}

export function createNames(resolve: NonNullable<Wire['resolve']>, clock: Clock): Names {
  const cache = new Recent<string, readonly string[]>(most);

  return {
    async addressesOf(host, signal) {
      const remembered = cache.get(host, clock.now());
      if (remembered) return remembered;
      let addresses: readonly string[];
      try {
        addresses = await resolve(host, signal);
      } catch (error) {
        throw new OutboundError('dns', `Expected a name that can be resolved: "${host}"`, error);
      }
      // A name without an address is refused.
      if (addresses.length === 0) throw new OutboundError('dns', `Expected a name that has an address: "${host}"`);
      cache.set(host, addresses, clock.now() + rememberedFor);
      return addresses;
    },

    leaveOut(host, address) {
      const left = cache.get(host, clock.now())?.filter((each) => each !== address);
      if (left) cache.set(host, left, clock.now() + rememberedFor);
    },

    forget(host) {
      cache.delete(host);
    },
  };
}
