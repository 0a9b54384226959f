import type { Entry, SearchOptions } from 'ldapts';
import { withinTime } from '../src/kit/index.ts';
import type { Host, SecretText } from '../src/spi/index.ts';
import { type Connection, createConnector, LdapFailure } from './ldap-connection.ts';
import type { LdapSettings } from './ldap-settings.ts';

const idleMilliseconds = 60_000;

/** Result codes that say no to this name and password; every other one says that the directory cannot tell. */
const refusals: ReadonlySet<number | string> = new Set([
  32, // noSuchObject
  34, // invalidDNSyntax
  49, // invalidCredentials
]);

/** Client of a directory: one shared connection for searches, and a new one for each password. */
export function createLdapDirectory(settings: LdapSettings, host: Host) {
  const connect = createConnector(settings, host);
  let openConnection: Promise<Connection> | undefined;
  let usedAt = 0;

  async function searcher(): Promise<Connection> {
    // Not bound to a single login, whose signal must not close the shared connection.
    const connection = await connect(new AbortController().signal);
    if (settings.service) await connection.bind(settings.service.dn, settings.service.password);
    return connection;
  }

  async function current(): Promise<{ readonly connection: Connection; readonly fresh: boolean }> {
    const now = host.now();
    const connection = await openConnection?.catch(() => undefined);
    if (connection?.alive && now - usedAt < idleMilliseconds) {
      usedAt = now;
      return { connection, fresh: false };
    }
    connection?.close();
    usedAt = now;
    const opening = searcher();
    openConnection = opening;
    return { connection: await opening, fresh: true };
  }

  return {
    /** Asks once more on a fresh connection: directories close those that are idle, and do not say so in time. */
    async search(base: string, options: SearchOptions, signal: AbortSignal): Promise<readonly Entry[]> {
      for (;;) {
        signal.throwIfAborted();
        const { connection, fresh } = await current();
        try {
          return await connection.search(base, options);
        } catch (error) {
          if (fresh || connection.alive) throw error;
        }
      }
    },

    /**
     * Connection bound as the user. Undefined if the directory refuses. A new one each time: a shared one would run
     * searches of others with this user's rights.
     */
    async bound(dn: string, password: SecretText, signal: AbortSignal): Promise<Connection | undefined> {
      return withinTime(host, settings.timeout, signal, async (stop) => {
        const connection = await connect(stop);
        // The side that gives up closes the connection: a directory that hangs would not.
        stop.addEventListener('abort', () => connection.close(), { once: true });
        try {
          await connection.bind(dn, password);
          return connection;
        } catch (error) {
          connection.close();
          if (error instanceof LdapFailure && refusals.has(error.code)) return undefined;
          throw error;
        }
      });
    },

    async close(): Promise<void> {
      (await openConnection?.catch(() => undefined))?.close();
      openConnection = undefined;
    },
  };
}

export type LdapDirectory = ReturnType<typeof createLdapDirectory>;
