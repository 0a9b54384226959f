import { isWithin, parseAddress, parseRange } from '../lib/address.ts';
import type { Arrival } from '../security/pipeline.ts';

/** Where a request came from before it reached the proxies in front of this service. */
export type Forwarded = (headers: Headers, arrival: Arrival) => Arrival;

/**
 * Believes what proxies of these ranges say of a request: whom it came from, and whether over TLS. From anybody else
 * the same headers are what a caller makes up. Never the host: many proxies hand on what a caller says of it.
 */
export function createForwarded(trusted: readonly string[]): Forwarded {
  const ranges = trusted.map((text) => parseRange(text)!);
  if (ranges.length === 0) return (_, arrival) => arrival;

  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== undefined && ranges.some((range) => isWithin(address, range));
  };

  /** Each proxy puts whom it saw at the end: what stands before the first stranger is anybody's word. */
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
    return {
      rawTarget,
      refusal,
      body,
      address: callerOf(headers.get('x-forwarded-for') ?? '', address),
      secure: scheme === 'https' || (scheme !== 'http' && secure),
    };
  };
}

/** Some proxies tell the port, too. */
function addressOf(hop: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return parseAddress(address) ? address : undefined;
}
