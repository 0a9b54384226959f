import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProgram } from '../../../src/entry/media/child/find-program.ts';
import { launchCli, serveCli } from '../../support/cli.ts';
import { basic } from '../../support/matrix.ts';

const isInstalled = (await findProgram('ffmpeg')) !== undefined && (await findProgram('ffprobe')) !== undefined;
if (!isInstalled) console.log('Left out: ffmpeg and ffprobe are not on this machine');

const password = 'password of admin';
const count = 20;
const seconds = 4;

interface Job {
  readonly jobId: string;
  readonly status: string;
}

interface Shape {
  readonly tag: readonly string[];
  readonly containerComponent: { readonly file: readonly { readonly id: string }[] };
}

interface RunnerList {
  readonly runner: readonly { readonly name: string; readonly task?: readonly { readonly type: string }[] }[];
}

/** A server that leaves media to runners, and calls of its API. */
async function serveWithoutMedia(root: string) {
  const environment = { PORTICO_ADMIN_PASSWORD: password, PORTICO_MEDIA_HERE: 'false', PORTICO_STORAGE_ROOTS: root };
  const { port } = await serveCli({ root, environment });
  const address = `http://127.0.0.1:${port}/API`;
  async function api<T>(method: string, path: string, body?: object): Promise<T> {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: basic(['admin', password]),
        accept: path.includes('/token') ? 'text/plain' : 'application/json',
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      },
      ...(body && { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text.startsWith('{') ? JSON.parse(text) : text) as T;
  }
  const endOf = async (id: string): Promise<string> => {
    const status = async () => (await api<Job>('GET', `/job/${id}`)).status;
    await expect.poll(status, { timeout: 300_000, interval: 500 }).toMatch(/^(?:FINISHED|FAILED|ABORTED)/);
    return status();
  };
  return { address, api, endOf };
}

describe.skipIf(!isInstalled)('runners with ffmpeg', () => {
  it('do each of 20 transcodes once, although one of both is killed amid them', { timeout: 600_000 }, async () => {
    const root = mkdtempSync(join(tmpdir(), 'portico-killed-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [film, store] = [join(root, 'film.mp4'), join(root, 'store')];
    mkdirSync(store);
    const inputs = [`testsrc2=s=640x360:r=25:d=${seconds}`, `sine=d=${seconds}`].flatMap((each) => [
      '-f',
      'lavfi',
      '-i',
      each,
    ]);
    execFileSync('ffmpeg', ['-loglevel', 'error', ...inputs, '-preset', 'ultrafast', film]);

    const { address, api, endOf } = await serveWithoutMedia(root);
    await api('POST', '/user', { userName: 'box', groupList: { group: [{ groupName: '_runner' }] } });
    const token = await api<string>('GET', '/user/box/token?seconds=9999');
    const startRunner = (name: string) =>
      launchCli(['runner', '--url', address, '--name', name], {
        root: mkdtempSync(join(root, name)),
        environment: { PORTICO_RUNNER_TOKEN: token },
      });
    const one = startRunner('one');
    startRunner('two');
    const method = [{ uri: `${pathToFileURL(store)}/`, read: true, write: true, browse: true }];
    await api('POST', '/storage', { type: 'LOCAL', capacity: 1e9, method });
    const { jobId } = await api<Job>('POST', '/import/raw?filename=film.mp4&tag=original', readFileSync(film));
    expect(await endOf(jobId)).toBe('FINISHED');
    const [item] = (await api<{ item: { id: string }[] }>('GET', '/item')).item;

    const tags = Array.from({ length: count }, (_tag, at) => `form${at}`);
    const jobs: string[] = [];
    for (const tag of tags) {
      await api('PUT', `/shape-tag/${tag}`, { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } });
      jobs.push((await api<Job>('POST', `/item/${item!.id}/transcode?tag=${tag}`)).jobId);
    }
    const shapes = async () => (await api<{ shape: Shape[] }>('GET', `/item/${item!.id}?content=shape`)).shape;
    const tasksOfOne = async () =>
      (await api<RunnerList>('GET', '/runner')).runner.find(({ name }) => name === 'one')?.task ?? [];
    await expect.poll(async () => (await shapes()).length, { timeout: 200_000, interval: 500 }).toBeGreaterThan(4);
    await expect
      .poll(async () => (await tasksOfOne()).map(({ type }) => type), { timeout: 60_000, interval: 50 })
      .toContain('TRANSCODE');
    one.child.kill('SIGKILL');
    await one.finished;

    expect(await Promise.all(jobs.map(endOf))).toEqual(jobs.map(() => 'FINISHED'));
    const all = await shapes();
    expect(all.flatMap(({ tag }) => tag).toSorted()).toEqual([...tags, 'original'].toSorted());
    expect(new Set(all.flatMap(({ containerComponent: { file } }) => file.map(({ id }) => id))).size).toBe(count + 1);
    // Bytes on their way lie in a folder of the service, and the sweep takes those that nobody publishes.
    const stored = readdirSync(store).filter((name) => name !== '.portico');
    expect(stored).toHaveLength(count + 1);
    for (const name of stored) {
      const words = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', join(store, name)];
      expect(Number(execFileSync('ffprobe', words, { encoding: 'utf8' }))).toBeCloseTo(seconds, 0);
    }
  });
});
