import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildImage, linkProgram } from './image.ts';

const run = promisify(execFile);
export const password = 'password of the reader';

/** Header that the filter of an example expects. `curl` adds it to each request. */
const gatewayHeader = 'header = "X-Gateway-Secret: replace this secret"\n';

/** Commands that start the server, as README has them. On Deno it is that of a service, because the wrapper takes no signal. */
export const starts = {
  node: ['npm', 'start'],
  deno: ['node_modules/deno/deno', 'task', 'start'],
  binary: ['portico', 'serve'],
  image: ['portico', 'serve'],
} as const satisfies Readonly<Record<string, Command>>;
export type Runtime = keyof typeof starts;
type Command = readonly [program: string, ...words: string[]];

interface Server {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Place in which a reader follows the pages: a fresh clone with its packages, or an empty folder beside the executable. */
export interface Clone {
  readonly path: string;
  /** Starts the server on the instance root in the clone. */
  serve(command: Command): Promise<Server>;
  /** Runs a block of a page. Throws if it fails. */
  shell(block: string): Promise<string>;
  remove(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { readonly port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

export async function cloneHere(): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-clone-'));
  const path = join(folder, 'portico');
  await run('git', ['clone', '--quiet', '.', path]);
  await run('npm', ['ci', '--no-progress', '--no-audit', '--no-fund'], { cwd: path, maxBuffer: 1 << 26 });
  // Puts the program of Deno in its place, which takes signals.
  await run('npx', ['deno', '--version'], { cwd: path });
  return readerIn(folder, path);
}

/** Empty folder, with the executable of this checkout on a path that has no Node, npm and Deno. */
export async function emptyFolder(): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-binary-'));
  const [path, bin] = [join(folder, 'empty'), join(folder, 'bin')];
  await Promise.all([mkdir(path), mkdir(bin)]);
  await run(process.execPath, ['scripts/binary/build.mjs', '--out', join(folder, 'build')], { maxBuffer: 1 << 26 });
  const programs = new Map<string, string>();
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of await readdir(place).catch(() => [])) programs.set(name, join(place, name));
  }
  for (const runtime of ['node', 'nodejs', 'npm', 'npx', 'deno', 'bun']) programs.delete(runtime);
  programs.set('portico', join(folder, 'build/portico'));
  await Promise.all([...programs].map(([name, program]) => symlink(program, join(bin, name))));
  return readerIn(folder, path, { PATH: bin, XDG_CACHE_HOME: join(folder, 'cache') });
}

/** Empty folder, with the program of an image that was built as deploy/Containerfile says. */
export async function besideImage(): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-image-'));
  const [path, bin] = [join(folder, 'empty'), join(folder, 'bin')];
  await mkdir(path);
  await linkProgram(await buildImage(folder), bin);
  return readerIn(folder, path, { PATH: [bin, process.env['PATH']].join(delimiter) });
}

/** A reader in a folder with the program. `place`: more of the environment. */
export async function readerIn(
  folder: string,
  path: string,
  place: Readonly<Record<string, string>> = {},
): Promise<Clone> {
  await writeFile(join(folder, '.curlrc'), gatewayHeader);
  const [port, receiver] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...{ CURL_HOME: folder, PASSWORD: password, NO_COLOR: '1' },
    ...{ PORTICO_ADMIN_PASSWORD: password, PORTICO_PORT: String(port), PORTICO_OUTBOUND_ALLOW: '127.0.0.1' },
    ...place,
  };
  return {
    path,
    serve: (command) => serve(command, { cwd: path, env }, port),
    async shell(block) {
      const here = block.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`).replace(/\b9000\b/g, String(receiver));
      return (await run('sh', ['-eu', '-c', here], { cwd: path, env })).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const patience = 60_000;

/** A group of processes: npm and its shell pass no signal on. */
async function serve(
  [program, ...words]: Command,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  port: number,
): Promise<Server> {
  const child = spawn(program, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = (signal: NodeJS.Signals) => process.kill(-child.pid!, signal);
  const origin = `http://127.0.0.1:${port}`;
  for (const last = Date.now() + patience; ; await pause(200)) {
    const isOnline = await fetch(`${origin}/APInoauth/is-online`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isOnline) break;
    if (child.exitCode === null && Date.now() < last) continue;
    if (child.exitCode === null) end('SIGKILL');
    throw new Error(`Expected a server that starts: ${said}`);
  }
  return {
    origin,
    async stop() {
      end('SIGTERM');
      await ended;
    },
  };
}
