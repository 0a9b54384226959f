import { filterComponents } from '../../../filters/index.ts';
import {
  type FilterRequestOptions,
  filterRequest,
  type TestHost,
  type TestHostOptions,
  testHost,
} from '../../../src/kit/testing/index.ts';
import type { Filter, OAuth2Configuration, OAuth2Setup, ServiceUser, Verdict } from '../../../src/spi/index.ts';
import { startOfTime } from '../../support/clock.ts';
import { audience, type Pair, spki } from '../../support/keys.ts';
import { headersOf, make, told } from '../support.ts';

export const users: readonly ServiceUser[] = [
  { name: 'alice', enabled: true },
  { name: 'bob', enabled: false },
];

export interface Bench {
  readonly filter: Filter;
  readonly host: TestHost;
  /** What the API says; a test may say something else. */
  setup: OAuth2Setup;
  ask(token: string, more?: FilterRequestOptions): Promise<Verdict>;
  /** The same in a line: `accept alice`, `401 token-expired`. */
  told(token: string, more?: FilterRequestOptions): Promise<string>;
}

export interface BenchOptions extends TestHostOptions {
  /** Properties of security.ini. */
  readonly ini?: Readonly<Record<string, unknown>>;
  /** What was written through the API. */
  readonly api?: OAuth2Configuration | undefined;
}

/** The bearer filter with a host whose time and network belong to the test. */
export async function bench({ ini = {}, api, ...options }: BenchOptions = {}): Promise<Bench> {
  const host = testHost({ name: 'oauth2Auth', start: startOfTime, ...options });
  const filter = await make(filterComponents['portico.OAuth2Filter']!, ini, host as never);
  const made: Bench = {
    filter,
    host,
    setup: { revision: api ? 1 : 0, configuration: api },
    ask: async (token, more) =>
      filter.check(
        filterRequest({ headers: { authorization: `Bearer ${token}` }, users, oauth2: made.setup, ...more }),
      ),
    told: async (token, more) => told(await made.ask(token, more)),
  };
  return made;
}

/** Static keys, as a document of the API has them. */
export const trusting = (...keys: readonly Pair[]): OAuth2Configuration => ({
  publicKey: keys.map((key) => spki(key).toString('base64')),
  expectedAudience: audience,
  tokenUser: 'user',
});

export const challengeOf = (verdict: Verdict): string | undefined => headersOf(verdict)['www-authenticate'];
