import { after, type Maybe } from '../src/kit/index.ts';
import type { Credentials, Filter, FilterRequest, LoginAnswer, PropertyTable, Verdict } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse } from './answers.ts';
import { methodNames } from './methods.ts';

/** Properties of all filters that read the Authorization header. */
export interface SchemeProperties {
  readonly applicationName?: string | undefined;
  readonly authcScheme?: string | undefined;
  readonly authzScheme?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** Parsed words of the brackets. */
export interface Words {
  readonly permissive: boolean;
  /** Undefined: all methods. */
  readonly methods: ReadonlySet<string> | undefined;
}

/** Result of credentials. A refusal may extend the challenge, with fixed words, and add headers. `isUndecided`: nobody could say. */
export type SchemeAnswer = LoginAnswer & {
  readonly isUndecided?: boolean;
  readonly challenge?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export interface Scheme {
  /** Scheme at the beginning of the header, in any case. */
  readonly scheme: string;
  /** Scheme of the challenge. */
  readonly challenge: string;
  readonly realm: string;
  /** Undefined for malformed credentials, which are refused. */
  read(text: string, request: FilterRequest): Credentials | undefined;
  /** Finds out whether they are good. Without it the realms are asked. */
  login?(credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer>;
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const aToken = (value: string) => (token.test(value) ? undefined : 'Expected one word, as an HTTP scheme is');

export function schemeProperties(scheme: string): PropertyTable {
  return {
    applicationName: {
      type: 'string',
      fallback: 'application',
      says: 'The realm in the challenge.',
      check: (value: string) =>
        /^[\x20-\x7e\xa0-\xff]*$/.test(value) ? undefined : 'Expected characters that a header can carry (Latin-1)',
    },
    authcScheme: {
      type: 'string',
      fallback: scheme,
      says: 'The authentication scheme in the challenge.',
      check: aToken,
    },
    authzScheme: {
      type: 'string',
      fallback: scheme,
      says: 'The authentication scheme that the header Authorization must have.',
      check: aToken,
    },
    allowPreFlightRequests: {
      type: 'boolean',
      fallback: true,
      says: 'Always true: the service answers preflights before any filter.',
      check: (value: boolean) =>
        value ? undefined : 'Expected true: preflights carry no credentials and are answered before any filter runs',
    },
    enabled: enabledProperty,
  };
}

/** Credentials from `Authorization: <scheme> <text>`. */
export function schemeFilter({ scheme, challenge, realm, read, login = askRealms }: Scheme): Filter {
  const demand = `${challenge} realm="${realm.replace(/["\\]/g, '\\$&')}"`;
  const refused = (reason: string, more?: string, headers: Readonly<Record<string, string>> = {}): Verdict =>
    refuse(reason, 401, { ...headers, 'www-authenticate': more === undefined ? demand : `${demand}, ${more}` });
  const settle = (answer: SchemeAnswer): Verdict =>
    answer.accepted
      ? { verdict: 'accept', account: answer.account }
      : answer.isUndecided
        ? { verdict: 'refuse', reason: answer.reason, response: { status: 503, headers: {} }, isUndecided: true }
        : refused(answer.reason, answer.challenge, answer.headers);
  const word = scheme.toLowerCase();
  /** The whole word: a prefix would make `Basically` an attempt that never reaches the filter it was meant for. */
  const isOurs = (header: string) =>
    (header.length === word.length || header[word.length] === ' ') &&
    header.slice(0, word.length).toLowerCase() === word;

  return {
    authenticates: true,
    options: readWords,
    isPermissive,
    check(request) {
      const words = request.options as Words | undefined;
      if (leavesOut(words, request)) return pass;
      // Two headers arrive joined by a comma, which no form of credentials has: neither of them counts.
      const header = request.authorization;
      if (header === null || !isOurs(header)) {
        return words?.permissive ? pass : refused(header === null ? 'credentials-missing' : 'scheme-unknown');
      }
      const credentials = read(header.slice(word.length + 1), request);
      if (!credentials) return refused('credentials-malformed');
      return after(login(credentials, request), settle);
    },
  };
}

const askRealms = (credentials: Credentials, request: FilterRequest): Maybe<SchemeAnswer> => request.login(credentials);

/** Whether the words name methods, and the request has another one. */
export const leavesOut = (words: Words | undefined, { method }: Pick<FilterRequest, 'method'>): boolean =>
  words?.methods !== undefined && !words.methods.has(method.toUpperCase());

/** Filters by method let anonymous requests with other methods pass. */
export const isPermissive = (options: unknown): boolean =>
  (options as Words | undefined)?.permissive === true || (options as Words | undefined)?.methods !== undefined;

/** Sets, where the original searches an unsorted list and misses words. A misspelt word would open a method: refused. */
export function readWords(words: readonly string[]): Words {
  const methods = new Set<string>();
  for (const word of words) {
    if (word === 'permissive') continue;
    if (word.toLowerCase() === 'permissive') throw new Error(`Expected "permissive" in lower case, found "${word}"`);
    if (!methodNames.has(word.toUpperCase())) {
      throw new Error(`Expected "permissive" or a method of HTTP such as POST, found "${word}"`);
    }
    methods.add(word.toUpperCase());
  }
  return { permissive: words.includes('permissive'), methods: methods.size > 0 ? methods : undefined };
}

/** RFC 6750: what a token is made of. A comma or a blank is never part of one. */
const tokenText = /^[A-Za-z0-9._~+/-]+=*$/;

/** For schemes whose credentials are one opaque text. */
export function tokenReader(kind: 'token' | 'bearer'): Scheme['read'] {
  return (text, request) => (tokenText.test(text) ? { kind, token: request.secret(text) } : undefined);
}
