import { withinTime } from '../src/kit/index.ts';
import type {
  Account,
  Component,
  Host,
  PasswordCredentials,
  PropertyTable,
  Realm,
  RealmAnswer,
  SecretText,
} from '../src/spi/index.ts';
import { loginFor, rememberFor } from './remember.ts';

const mostBytes = 65_536;

/** The body, or an error once it is longer than any honest answer. */
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [text, bytes] = ['', 0];
  const reader = response.body?.getReader();
  if (!reader) return text;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`Expected an answer of at most ${mostBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && !/[\0-\x1f\x7f]/.test(value);
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** Never what was found: an endpoint may well answer with what it was asked. */
const expected = (what: string): Error => new Error(`Expected ${what} in the answer of the endpoint`);

/** An object at least, if an empty one: a page, or nothing at all, is what proxies and broken servers answer. */
function accountFrom(text: string, user: string): Account {
  const { name = user, realName, groups, attributes = {}, exp } = objectFrom(text);
  if (!isText(name) || name === '') throw expected('a text as "name"');
  if (realName !== undefined && !isText(realName)) throw expected('a text as "realName"');
  if (groups !== undefined && !isTexts(groups)) throw expected('a list of texts as "groups"');
  if (exp !== undefined && !(typeof exp === 'number' && Number.isFinite(exp))) throw expected('a number as "exp"');
  const texts: Record<string, string | readonly string[]> = {};
  for (const [key, value] of Object.entries(objectOf(attributes, 'an object as "attributes"'))) {
    // A name that would become the prototype of whatever this is copied into.
    if (key === '__proto__') throw expected('no attribute of that name');
    if (typeof value !== 'string' && !isTexts(value)) throw expected('texts and lists of texts as attributes');
    texts[key] = value;
  }
  if (realName !== undefined) texts['realName'] = realName;
  if (groups !== undefined) texts['groups'] = groups;
  return { name, attributes: texts, ...(exp === undefined ? {} : { ends: exp * 1000 }) };
}

function objectFrom(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw expected('JSON');
  }
  return objectOf(value, 'an object');
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(what);
  return value as Readonly<Record<string, unknown>>;
}

interface Properties {
  readonly url: string | URL;
  readonly form?: Form;
  readonly timeout?: number;
  readonly rememberFor?: number;
  readonly loginFor?: number;
  readonly sharedSecret?: SecretText;
  readonly sharedSecretHeader?: string;
  readonly allowPlainText?: boolean;
}

type Form = 'json' | 'basic';

const properties: PropertyTable = {
  url: { type: 'url', required: true, says: 'URL of the endpoint that checks credentials.' },
  form: {
    type: { choice: ['json', 'basic'] },
    fallback: 'json',
    says: 'Form of the request: json posts {"user", "password"}, basic sends HTTP basic authentication.',
  },
  timeout: { type: 'duration', fallback: 5000, says: 'Timeout of a request.' },
  rememberFor,
  loginFor,
  sharedSecret: { type: 'secret', says: 'Shared secret that identifies this service to the endpoint.' },
  sharedSecretHeader: {
    type: 'string',
    fallback: 'x-portico-secret',
    says: 'The header that carries the shared secret.',
    check: (value: string) => (/^[A-Za-z0-9-]+$/.test(value) ? undefined : 'Expected the name of a header'),
  },
  allowPlainText: {
    type: 'boolean',
    fallback: false,
    says: 'Allows http:// to another machine for passwords. Only for private networks.',
  },
};

const forms: Readonly<Record<Form, (credentials: PasswordCredentials) => RequestInit>> = {
  json: ({ user, password }) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ user, password: password.reveal() }),
  }),
  basic: ({ user, password }) => ({
    method: 'GET',
    headers: {
      authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password.reveal()}`)))}`,
      accept: 'application/json',
    },
  }),
};

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Realm behind an HTTP endpoint, written in any language. */
export const httpRealm: Component<Realm> = {
  says: 'Asks an HTTP endpoint. 200 with a JSON object accepts, 401 or 403 refuses, and any other answer is a failure.',
  properties,
  create(options: Properties, host) {
    const { form = 'json', timeout = 5000, sharedSecret, sharedSecretHeader = 'x-portico-secret' } = options;
    // The constructor's own error would quote the address.
    if (!URL.canParse(String(options.url))) throw new Error('Expected url to be an address with its scheme');
    const url = new URL(String(options.url));
    if (url.username !== '' || url.password !== '')
      throw new Error('Expected an address without a name and password: use sharedSecret');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (options.allowPlainText || isLocal(url.hostname))))
      throw new Error('Expected an https address, or allowPlainText = true: passwords would be readable on the way');
    // A runtime refuses any other header value and quotes all of it, so the secret would be in the log.
    if (sharedSecret && !/^[\x21-\x7e]+$/.test(sharedSecret.reveal()))
      throw new Error('Expected sharedSecret to be ASCII without blanks, as headers carry it');

    return {
      rememberFor: options.rememberFor ?? 0,
      ...(options.loginFor === undefined ? {} : { loginFor: options.loginFor }),
      supports: (credentials) => credentials.kind === 'password',
      async authenticate(credentials, { signal }) {
        if (credentials.kind !== 'password') return { answer: 'not-mine' };
        // Basic ends the name at its first colon: the endpoint would see another name.
        if (form === 'basic' && credentials.user.includes(':')) return { answer: 'refused', reason: 'bad-user-name' };
        const request = forms[form](credentials);
        const headers = new Headers(request.headers);
        if (sharedSecret) headers.set(sharedSecretHeader, sharedSecret.reveal());
        return withinTime(host, timeout, signal, (stop) =>
          ask(host, url, { ...request, headers, redirect: 'manual', signal: stop }, credentials.user),
        );
      },
    };
  },
};

async function ask(host: Host, url: URL, request: RequestInit, user: string): Promise<RealmAnswer> {
  const response = await host.fetch(url, request);
  const { status } = response;
  if (status !== 200) {
    await response.body?.cancel().catch(() => undefined);
    if (status === 401 || status === 403) return { answer: 'refused', reason: 'endpoint-refused' };
    // Redirects too: the password was meant for this address and for no other.
    throw new Error(`Expected status 200, 401 or 403 from the endpoint, found ${status}`);
  }
  return { answer: 'account', account: accountFrom(await boundedText(response), user) };
}
