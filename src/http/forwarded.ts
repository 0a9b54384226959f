import { isWithin, parseAddress, parseRange } from '../core/lib/address.ts';
import type { Arrival } from '../security/arrival.ts';

/** Determines the origin of a request before the proxies of this service. */
export type Forwarded = (headers: Headers, arrival: Arrival) => Arrival;

/**
 * Reader of proxy headers: address of the caller and TLS. Headers of other senders are ignored, as they may be forged.
 * The host is never read: many proxies pass on the client's.
 */
export function createForwarded(trusted: readonly string[]): Forwarded {
  const ranges = trusted.map((text) => parseRange(text)!);
  if (ranges.length === 0) return (_, arrival) => arrival;

  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && ranges.some((range) => isWithin(address, range));
  };

  /**
   * Address of the caller. Each proxy appends the address it saw: entries before the first untrusted one may be forged.
   */
  function callerOf(hops: string, proxy: string): string {
    let caller = proxy;
    for (const hop of hops.split(',').reverse()) {
      const address = addressOf(hop.trim());
      if (address === undefined) break;
      caller = address;
      if (!isTrusted(caller)) break;
    }
    return caller;
  }

  return (headers, arrival) => {
    const { rawTarget, address, secure, refusal, body } = arrival;
    // The service has looked at the proxies when it kept the request.
    if (arrival.as) return arrival;
    if (address === undefined || !isTrusted(address)) return arrival;
    const scheme = (headers.get('x-forwarded-proto') ?? '').split(',').at(-1)!.trim().toLowerCase();
    const hops = headers.get('x-forwarded-for');
    return {
      rawTarget,
      refusal,
      body,
      address: callerOf(hops ?? '', address),
      // Programs on the machine of a proxy have its address, and no such header.
      isForwarded: hops !== null,
      secure: scheme === 'https' || (scheme !== 'http' && secure),
    };
  };
}

/** Some proxies tell the port, too. */
function addressOf(hop: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return parseAddress(address) ? address : undefined;
}
