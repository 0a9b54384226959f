import { closeSync, openSync } from 'node:fs';
import Database from 'libsql';

/** Milliseconds: another server that starts holds the lock alone for one look. */
const patience = 2_000;

/**
 * The lock of servers on a file beside the database. The operating system ends it with the process, also when that is
 * killed. Each server shares the lock while it runs; one that starts first asks for it alone, which proves that no other
 * server runs. It is the lock of a database engine, because Node has no call of its own for one.
 */
export class ServerLock {
  readonly #path: string;
  #held: Database.Database | undefined;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-servers`;
  }

  /** Holds the lock from now on. True: no other server runs on this database. */
  take(): boolean {
    closeSync(openSync(this.#path, 'a', 0o600));
    const lock = new Database(this.#path, { timeout: 0 });
    try {
      const alone = tryAlone(lock);
      lock.exec(`PRAGMA busy_timeout = ${patience}`);
      // A read keeps the shared lock until its transaction ends, which it never does.
      lock.exec('BEGIN');
      lock.prepare('SELECT count(*) FROM sqlite_master').raw(true).all([]);
      this.release();
      this.#held = lock;
      return alone;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  release(): void {
    // A statement that is not collected yet keeps a closed connection alive, but not its lock.
    this.#held?.exec('ROLLBACK');
    this.#held?.close();
    this.#held = undefined;
  }
}

function tryAlone(held: Database.Database): boolean {
  try {
    held.exec('BEGIN EXCLUSIVE');
  } catch {
    return false;
  }
  held.exec('COMMIT');
  return true;
}
