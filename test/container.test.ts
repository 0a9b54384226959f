import { execFile } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyContext, stagesOf } from './docs/clone/image.ts';
import { runCli, serveCli } from './support/cli.ts';
import { temporaryDirectory } from './support/store.ts';

const run = promisify(execFile);

/** Folder with what the Containerfile copies, and the packages of this checkout in the place of `npm ci`. */
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let program: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  await copyContext(directory.path);
  await symlink(resolve('node_modules'), join(directory.path, 'node_modules'));
  program = join(directory.path, 'dist/src/entry/cli.js');
});
afterAll(() => directory.remove());

const environment = { PORTICO_ADMIN_PASSWORD: 'password of admin' };
const serve = () => serveCli({ root: directory.path, program, environment });
const ask = (port: number) => fetch(`http://127.0.0.1:${port}/ui/`, { headers: { accept: 'text/html, */*' } });

it('the files that the Containerfile copies are all that its build reads: the result has a page', async () => {
  const [{ runs }] = await stagesOf();
  const line = runs.find((words) => words.startsWith('npm run build'))!;
  await run('sh', ['-eu', '-c', line.split(' && ')[0]!], { cwd: directory.path, maxBuffer: 1 << 26 });
  const { port, out, child, finished } = await serve();
  expect(out()).toContain('/ui/');
  const answer = await ask(port);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<title>')]);
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
});

it('a build without a page says so at the start and in check, and /ui/ answers 501 with the reason', async () => {
  await rm(join(directory.path, 'dist/src/administration/ui'), { recursive: true });
  const { port, out, logged } = await serve();
  await logged('The web page is not in this build');
  expect(out()).not.toContain('web page');
  const answer = await ask(port);
  expect([answer.status, await answer.text()]).toEqual([
    501,
    expect.stringContaining('Expected a build with the web page: this one has none'),
  ]);
  const { out: told } = await runCli(['check'], { root: directory.path, program });
  expect(told).toContain('web page: none. The web page is not in this build');
});
