import { readFileSync } from 'node:fs';
import { filterComponents } from '../../filters/index.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import {
  type FilterRequestOptions,
  filterRequest,
  type TestHost,
  type TestHostOptions,
  testHost,
} from '../../src/kit/testing/index.ts';
import type {
  Component,
  Credentials,
  Filter,
  FilterRequest,
  Host,
  LoginAnswer,
  OAuth2Configuration,
  OAuth2Setup,
  PropertyTable,
  ServiceUser,
  Verdict,
} from '../../src/spi/index.ts';
import { startOfTime } from '../support/clock.ts';
import { audience, type Pair, spki } from '../support/keys.ts';
import { filterDifferences } from './differences.ts';

type Given = Readonly<Record<string, unknown>>;

interface FilterHost extends Host {
  readonly lines: readonly (readonly [level: string, event: string])[];
  time: number;
}

/** Lends time that the test moves, and keeps the log. Whatever else a filter reached for would be missing. */
export function filterHost(name = 'filter'): FilterHost {
  const lines: [string, string][] = [];
  const host = {
    name,
    lines,
    time: 1_900_000_000_000,
    now: () => host.time,
    log: (level: string, event: string) => lines.push([level, event]),
  };
  return host as unknown as FilterHost;
}

/** Makes a filter as a reader of the INI does: unknown names and bad values are errors, fallbacks are filled in. */
export async function make(component: Component<Filter>, given: Given = {}, host = filterHost()): Promise<Filter> {
  return component.create(filled(component.properties ?? {}, given), host);
}

function filled(table: PropertyTable, given: Given): Given {
  for (const name of Object.keys(given)) if (!Object.hasOwn(table, name)) throw new Error(`unknown property ${name}`);
  const values: Record<string, unknown> = {};
  for (const [name, { type, fallback, check }] of Object.entries(table)) {
    const nested = typeof type === 'object' && 'nested' in type;
    const value = nested ? filled(type.nested, (given[name] ?? {}) as Given) : (given[name] ?? fallback);
    if (value === undefined) continue;
    const wrong = Object.hasOwn(given, name) ? check?.(value) : undefined;
    if (wrong) throw new Error(wrong);
    values[name] = value;
  }
  return values;
}

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly rawPath?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly address?: string | undefined;
  readonly port?: number;
  readonly secure?: boolean;
  readonly options?: unknown;
  /** Roles and permissions of a caller who is known. */
  readonly caller?: readonly string[] | undefined;
  login?(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
}

const nobody: LoginAnswer = { accepted: false, reason: 'unknown-user' };

export function requestOf(asked: Asked = {}): FilterRequest {
  const { method = 'GET', path = '/x', headers = {}, caller, secure = false, login = () => nobody } = asked;
  const has = async (name: string) => caller?.includes(name) ?? false;
  return {
    method,
    path,
    rawPath: asked.rawPath ?? path,
    headers: new Headers(headers),
    authorization: new Headers(headers).get('authorization'),
    address: 'address' in asked ? asked.address : '192.0.2.1',
    secure,
    port: asked.port ?? (secure ? 443 : 80),
    options: asked.options,
    caller: caller && { name: 'alice', hasRole: has, permissions: caller },
    secret: (text) => new Secret(text),
    login,
    query: asked.query,
    findUser: () => undefined,
    oauth2: () => ({ revision: 0, configuration: undefined }),
  };
}

/** Lets in alice with the password `p`, and the tokens that are `good`. */
export function onlyAlice(credentials: Credentials): LoginAnswer {
  const good =
    credentials.kind === 'password'
      ? credentials.user === 'alice' && credentials.password.reveal() === 'p'
      : credentials.token.reveal() === 'good';
  return good ? { accepted: true, account: { name: 'alice' } } : { accepted: false, reason: 'wrong-password' };
}

/** A verdict in a line: `pass`, `accept alice`, `401 credentials-missing`. */
export function told(verdict: Verdict): string {
  if (verdict.verdict === 'accept') return `accept ${verdict.account.name}`;
  return verdict.verdict === 'pass' ? 'pass' : `${verdict.response.status} ${verdict.reason}`;
}

/** Reads the words in the brackets as at start, then asks. */
export async function ask(filter: Filter, words: readonly string[] | undefined, asked: Asked = {}): Promise<Verdict> {
  const options = words === undefined ? undefined : filter.options?.(words);
  return filter.check(requestOf({ ...asked, options }));
}

export function headersOf(verdict: Verdict): Readonly<Record<string, string>> {
  return verdict.verdict === 'refuse' ? verdict.response.headers : {};
}

export interface Vector {
  readonly id: string;
  readonly suite: string;
  // biome-ignore lint/suspicious/noExplicitAny: each suite has a form of its own
  readonly input: any;
  readonly expected: unknown;
}

export function vectorsOf(file: string): readonly Vector[] {
  const lines = readFileSync(new URL(`./vectors/${file}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const { suite, name, ref, input, expected } = JSON.parse(line);
    return { id: `${suite}/${name}@${ref}`, suite, input, expected };
  });
}

/** Cases that come out differently on purpose. One that does not, though the table says so, is an error of the table. */
export const differing: ReadonlySet<string> = new Set(filterDifferences.flatMap(({ vectors = [] }) => vectors));

export const users: readonly ServiceUser[] = [
  { name: 'alice', enabled: true },
  { name: 'bob', enabled: false },
];

export interface Bench {
  readonly filter: Filter;
  readonly host: TestHost;
  /** Setup that the API gives; a test may replace it. */
  setup: OAuth2Setup;
  ask(token: string, more?: FilterRequestOptions): Promise<Verdict>;
  /** The same in a line: `accept alice`, `401 token-expired`. */
  told(token: string, more?: FilterRequestOptions): Promise<string>;
}

export interface BenchOptions extends TestHostOptions {
  /** Properties of security.ini. */
  readonly ini?: Readonly<Record<string, unknown>>;
  /** Configuration written through the API. */
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
