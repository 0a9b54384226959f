import type { Filter, Host, Property, Verdict } from '../src/spi/index.ts';

export const pass: Verdict = { verdict: 'pass' };

export function refuse(reason: string, status: number, headers: Readonly<Record<string, string>> = {}): Verdict {
  return { verdict: 'refuse', reason, response: { status, headers } };
}

export const enabledProperty: Property = {
  type: 'boolean',
  fallback: true,
  says: 'False: the filter lets every request pass and authenticates nobody.',
};

/** A filter that is switched off reads its brackets all the same: their mistakes do not wait until it is switched on. */
export function switched(filter: Filter, enabled: boolean | undefined, host: Pick<Host, 'name' | 'log'>): Filter {
  if (enabled !== false) return filter;
  host.log('warn', 'filter-off', { filter: host.name });
  const { options } = filter;
  return { ...(options ? { options } : {}), inert: true, check: () => pass };
}

/** Property for an address in a header: visible ASCII. */
export function urlProperty(says: string, fallback?: string): Property {
  return {
    type: 'string',
    says,
    ...(fallback === undefined ? {} : { fallback }),
    check: (value: string) =>
      /^[\x21-\x7e]+$/.test(value) ? undefined : 'Expected a path or an address without blanks, in ASCII',
  };
}

/** `page` and `/page` are the same place, as they are to the original; an address stays what it is. */
export function redirect(reason: string, to: string): Verdict {
  return refuse(reason, 302, { location: /^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(to) ? to : `/${to}` });
}

const portNumber = /^[1-9]\d{0,4}$/;

/** The one word in the brackets of `port` and `ssl`. */
export function readPort(words: readonly string[]): number | undefined {
  const [word] = words;
  if (word === undefined) return undefined;
  if (words.length > 1 || !portNumber.test(word) || Number(word) > 65_535) {
    throw new Error(`Expected one port from 1 to 65535, found "${words.join(', ')}"`);
  }
  return Number(word);
}

export function portProperty(fallback: number): Property {
  return {
    type: 'integer',
    fallback,
    says: 'The port if the brackets name none.',
    check: (value: number) => (value >= 1 && value <= 65_535 ? undefined : 'Expected a port from 1 to 65535'),
  };
}
