import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Started, settingsFor, startServer } from '../bench/runtimes.ts';
import { residentMebibytes } from '../bench/usage.ts';
import { setup as buildProgram } from '../support/built.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

export const adminPassword = 'password of the soak';
/** Entries of the audit log, and its reads, that the service may keep: a short run reaches them. */
export const maxAudit = 1_000;
const mebibyte = 1024 * 1024;
const diskSize = 1024 * mebibyte;
const minFree = 16 * mebibyte;
const home = fileURLToPath(new URL('../../', import.meta.url));

export interface HouseOptions {
  /** Whether the database is a libSQL server, and not a file. */
  readonly isRemote: boolean;
  /** Checkout of an older version, which was built: it runs until the upgrade. */
  readonly from?: string | undefined;
  /** Whether this process may mount a disk of its own: see `index.ts`. */
  readonly mounts: boolean;
  readonly securityIni: string;
}

/** Memory, descriptors and disk of a server. */
export interface Taken {
  /** MiB, and after a collection. */
  readonly resident: number;
  readonly alive: number;
  readonly descriptors: number;
  /** Bytes. 0: the database is on a server. */
  readonly database: number;
  readonly writeAheadLog: number;
  readonly log: number;
}

/** Beside the disk: a full one would tear lines of the log. */
const logOf = (folder: string): string => `${folder}.log`;

/** A server with its disk and its database, which goes on after kills. */
export class House {
  readonly folder: string;
  readonly address: string;
  readonly media: string;
  readonly #options: HouseOptions;
  readonly #sqld: Sqld | undefined;
  readonly #log: number;
  readonly #port: number;
  #started: Started;
  #isOld: boolean;

  private constructor(folder: string, options: HouseOptions, sqld: Sqld | undefined, started: Started, log: number) {
    this.folder = folder;
    this.media = join(folder, 'media');
    this.#options = options;
    this.#sqld = sqld;
    this.#started = started;
    this.#log = log;
    this.#port = started.port;
    this.#isOld = options.from !== undefined;
    this.address = `http://127.0.0.1:${started.port}`;
  }

  static async open(options: HouseOptions): Promise<House> {
    buildProgram();
    const folder = await mkdtemp(join(tmpdir(), 'portico-soak-'));
    const disk = ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', folder];
    if (options.mounts && spawnSync('mount', disk).status !== 0) throw new Error('Expected to mount a disk in memory');
    for (const name of ['main', 'hot']) await mkdir(join(folder, 'media', name), { recursive: true });
    await writeFile(join(folder, 'security.ini'), options.securityIni);
    const sqld = options.isRemote ? await startSqld() : undefined;
    const log = openSync(logOf(folder), 'a');
    const started = await start(folder, options.from ?? home, sqld, log, 0);
    return new House(folder, options, sqld, started, log);
  }

  get databaseUrl(): string {
    return this.#sqld?.url ?? `file:${join(this.folder, 'portico.db')}`;
  }

  /** Events that this machine can have. */
  get canFillDisk(): boolean {
    return this.#options.mounts;
  }

  get canRestartDatabase(): boolean {
    return this.#sqld !== undefined;
  }

  get canUpgrade(): boolean {
    return this.#isOld;
  }

  async kill(): Promise<void> {
    const { process } = this.#started;
    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
    await this.#start();
  }

  async restart(): Promise<void> {
    await this.#started.stop();
    await this.#start();
  }

  async upgrade(): Promise<void> {
    this.#isOld = false;
    await this.restart();
  }

  restartDatabase(): Promise<void> {
    return this.#sqld!.restart();
  }

  /** Leaves no byte of the disk for so many milliseconds. */
  async fillDisk(milliseconds: number): Promise<void> {
    const filler = join(this.folder, 'filler');
    const free = async () => {
      const { bavail, bsize } = await statfs(this.folder);
      return bavail * bsize;
    };
    spawnSync('fallocate', ['-l', String((await free()) - mebibyte), filler]);
    for (const end = Date.now() + milliseconds; Date.now() < end; ) {
      // Room that the server gives back is taken, too.
      await writeFile(filler, Buffer.alloc(await free()), { flag: 'a' }).catch(none);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await rm(filler);
  }

  take(): Taken {
    const { process } = this.#started;
    const size = (name: string) => statSync(join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return {
      resident: residentMebibytes(process),
      alive: Number(readFileSync(join(this.folder, 'heap'), 'utf8')) / mebibyte,
      descriptors: readdirSync(`/proc/${process.pid}/fd`).length,
      database: size('portico.db'),
      writeAheadLog: size('portico.db-wal'),
      log: statSync(logOf(this.folder), { throwIfNoEntry: false })?.size ?? 0,
    };
  }

  /** Lines of the log that tell of a fault of the service. */
  faults(): readonly string[] {
    const lines = readFileSync(logOf(this.folder), 'utf8').split('\n');
    return lines.filter((line) => !line.startsWith('{"') || line.includes('"level":"error"')).filter(Boolean);
  }

  /** Whether the process has ended by itself. */
  get hasEnded(): boolean {
    return this.#started.process.exitCode !== null || this.#started.process.signalCode !== null;
  }

  async close(): Promise<void> {
    await this.#started.stop();
    await this.#sqld?.stop();
    closeSync(this.#log);
    if (this.#options.mounts) spawnSync('umount', ['-l', this.folder]);
    await rm(this.folder, { recursive: true, force: true });
    await rm(logOf(this.folder), { force: true });
  }

  async #start(): Promise<void> {
    const program = this.#isOld ? this.#options.from! : home;
    this.#started = await start(this.folder, program, this.#sqld, this.#log, this.#port);
  }
}

const none = (): void => undefined;

async function start(folder: string, program: string, sqld: Sqld | undefined, log: number, port: number) {
  await writeFile(join(folder, 'heap'), 'NaN');
  const flags = ['--expose-gc', '--import', new URL('heap.mjs', import.meta.url).href];
  return startServer(
    [process.execPath, ...flags, join(program, 'dist/src/entry/cli.js'), 'serve'],
    {
      ...settingsFor(folder),
      SOAK_HEAP: join(folder, 'heap'),
      PORTICO_HOST: '127.0.0.1',
      PORTICO_PORT: String(port),
      PORTICO_DATABASE: sqld?.url ?? '',
      PORTICO_SECRET_KEY: 'A'.repeat(43),
      PORTICO_ADMIN_PASSWORD: adminPassword,
      PORTICO_OUTBOUND_ALLOW: '127.0.0.1,localhost',
      PORTICO_STORAGE_ROOTS: join(folder, 'media'),
      PORTICO_MIN_FREE_BYTES: String(minFree),
      PORTICO_AUDIT_ROWS: String(maxAudit),
      PORTICO_AUDIT_READS: String(maxAudit),
      PORTICO_DELIVERY_RETRY_HOURS: '0',
    },
    log,
  );
}

export const addressOf = (folder: string): string => `${pathToFileURL(folder)}/`;
