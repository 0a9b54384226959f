import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, ended, freePort, goProgram, run, type StoreProgram, until } from './gateway.ts';

const module = 'github.com/versity/versitygw';

const known = {
  'an unknown access key is refused': {
    problem: 'Expected 403 InvalidAccessKeyId: found 404 XAdminUserNotFound',
    reason: 'With one account it answers with the error of its administration. The driver takes it for a refusal.',
  },
  'a key with two slashes is another one than with one': {
    problem: 'Expected the keys ["slashes/a//b","slashes/a/b"]: found ["slashes/a/b"]',
    reason: 'Its keys are paths of a file system. The driver writes no key with an empty part.',
  },
};

/** The gateway of Versity, with a folder as its backend. */
export const versity: StoreProgram = {
  name: 'versitygw',
  lacks: async () => ((await answers('go', 'version')) ? undefined : 'Go, which builds it'),

  async start() {
    const program = await goProgram('versitygw', `${module}/cmd/versitygw@v1.8.0`);
    const folder = await mkdtemp(join(tmpdir(), 'portico-versity-'));
    const port = await freePort();
    const key = { accessKey: 'PORTICOTEST', secret: randomUUID(), region: 'us-east-1' };
    const data = join(folder, 'data');
    const sidecars = join(folder, 'sidecars');
    for (const path of [data, sidecars]) await mkdir(path);
    const words = ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecars, data];
    const child = spawn(program, words, {
      stdio: 'ignore',
      env: { ...process.env, ROOT_ACCESS_KEY: key.accessKey, ROOT_SECRET_KEY: key.secret },
    });
    async function close(): Promise<void> {
      await ended([child]);
      await rm(folder, { recursive: true, force: true });
    }
    const endpoint = `http://127.0.0.1:${port}`;
    try {
      await until('an answer of versitygw', 60, async () => (await fetch(endpoint)).status === 403);
    } catch (error) {
      await close();
      throw error;
    }
    // A program built by "go install" does not know its own version.
    const { stdout } = await run('go', ['version', '-m', program]);
    const [, version = ''] = new RegExp(`mod\\s+${module}\\s+v(\\S+)`).exec(stdout) ?? [];
    return { ...key, endpoint, version: `versitygw ${version}`, known, close };
  },
};
