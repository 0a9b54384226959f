import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, ended, freePort, goProgram, run, type StoreProgram, until } from './gateway.ts';

/** The gateway of Versity, with a folder as its backend. */
export const versity: StoreProgram = {
  name: 'versitygw',
  lacks: async () => ((await answers('go', 'version')) ? undefined : 'Go, which builds it'),

  async start() {
    const program = await goProgram('versitygw', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0');
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
    const { stdout } = await run(program, ['--version']);
    const [version = ''] = /v\d[\w.-]*/.exec(stdout) ?? [];
    return { ...key, endpoint, version: `versitygw ${version}`, close };
  },
};
