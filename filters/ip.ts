import { isWithin, parseAddress, parseRange, type Range } from '../src/kit/index.ts';
import type { Component, Filter, Property } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse, switched } from './answers.ts';

interface IpProperties {
  readonly authorizedIps?: readonly string[] | undefined;
  readonly deniedIps?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

const denied = refuse('address-denied', 403);

/** Blanks divide, too: files that were written for the original use either. */
const entriesOf = (list: readonly string[] = []): string[] =>
  list.flatMap((entry) => entry.split(/\s+/)).filter((entry) => entry !== '');

const readRange = (entry: string): Range | undefined => parseRange(entry, 'ignored');

const rangesOf = (list: readonly string[] | undefined): Range[] =>
  entriesOf(list).flatMap((entry) => readRange(entry) ?? []);

function ranges(says: string): Property {
  return {
    type: 'list',
    says,
    check(list: readonly string[]) {
      const bad = entriesOf(list).find((entry) => !readRange(entry));
      return bad === undefined
        ? undefined
        : `Expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32, found "${bad}"`;
    },
  };
}

/** Filter by the address of the caller, from the socket or a trusted proxy. An unknown address is refused. */
export const ip: Component<Filter> = {
  says: 'Lets requests pass from authorized addresses that are not denied. Without addresses it refuses all requests.',
  properties: {
    authorizedIps: ranges('Addresses and ranges that may pass.'),
    deniedIps: ranges('Those among them that may not.'),
    enabled: enabledProperty,
  },
  create(properties: IpProperties, host) {
    const authorized = rangesOf(properties.authorizedIps);
    const refused = rangesOf(properties.deniedIps);
    const filter: Filter = {
      check(request) {
        const address = parseAddress(request.address ?? '');
        const isIn = (range: Range) => address !== undefined && isWithin(address, range);
        return authorized.some(isIn) && !refused.some(isIn) ? pass : denied;
      },
    };
    return switched(filter, properties.enabled, host);
  },
};
