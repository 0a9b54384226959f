import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Upload, type UploadOptions } from 'tus-js-client';
import { expect, it, onTestFinished } from 'vitest';
import { basic, listenFor } from '../../support/matrix.ts';
import { rowsOf } from '../../support/requests.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { type RoomWorld, uploader, viewer, worldOf } from '../../support/world.ts';

/** Published clients over real sockets. */

const mebibyte = 1024 * 1024;
const bytes = randomBytes(5 * mebibyte + 17);
const sha1 = createHash('sha1').update(bytes).digest('hex');

const open = () => worldOf('uploads');

const lies = ({ from: place }: RoomWorld, path: string) => {
  const kept = place.files.get(path);
  return kept && createHash('sha1').update(kept.bytes).digest('hex');
};

interface Sending {
  readonly ended: Promise<void>;
  readonly upload: Upload;
}

function send(port: number, options: UploadOptions): Sending {
  let resolve = () => {};
  let reject = (_error: unknown) => {};
  const ended = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  const upload = new Upload(bytes, {
    endpoint: `http://127.0.0.1:${port}/API/upload`,
    headers: { authorization: basic(uploader) },
    metadata: { storage: 'VX-1', path: 'in/', filename: 'ü b.mov' },
    retryDelays: [0, 50, 100, 200],
    onSuccess: () => resolve(),
    onError: (error) => reject(error),
    ...options,
  });
  upload.start();
  return { ended, upload };
}

/** Cuts each of the first connections after so many bytes from the client. */
async function cuttingProxy(port: number, cuts: readonly number[]): Promise<number> {
  const left = [...cuts];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    const max = left.shift() ?? Number.POSITIVE_INFINITY;
    let came = 0;
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (piece) => {
      came += piece.byteLength;
      if (came <= max) return void target.write(piece);
      // The server sees nothing of the cut, as when a cable is pulled: only the client does.
      client.destroy();
    });
    target.pipe(client);
    client.on('end', () => target.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

it('the published tus client uploads a file in one request', async () => {
  const world = await open();
  await send(await listenFor(world), {}).ended;
  expect(lies(world, 'in/ü b.mov')).toBe(sha1);
  expect((await rowsOf(world, 'file'))[0]).toMatchObject({ state: 'CLOSED', hash: sha1, path: 'in/ü b.mov' });
});

it('a tus client uploads a file in pieces, and with the request that begins the upload', async () => {
  const world = await open();
  const steps: number[] = [];
  const options = { chunkSize: mebibyte, uploadDataDuringCreation: true };
  const chunk = (_size: number, accepted: number) => void steps.push(accepted);
  await send(await listenFor(world), { ...options, onChunkComplete: chunk }).ended;
  expect(steps.length).toBeGreaterThanOrEqual(6);
  expect([lies(world, 'in/ü b.mov'), (await rowsOf(world, 'file'))[0]!['hash']]).toEqual([sha1, sha1]);
});

it('a tus client continues where its connection was cut, again and again', async () => {
  const world = await open();
  const cuts = [1.5 * mebibyte, 2 * mebibyte, mebibyte];
  const port = await cuttingProxy(await listenFor(world), cuts);
  const offsets: number[] = [];
  const options: UploadOptions = {
    onAfterResponse(request, response) {
      if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')));
    },
  };
  await send(port, options).ended;
  // The upload did not begin again.
  expect(offsets.length).toBeGreaterThan(0);
  expect(Math.max(...offsets)).toBeGreaterThan(mebibyte);
  expect([lies(world, 'in/ü b.mov'), world.from.staged.size]).toEqual([sha1, 0]);
});

it('a tus client ends an upload that it does not want any more', async () => {
  const world = await open();
  let seen = () => {};
  const some = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const { upload } = send(await listenFor(world), { chunkSize: mebibyte, onChunkComplete: () => seen() });
  await some;
  await upload.abort(true);
  await expect.poll(() => world.from.staged.size).toBe(0);
  expect((await rowsOf(world, 'transfer'))[0]).toMatchObject({ state: 'ABORTED' });
  expect(world.from.files.size).toBe(0);
});

it('a tus client gets an error when a path is taken, and does not retry for ever', async () => {
  const world = await open();
  world.from.put('in/ü b.mov', 'first');
  await expect(send(await listenFor(world), { retryDelays: [0, 10] }).ended).rejects.toThrow('409');
});

const run = promisify(execFile);
const hasCurl = (() => {
  try {
    return execFileSync('curl', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

const curl = (...args: readonly string[]) =>
  run('curl', ['--silent', '--show-error', '--fail-with-body', ...args], { encoding: 'utf8' });
const as = (who: typeof viewer) => ['--user', who.join(':')];

it.skipIf(!hasCurl)('curl uploads a file, and goes on with a download that was cut', async () => {
  const world = await open();
  const port = await listenFor(world);
  const { path: folder, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await writeFile(from, bytes);
  const api = `http://127.0.0.1:${port}/API`;
  const target = `${api}/storage/VX-1/file/data?path=a.mov`;
  const octets = ['--header', 'content-type: application/octet-stream', '--header', 'accept: application/json'];
  const told = await curl(...as(uploader), ...octets, '--data-binary', `@${from}`, target);
  expect(JSON.parse(told.stdout)).toMatchObject({ state: 'CLOSED', hash: sha1, size: bytes.byteLength });
  await writeFile(to, bytes.subarray(0, 2 * mebibyte));
  const answer = await curl(
    ...as(viewer),
    '--continue-at',
    '-',
    '--output',
    to,
    '--write-out',
    '%{http_code} %{size_download}',
    `${api}/file/VX-1/data`,
  );
  expect(answer.stdout).toBe(`206 ${bytes.byteLength - 2 * mebibyte}`);
  expect(
    createHash('sha1')
      .update(await readFile(to))
      .digest('hex'),
  ).toBe(sha1);
});

it.skipIf(!hasCurl)('curl sends parts in any order', async () => {
  const world = await open();
  const api = `http://127.0.0.1:${await listenFor(world)}/API`;
  const { path: folder, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const half = 3 * mebibyte;
  const parts = [
    [half, bytes.subarray(half)],
    [0, bytes.subarray(0, half)],
  ] as const;
  for (const [index, part] of parts) {
    const file = join(folder, String(index));
    await writeFile(file, part);
    const headers = [`size: ${bytes.byteLength}`, `index: ${index}`, 'content-type: application/octet-stream'];
    await curl(
      ...as(uploader),
      ...headers.flatMap((header) => ['--header', header]),
      '--data-binary',
      `@${file}`,
      `${api}/storage/VX-1/file/data?path=a.mov&transferId=t`,
    );
  }
  expect(lies(world, 'a.mov')).toBe(sha1);
});
