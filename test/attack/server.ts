import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { requestBytes } from '../bench/load.ts';
import { type RuntimeName, startService } from '../bench/runtimes.ts';
import { type Answer, exchange, loopback, type Target } from './target.ts';

const password = 'password of the attack';
/** Time limit of a step of the preparation: a hash at most, on a machine that may be busy with other things. */
const patience = 30_000;
const json = { 'content-type': 'application/json' };

export interface AttackedServer {
  readonly target: Target;
  /** Memory of the process, in MiB. */
  memory(): Promise<number>;
  readonly database: string;
  /** Address of a folder that exports may write to, with a file to import and a folder for a storage. */
  readonly folder: string;
  /** Changes the database beside the server. */
  write(statements: readonly string[]): void;
  /** A request of the administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates somebody with the password that all have, and gives a token. */
  join(name: string, roles?: readonly string[]): Promise<void>;
  token(name: string): Promise<string>;
  /** Milliseconds from SIGTERM to the end of the process. */
  stop(): Promise<number>;
  end(): Promise<void>;
}

export const basicOf = (name: string): string => `Basic ${btoa(`${name}:${password}`)}`;

export async function startAttacked(
  runtime: RuntimeName,
  settings: Readonly<Record<string, string>> = {},
  heap?: number,
): Promise<AttackedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-attack-'));
  const folder = join(directory, 'exports');
  await mkdir(join(folder, 'media'), { recursive: true });
  await writeFile(join(folder, 'harbour.txt'), 'a harbour\n'.repeat(10_000));
  const all = {
    PORTICO_HOST: '127.0.0.1',
    PORTICO_DATABASE: '',
    PORTICO_EXPORT_ROOTS: folder,
    PORTICO_IMPORT_ROOTS: folder,
    PORTICO_STORAGE_ROOTS: folder,
    PORTICO_ADMIN_PASSWORD: password,
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  };
  const flags = heap === undefined ? [] : [`--max-old-space-size=${heap}`];
  const started = await startService(runtime, directory, all, flags);
  const target = loopback(`127.0.0.1:${started.port}`);
  const inside = { 'x-forwarded-for': '198.51.100.1' };
  let adminToken = '';

  /** By the administrator, who may ask for one that lasts longer than a minute. */
  async function token(name: string): Promise<string> {
    const headers = { ...inside, authorization: basicOf('admin'), accept: 'text/plain', connection: 'close' };
    const asked = requestBytes('GET', `/API/user/${name}/token?seconds=600`, headers);
    const { status, body } = await exchange(target, asked, patience);
    if (status !== 200) throw new Error(`Expected a token for ${name}: ${status} ${body.slice(0, 200)}`);
    return body.trim();
  }

  async function admin(method: string, path: string, body?: unknown): Promise<Answer> {
    adminToken ||= await token('admin');
    const accept = 'application/json, */*;q=0.1';
    const headers = { ...inside, ...json, accept, authorization: `token ${adminToken}`, connection: 'close' };
    return exchange(
      target,
      requestBytes(method, path, headers, body === undefined ? '' : JSON.stringify(body)),
      patience,
    );
  }

  return {
    target,
    database: join(directory, 'portico.db'),
    folder: `${pathToFileURL(folder)}/`,
    write(statements) {
      const writer = new Database(join(directory, 'portico.db'));
      try {
        writer.exec(['PRAGMA busy_timeout = 5000', ...statements].join(';\n'));
      } finally {
        writer.close();
      }
    },
    admin,
    token,
    async join(userName, roles = []) {
      const group = roles.map((groupName) => ({ groupName }));
      const answer = await admin('POST', '/API/user', { userName, password, groupList: { group } });
      if (answer.status !== 200) throw new Error(`Expected a new user: ${answer.status} ${answer.body.slice(0, 200)}`);
    },
    async memory() {
      const status = await readFile(`/proc/${started.process.pid}/status`, 'utf8').catch(() => '');
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    async stop() {
      const began = performance.now();
      await started.stop();
      return performance.now() - began;
    },
    async end() {
      // Without the time for requests in flight: one of them may hold the loop for minutes.
      const { exitCode, signalCode } = started.process;
      if (exitCode === null && signalCode === null) {
        const ended = new Promise((resolve) => started.process.once('exit', resolve));
        started.process.kill('SIGKILL');
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
