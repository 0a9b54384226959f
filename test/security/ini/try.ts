import { hasher } from '../../../src/entry/crypto.ts';
import { type Assembled, assemble } from '../../../src/security/ini/assemble.ts';
import type { SecretSource } from '../../../src/security/ini/objects/secrets.ts';
import { type IniOptions, type ReadIni, readSecurityIni } from '../../../src/security/ini/security-ini.ts';
import type { Host, Plugin } from '../../../src/spi/index.ts';
import { shippedRegistry } from './shipped.ts';

/** Lines that every file must have; tests add to them. */
export const base = {
  main: [
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
  ],
  urls: ['/** = tokenAuth[permissive], authcBasic'],
};

/** A file with these lines in its sections, after what every file must have. Line 1 is `[main]`, line 4 the first of `main`. */
export function ini(main: readonly string[] = [], urls: readonly string[] = base.urls, more = ''): string {
  return ['[main]', ...base.main, ...main, '[urls]', ...urls, more].join('\n');
}

/** Without the warnings about lines that these short files leave out: `blocked-paths.test.ts` has those. */
export function read(text: string, plugins: readonly Plugin[] = [], options: IniOptions = {}): ReadIni {
  const { blueprint, findings } = readSecurityIni(text, 'security.ini', shippedRegistry(plugins).registry, options);
  return { blueprint, findings: findings.filter(({ code }) => code !== 'blocked-paths') };
}

/** `line:column code`, errors only. */
export const errorsOf = (text: string, plugins: readonly Plugin[] = []): string[] =>
  read(text, plugins)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ line, column, code }) => `${line}:${column} ${code}`);

export const messagesOf = (text: string, plugins: readonly Plugin[] = []): string[] =>
  read(text, plugins).findings.map(({ message }) => message);

export interface Logged {
  readonly event: string;
  readonly object: string;
}

export function hostFor(name: string, logged: Logged[] = []): Host {
  return {
    name,
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((wake, stop) => {
        const timer = setTimeout(wake, milliseconds);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          stop(signal.reason);
        });
      }),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    fetch: () => Promise.reject(new Error('No network in this test')),
    call: () => Promise.reject(new Error('No network in this test')),
    stream: () => Promise.reject(new Error('No network in this test')),
    scrypt: () => Promise.reject(new Error('No passwords in this test')),
    digest: (text) => text,
    hasher,
    sharesWork: true,
    log: (_level, event) => logged.push({ event, object: name }),
  };
}

/** Reads and makes; a file that cannot be read has no parts. */
export async function make(
  text: string,
  plugins: readonly Plugin[] = [],
  within = 1000,
  secrets?: SecretSource,
): Promise<Assembled> {
  const { blueprint, findings } = read(text, plugins);
  if (!blueprint) return { parts: undefined, findings, closing: [], engines: [] };
  const assembled = await assemble(blueprint, (name) => hostFor(name), { within, secrets });
  return { ...assembled, findings: [...findings, ...assembled.findings] };
}
