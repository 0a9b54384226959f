import type {
  Credentials,
  Filter,
  FilterRequest,
  Host,
  KnownCaller,
  LoginAnswer,
  OAuth2Setup,
  ServiceUser,
  Verdict,
} from '../../spi/index.ts';
import { secretText } from './credentials.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import { broken, showValue } from './result.ts';

export interface FilterRequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly rawPath?: string;
  readonly query?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly address?: string | undefined;
  readonly secure?: boolean;
  readonly port?: number;
  /** Parsed brackets of the filter. */
  readonly options?: unknown;
  /** Caller accepted by an earlier filter. */
  readonly caller?: {
    readonly name?: string;
    readonly roles?: readonly string[];
    readonly permissions?: readonly string[];
  };
  /** Answers of the realms. Default: they refuse everyone. */
  login?(credentials: Credentials): Promise<LoginAnswer> | LoginAnswer;
  /** Users of the service. Default: none. */
  readonly users?: readonly ServiceUser[];
  /** OAuth2 configuration. Default: none. */
  readonly oauth2?: OAuth2Setup;
}

/** Request for a filter. Default: `GET /item` from 192.0.2.1 by an unknown caller. */
export function filterRequest(options: FilterRequestOptions = {}): FilterRequest {
  const { method = 'GET', path = '/item', secure = false } = options;
  const headers = new Headers(options.headers);
  return {
    method,
    path,
    rawPath: options.rawPath ?? `/API${path}`,
    query: options.query,
    headers,
    authorization: headers.get('authorization'),
    address: 'address' in options ? options.address : '192.0.2.1',
    secure,
    port: options.port ?? (secure ? 443 : 80),
    options: options.options,
    caller: options.caller && knownCaller(options.caller),
    secret: secretText,
    login: options.login ?? (() => ({ accepted: false, reason: 'unknown-user' })),
    findUser: (name) => options.users?.find((user) => user.name === name),
    oauth2: () => options.oauth2 ?? { revision: 0, configuration: undefined },
  };
}

function knownCaller({
  name = 'alice',
  roles = [],
  permissions = [],
}: NonNullable<FilterRequestOptions['caller']>): KnownCaller {
  return { name, permissions, hasRole: async (role) => roles.includes(role) };
}

/** A request that the filter is made for, and what it says to it. */
export interface FilterCase {
  readonly request: FilterRequestOptions;
  readonly verdict: Verdict['verdict'];
  /** The words in the brackets. */
  readonly words?: readonly string[];
  /** Time of the clock for the case. */
  readonly at?: number;
}

export interface FilterUnderTest {
  /** Makes a new filter: each promise gets one of its own. */
  make(host: Host): Promise<Filter> | Filter;
  readonly cases?: readonly FilterCase[] | undefined;
  /** Any word may stand in the brackets, as role names may. */
  readonly freeWords?: boolean | undefined;
  readonly backend?: Backend | undefined;
}

interface FilterTrial {
  readonly filter: Filter;
  readonly host: TestHost;
  /** Whether the realms were asked, all in all. */
  readonly asked: { count: number };
  check(request: FilterRequest): Promise<Verdict>;
}

export async function filterTrial(subject: FilterUnderTest, start?: number): Promise<FilterTrial> {
  const { backend } = subject;
  const host = testHost(start === undefined ? { backend } : { backend, start });
  const filter = await ended(Promise.resolve(subject.make(host)), host);
  const questions = { count: 0 };
  return {
    filter,
    host,
    asked: questions,
    async check(request) {
      const login = (...credentials: Parameters<FilterRequest['login']>) => {
        questions.count++;
        return request.login(...credentials);
      };
      const verdict: unknown = await ended(
        Promise.resolve().then(() => filter.check({ ...request, login })),
        host,
      );
      return verdictOf(verdict);
    },
  };
}

export class Junk extends Error {}

/** Validates an answer at runtime: the filter may ignore the types. */
function verdictOf(value: unknown): Verdict {
  const verdict = value as Verdict | null | undefined;
  if (verdict?.verdict === 'pass') return verdict;
  if (verdict?.verdict === 'accept' && typeof verdict.account?.name === 'string' && verdict.account.name !== '')
    return verdict;
  if (verdict?.verdict === 'refuse' && typeof verdict.response === 'object' && verdict.response !== null)
    return verdict;
  throw new Junk(showValue(value));
}

export function requestOf(
  { request, words }: Pick<FilterCase, 'request' | 'words'>,
  { filter }: FilterTrial,
): FilterRequest {
  if (words === undefined) return filterRequest(request);
  if (!filter.options) return broken('a filter that takes brackets (its case has words)', 'it has no method options');
  return filterRequest({ ...request, options: filter.options(words) });
}

const basic = (text: string): string => `Basic ${btoa(text)}`;

/** Says nothing about who is asking, however much it says. */
export const anonymous: readonly FilterRequestOptions[] = [
  {},
  { method: 'POST', path: '/user' },
  { method: 'DELETE', path: '/item/VX-1', address: undefined },
  { secure: true, query: 'user=admin&password=admin&token=admin' },
  { headers: { authorization: '' } },
  {
    headers: { 'x-forwarded-user': 'admin', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', runas: 'admin' },
  },
  { headers: { host: 'localhost', origin: 'http://localhost', cookie: 'session=admin' }, address: '127.0.0.1' },
];

/** Malformed credentials, which regular clients never send. */
export const odd: readonly FilterRequestOptions[] = [
  ...['Basic', 'Basic ', 'Basic !!!', basic('no colon'), basic(':'), basic('\0:\0'), basic('\xff\xfe:\xff')],
  ...[`Basic ${'A'.repeat(100_000)}`, 'basic basic basic', `${basic('a:b')}, ${basic('c:d')}`],
  ...['Bearer', 'Bearer a, Bearer b', 'Bearer \xe9', 'token', 'token  x', 'Digest username="x"', 'Negotiate abc', ','],
]
  .map((authorization): FilterRequestOptions => ({ headers: { authorization } }))
  .concat([
    { headers: { host: '[::1' } },
    { headers: { host: 'a:99999999' }, port: 0 },
    { headers: { 'content-length': '-1', 'content-type': ';;;', cookie: '='.repeat(10_000) } },
    { method: '\u00e9', path: '/', rawPath: '' },
    { method: 'get', path: `/${'x'.repeat(10_000)}`, rawPath: '/%00/..;/%2f' },
    { address: 'not an address' },
    { address: '::ffff:192.0.2.1%eth0' },
  ]);

/** Well-formed, and unknown to the realms. */
export const unknownCredentials: readonly FilterRequestOptions[] = [
  basic('nobody:wrong'),
  'Bearer abc.def.ghi',
  'token abcdef',
].map((authorization) => ({ headers: { authorization } }));
