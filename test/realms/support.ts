import { scrypt } from 'node:crypto';
import { systemClock } from '../../src/core/lib/clock.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { hasher } from '../../src/entry/crypto.ts';
import { hostWire } from '../../src/entry/wire.ts';
import type { Component, Credentials, Host, LoginHost, Realm } from '../../src/spi/index.ts';

/** Secret that no log, error or message of the service may contain. */
export const canary = 'canary-Zx81-pass,word"\\';

export interface TestHost extends Host {
  /** Each line that was logged, as text. */
  readonly logged: string[];
}

export function testHost(changes: Partial<Host> = {}): TestHost {
  const logged: string[] = [];
  return {
    name: 'tested',
    now: systemClock.now,
    sleep: systemClock.sleep,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: globalThis.fetch,
    ...createOutbound({ wire: hostWire(), allow: [], clock: systemClock }),
    scrypt: (password, salt, { cost, block, parallel }, length) =>
      new Promise((resolve, reject) => {
        const options = { N: 2 ** cost, r: block, p: parallel, maxmem: 2 ** 28 };
        scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(new Uint8Array(key))));
      }),
    digest: (text) => text,
    hasher,
    sharesWork: true,
    log: (level, event, fields) => logged.push(JSON.stringify({ level, event, ...fields })),
    logged,
    ...changes,
  };
}

export const secret = (text: string): Secret => new Secret(text);

export const withPassword = (user: string, password: string): Credentials => ({
  kind: 'password',
  user,
  password: secret(password),
});

/** Nobody is in the service's database. */
export const loginHost = (signal = new AbortController().signal): LoginHost => ({
  users: {
    verifyPassword: () => ({ verified: false, reason: 'unknown-user' }),
    verifyToken: () => ({ verified: false, reason: 'unknown-token' }),
  },
  signal,
});

/** As the reader of security.ini does: what the file does not say is what the table says. */
export async function make<T>(
  component: Component<T>,
  given: Record<string, unknown> = {},
  host = testHost(),
): Promise<T> {
  const fallbacks = Object.entries(component.properties ?? {}).filter(([, { fallback }]) => fallback !== undefined);
  return component.create(
    { ...Object.fromEntries(fallbacks.map(([name, { fallback }]) => [name, fallback])), ...given },
    host,
  );
}

/** The name of the account, or the reason of the refusal. */
export async function answerOf(realm: Realm, user: string, password: string, host = loginHost()): Promise<string> {
  const answer = await realm.authenticate(withPassword(user, password), host);
  if (answer.answer === 'account') return `account ${answer.account.name}`;
  return answer.answer === 'refused' ? answer.reason : answer.answer;
}

export const textOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack} ${error.message} ${JSON.stringify(error)} ${textOf(error.cause ?? '')}`
    : String(error);
