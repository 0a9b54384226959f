import type { Client, Entry, SearchOptions } from 'ldapts';
import { withinTime } from '../src/kit/index.ts';
import type { Host, SecretText } from '../src/spi/index.ts';
import type { LdapSettings } from './ldap-settings.ts';

/** Failure of the directory or the network, without their texts: those could repeat secrets. */
export class LdapFailure extends Error {
  readonly code: number | string;

  constructor(step: string, error: unknown) {
    const { code, name, message } = error as { code?: number | string; name?: string; message?: string };
    // While connecting nothing has been sent, so the message is safe.
    const detail = step === 'connect' ? message : name;
    super(`The directory could not be used (${[step, code, detail].filter((part) => part !== undefined).join(', ')})`);
    this.code = code ?? '';
  }
}

/** The parts of the client's inside that decide about safety; see the tests before raising its version. */
interface Inside {
  readonly socket?: { readonly destroyed: boolean; unref?(): void };
  readonly messageParser?: { readonly buffer?: unknown };
}

/**
 * Connection to the directory, encrypted as configured. Never reopened automatically, which would be without TLS and
 * bind.
 */
export class Connection {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    // An idle connection must not keep the process alive.
    inside(client).socket?.unref?.();
  }

  get alive(): boolean {
    return this.#client.isConnected && inside(this.#client).socket?.destroyed === false;
  }

  /** The caller has made sure that the password is not empty. */
  bind(dn: string, password: SecretText): Promise<void> {
    return this.#step('bind', () => this.#client.bind(dn, password.reveal()));
  }

  /** Entries only: referrals are not followed, another server has no business with our credentials. */
  async search(base: string, options: SearchOptions): Promise<readonly Entry[]> {
    const answer = await this.#step('search', () => this.#client.search(base, options));
    return answer.searchEntries;
  }

  close(): void {
    closeClient(this.#client);
  }

  async #step<T>(step: string, work: () => Promise<T>): Promise<T> {
    if (!this.alive) throw new LdapFailure(step, { code: 'closed', name: 'connection' });
    try {
      return await work();
    } catch (error) {
      throw new LdapFailure(step, error);
    }
  }
}

const inside = (client: Client): Inside => client as unknown as Inside;

function closeClient(client: Client): void {
  client.unbind().catch(() => undefined);
}

/** Opens connections, beginning with the address that worked last. */
export function createConnector(settings: LdapSettings, host: Host) {
  let first = 0;
  const { urls, timeout } = settings;
  // Time for one address, so that the next one has a chance within the time of one login.
  const share = Math.max(250, Math.floor(timeout / (urls.length + 1)));

  return async function connect(signal: AbortSignal): Promise<Connection> {
    let failure: unknown;
    for (let tried = 0; tried < urls.length; tried++) {
      const index = (first + tried) % urls.length;
      try {
        const connection = await withinTime(host, share, signal, (stop) => open(urls[index]!, settings, stop));
        first = index;
        return connection;
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw new LdapFailure('connect', failure);
  };
}

/** By a name that no bundler follows: it needs the sockets of Node or Deno, and an edge must not carry it along. */
export async function ldapLibrary(name: string = 'ldapts'): Promise<typeof import('ldapts')> {
  try {
    return await import(/* @vite-ignore */ name);
  } catch (cause) {
    throw new Error('Expected Node or Deno with the package ldapts: it could not be loaded', { cause });
  }
}

async function open(url: string, settings: LdapSettings, stop: AbortSignal): Promise<Connection> {
  const { Client } = await ldapLibrary();
  const { hostname, protocol } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  const tls = {
    minVersion: 'TLSv1.2' as const,
    // Without it, a name that belongs to another server's certificate would do.
    host: name,
    ...(/^[\d.]+$|:/.test(name) ? {} : { servername: name }),
    ...(settings.certificates.length > 0 ? { ca: settings.certificates.map(pem) } : {}),
  };
  const client = new Client({ url, timeout: settings.timeout, ...(protocol === 'ldaps:' ? { tlsOptions: tls } : {}) });
  stop.addEventListener('abort', () => closeClient(client), { once: true });
  if (stop.aborted) throw stop.reason;
  if (settings.startTLS) {
    await client.startTLS(tls);
    // Sent in the clear behind the answer to StartTLS, and taken for the beginning of what comes encrypted: an attack.
    const parser = inside(client).messageParser;
    if (!parser || parser.buffer !== undefined) {
      closeClient(client);
      throw new Error('Expected nothing unencrypted after StartTLS');
    }
  } else await connectOnly(client);
  return new Connection(client);
}

/** The client connects on its first request. This one is harmless, and every directory answers it. */
async function connectOnly(client: Client): Promise<void> {
  await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'] }).catch((error) => {
    // A directory may well refuse to tell about itself: what counts is that it answered.
    if (typeof error?.code !== 'number') throw error;
  });
}

const pem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/\s+/g, '').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
