import { isWithin, parseAddress, type Range } from '../lib/address.ts';
import { readTarget, withoutDot } from '../lib/target.ts';
import { OutboundError } from './error.ts';
import { classify } from './ranges.ts';

/** The setting that a refusal names. */
const setting = 'PORTICO_OUTBOUND_ALLOW';

interface AddressPolicy {
  /** The addresses of a host that the service may connect to. Throws `blocked` when no address is left. */
  permitted(host: string, addresses: readonly string[]): readonly string[];
  /** Why it may not connect to an address of a host. Undefined: it may. */
  refusal(host: string, address: string): string | undefined;
}

const noMetadata = (found: string): string => `Expected an address of no metadata service: ${found}`;

/** Permits public addresses and the entries of the list. Each entry opens itself and nothing else. */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const ranges: Range[] = [];
  const names = new Set<string>();
  for (const entry of allow) {
    const target = readTarget(entry);
    if (target === undefined) throw new Error(`Expected a range, an address or a host name: "${entry}"`);
    if (typeof target === 'string') names.add(target);
    else ranges.push(target);
  }

  function refusal(host: string, text: string): string | undefined {
    const address = parseAddress(text);
    if (!address) return `Expected an address of "${host}" that can be read`;
    const { kind, says } = classify(address);
    const place = `"${text}" (${says})${host === text ? '' : ` of "${host}"`}`;
    if (kind === 'metadata') return noMetadata(place);
    if (kind === 'public' || names.has(host) || ranges.some((range) => isWithin(address, range))) return undefined;
    return `Expected an address that ${setting} lists: ${place}`;
  }

  function permitted(given: string, addresses: readonly string[]): readonly string[] {
    const host = withoutDot(given);
    const allowed: string[] = [];
    let why: string | undefined;
    for (const address of addresses) {
      const refused = refusal(host, address);
      if (refused === undefined) allowed.push(address);
      else why ??= refused;
    }
    if (allowed.length === 0) throw new OutboundError('blocked', why ?? `Expected an address: none of "${host}"`);
    return allowed;
  }

  return { permitted, refusal };
}
