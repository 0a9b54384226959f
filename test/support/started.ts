import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, onTestFinished } from 'vitest';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { chainListener } from './listeners.ts';
import { listenFor, openWorld } from './matrix.ts';
import { denoProgram } from './programs.ts';
import { admin } from './service.ts';

/** A server that raw bytes can be sent to, in the runtime of its name. `admin` can log in. */
export interface Started {
  readonly runtime: 'node' | 'deno';
  /** Port of a server. On Deno one server does for all tests of a file: they change nothing that others look at. */
  open(): Promise<number>;
  /** Log output so far. */
  log(): string;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The same bytes to the service on Node, in this process, and to the service in Deno. */
export function describeStarted(title: string, suite: (server: Started) => void): void {
  describe(`${title} (Node)`, () => {
    let log = () => '';
    suite({
      runtime: 'node',
      log: () => log(),
      async open() {
        const world = await openWorld('fetch');
        log = () => world.printed.join('\n');
        return listenFor(world);
      },
    });
  });
  describe(`${title} (Deno)`, () => suite(inDeno('service')));
}

/** The same for the default chain without a service, which tells what the realms were asked about. */
export function describeChain(title: string, suite: (server: Started) => void): void {
  describe(`${title} (Node)`, () =>
    suite({
      runtime: 'node',
      log: () => '',
      async open() {
        const options = { host: '127.0.0.1', port: 0, requestTimeout: 10 };
        const listener = await listenOnNode(await chainListener(), options);
        onTestFinished(() => listener.stop(0));
        return listener.port;
      },
    }));
  describe(`${title} (Deno)`, () => suite(inDeno('chain')));
}

/** A server in Deno, started with the first test that opens it. */
export function inDeno(what: 'service' | 'chain' | 'bytes'): Started {
  let child: ChildProcess | undefined;
  let port: Promise<number> | undefined;
  let said = '';

  function start(): Promise<number> {
    const words = ['run', '--no-prompt', '-A', '--config', here('../../deno.json'), here('deno-program.ts'), what];
    const started = spawn(denoProgram(), words, {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORTICO_PORT: '0',
        PORTICO_DATABASE: 'memory:',
        PORTICO_ADMIN_PASSWORD: admin[1],
        // The rows are full of wrong passwords.
        PORTICO_LOGIN_DELAY_MOST: '0',
        PORTICO_DELIVER: 'false',
        // Else it would make a file for one.
        PORTICO_SECRET_KEY: 'A'.repeat(43),
      },
      cwd: here('../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    return new Promise((resolve, reject) => {
      let out = '';
      started.stdout.on('data', (bytes) => {
        out += bytes;
        const found = /^port (\d+)\n/m.exec(out);
        if (found) resolve(Number(found[1]));
      });
      started.stderr.on('data', (bytes) => {
        said += bytes;
      });
      started.once('exit', (code) => reject(new Error(`Ended with ${code}: ${said}`)));
    });
  }

  afterAll(async () => {
    if (child?.exitCode !== null) return;
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  });
  return {
    runtime: 'deno',
    log: () => said,
    open: () => {
      port ??= start();
      return port;
    },
  };
}
