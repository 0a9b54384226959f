import type { Client } from '@libsql/client/web';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Random, systemRandom } from '../../lib/random.ts';
import type { Secret } from '../../lib/secret.ts';
import {
  type Database,
  noFigures,
  type Outcome,
  type Row,
  type Share,
  type Statement,
  type Value,
} from '../contract.ts';
import { messageOf, refusalOf } from '../faults.ts';
import { GroupCommitter, type GroupPort, type GroupSettings } from '../local/group-committer.ts';
import { StoreStartError } from '../start-error.ts';
import { checkStatements, checkValues } from '../values.ts';
import { type AttemptSettings, isAnswer, persist } from './attempts.ts';
import { connectRemote, fromRemote, toRemote } from './connection.ts';
import { RemoteWriter } from './writer.ts';

export interface RemoteSettings extends GroupSettings {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly token?: Secret;
  readonly fetch?: typeof fetch;
  /** False on an edge: each request sends its own batch. */
  readonly group?: boolean;
  /** Time limit of one call to the server, in milliseconds. */
  readonly deadline?: number;
  /** Number of attempts, and their time limit, while the server is busy or unreachable. */
  readonly attempts?: number;
  readonly patience?: number;
  /** The first pause between attempts; it doubles, with jitter. */
  readonly pause?: number;
}

/** Database on a libSQL server. One batch at a time: with many writers such a server stalls for seconds. */
class RemoteDatabase implements Database {
  readonly kind = 'remote';
  readonly grouped: boolean;
  readonly #client: Client;
  readonly #attempts: AttemptSettings;
  readonly #writer: GroupPort;
  readonly #settings: RemoteSettings;
  readonly #committer: GroupCommitter;
  readonly #alone = new Set<GroupCommitter>();
  #guard: Statement | undefined;

  constructor(client: Client, attempts: AttemptSettings, settings: RemoteSettings) {
    this.grouped = settings.group ?? true;
    this.#client = client;
    this.#attempts = attempts;
    this.#writer = new RemoteWriter(client, attempts);
    this.#settings = settings;
    this.#committer = new GroupCommitter(this.#writer, settings);
  }

  async read(sql: string, args: readonly Value[] = []): Promise<Row[]> {
    if (this.#client.closed) throw refusalOf('unavailable', 'The database is closed');
    checkValues(args);
    try {
      const result = await persist(() => this.#client.execute(toRemote({ sql, args })), this.#attempts, true);
      return fromRemote(result.rows);
    } catch (error) {
      throw isAnswer(error) ? refusalOf('bad-sql', messageOf(error)) : error;
    }
  }

  /** The server runs queries beside each other, so they need no threads here. */
  query(_caller: string, sql: string, args: readonly Value[] = []): Promise<Row[]> {
    return this.read(sql, args);
  }

  get figures() {
    return noFigures;
  }

  async write(statements: readonly Statement[], share?: Share): Promise<Outcome> {
    checkStatements(statements);
    if (this.#client.closed) throw refusalOf('unavailable', 'The database is closed');
    return this.grouped ? this.#committer.write(statements, share) : this.#writeAlone(statements, share);
  }

  guardGroups(guard: Statement | undefined): void {
    this.#guard = guard;
    this.#committer.guard(guard);
  }

  get pending(): number {
    return this.#committer.depth + this.#alone.size;
  }

  /** A committer for this call shares nothing with other requests. */
  async #writeAlone(statements: readonly Statement[], share: Share | undefined): Promise<Outcome> {
    const committer = new GroupCommitter(this.#writer, this.#settings);
    if (this.#guard) committer.guard(this.#guard);
    this.#alone.add(committer);
    try {
      return await committer.write(statements, share);
    } finally {
      this.#alone.delete(committer);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#committer, ...this.#alone].map((committer) => committer.close()));
    this.#client.close();
  }
}

/** Opens no connection yet: the first call does. */
export function openRemoteDatabase(url: string, settings: RemoteSettings = {}): Database {
  const { clock = systemClock, random = systemRandom, deadline = 10_000 } = settings;
  const { attempts = 6, patience = 20_000, pause = 50 } = settings;
  let client: Client;
  try {
    client = connectRemote(url, { ...settings, clock, deadline });
  } catch (error) {
    throw new StoreStartError(`Cannot open the remote database: ${messageOf(error)}`, { cause: error });
  }
  return new RemoteDatabase(client, { clock, random, attempts, patience, pause }, settings);
}
