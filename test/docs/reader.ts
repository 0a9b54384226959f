import { execFile, spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { readSettings } from '../../src/composition/settings.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { startCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/store.ts';
import type { Block } from './pages.ts';

/** A reader who follows a page: a checkout, a server on the instance root in it, and a shell. */
export interface Reader {
  run(block: Block): Promise<{ code: unknown; out: string; err: string }>;
  leave(): Promise<void>;
}

const password = 'password of the reader';
const linked = ['tsconfig.json', 'node_modules', 'src', 'realms', 'filters', 'plugins', 'dist'];

/** As in a checkout, but `npm run portico` starts the built program: nothing is built for it first. */
const manifest = (await readFile('package.json', 'utf8')).replace(
  /"portico": "node .*"/,
  '"portico": "node dist/src/entry/cli.js"',
);

/** Where the receivers of the pages listen. Pages run side by side, so each reader has a port of its own. */
let receiverPort = 20_000 + (process.pid % 20_000);

/** Whether blocks can be run that need a transcoder. */
export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).error === undefined;

/** The film of the reader: a second of a test picture. */
export const makeFilm = (path: string) =>
  promisify(execFile)('ffmpeg', [
    // A film of an earlier run would be asked about.
    '-y',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=duration=1:size=320x180:rate=25',
    path,
  ]);

interface Server {
  /** Host and port. */
  readonly at: string;
  stop(): Promise<void>;
}

/** In this process, which saves the start of another one. */
async function serveHere(environment: Readonly<Record<string, string>>): Promise<Server> {
  const running = await startServer(readSettings(environment), () => undefined);
  return { at: new URL(running.address).host, stop: () => running.stop() };
}

/** In a process of its own: a server holds the lock on its database until its process ends. */
async function serveApart(root: string, environment: Readonly<Record<string, string>>): Promise<Server> {
  const { child, finished, port } = await startCli({ root, environment });
  return {
    at: `127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      const { code, err } = await finished;
      if (code !== 0) throw new Error(`The server ended with ${code}: ${err}`);
    },
  };
}

/** `stops`: the page stops its server for some blocks. */
export async function newReader(stops: boolean): Promise<Reader> {
  const { path: root, remove } = await temporaryDirectory();
  await Promise.all(linked.map((name) => symlink(resolve(name), join(root, name))));
  await writeFile(join(root, 'package.json'), manifest);
  const receiver = String(++receiverPort);
  let server: Server | undefined;
  let hasFilm = false;
  const environment = {
    PORTICO_ADMIN_PASSWORD: password,
    PORTICO_ROOT: join(root, 'portico-data'),
    PORTICO_PORT: '0',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
  };

  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }

  return {
    async run({ mark, text }) {
      if (mark === 'test: ffmpeg' && !hasFilm) {
        await makeFilm(join(root, 'film.mp4'));
        hasFilm = true;
      }
      // Such a block would fail beside a running server, or changes what only a start reads.
      if (mark === 'test: stopped') await stop();
      else if (mark !== 'test: module')
        server ??= await (stops ? serveApart(root, environment) : serveHere(environment));
      const here = text.replaceAll('127.0.0.1:8080', server?.at ?? '127.0.0.1:8080').replace(/\b9000\b/g, receiver);
      if (mark !== 'test: module') return runProgram('sh', ['-eu', '-c', here], root, {});
      await writeFile(join(root, 'program.ts'), here);
      return runProgram(process.execPath, ['--import', 'tsx', 'program.ts'], root, environment);
    },
    async leave() {
      await stop();
      await remove();
    },
  };
}

function runProgram(program: string, words: readonly string[], cwd: string, more: Readonly<Record<string, string>>) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, PASSWORD: password, NO_COLOR: '1', ...more };
  return new Promise<{ code: unknown; out: string; err: string }>((done) => {
    execFile(program, words, { cwd, env }, (error, out, err) => done({ code: error ? error.code : 0, out, err }));
  });
}
