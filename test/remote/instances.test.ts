import { hash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { request as ask, type ClientRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import { type Served, serveCli } from '../support/cli.ts';
import { basic } from '../support/matrix.ts';
import { openReceiver } from '../support/receiver.ts';
import { admin, type Credentials, testSecretKey } from '../support/service.ts';
import { sqldBinary, startPreparedSqld } from '../support/sqld.ts';
import { temporaryDirectory } from '../support/store.ts';

/** Uploads of each kind. */
const each = 6;
const size = 300_000;
const third = size / 3;
const octets = { 'content-type': 'application/octet-stream' };

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | object;
  readonly as?: Credentials;
}

/** Sends requests to instances in turn. Requests of an instance that ends are answered with 502. */
async function openProxy(ports: () => readonly number[]): Promise<string> {
  let turn = 0;
  const proxy = createServer((request, response) => {
    const among = ports();
    const { method, url: path, headers } = request;
    const onward: ClientRequest = ask({ port: among[turn++ % among.length], method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    onward.once('error', () => {
      // Rest of the body: its sender would wait for good.
      request.resume();
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { connection: 'close' }).end();
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function send(origin: string, request: string, { headers = {}, body, as = admin }: Sent = {}) {
  const [method = '', path = ''] = request.split(' ');
  const isBytes = body instanceof Uint8Array;
  const type = body && !isBytes ? { 'content-type': 'application/json' } : {};
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: basic(as), accept: 'application/json', ...type, ...headers },
    ...(body && { body: isBytes ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Answer to a key whose first request has made its job before its instance ended. */
const madeBefore = /it made job (VX-\d+)/;

/** Sends the same request again while its instance ends, as clients do. `enough`: text of a refusal that is an answer. */
async function insist(origin: string, request: string, sent: Sent = {}, enough?: RegExp): Promise<Answer> {
  for (let left = 150; ; left--) {
    const answer = await send(origin, request, sent).catch(() => undefined);
    if (answer && (answer.status < 300 || enough?.test(answer.text))) return answer;
    if (left === 0 || (answer && answer.status < 500 && answer.status !== 409)) {
      throw new Error(`${request}: ${answer?.status} ${answer?.text.slice(0, 300)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const bytesOf = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(size).fill(hash('sha1', name, 'buffer')[0]!);

async function importWhole(origin: string, name: string, storage: string): Promise<string> {
  const headers = { ...octets, 'idempotency-key': randomUUID() };
  const request = `POST /API/import/raw?storageId=${storage}&filename=${name}`;
  const { text } = await insist(origin, request, { headers, body: bytesOf(name) }, madeBefore);
  return madeBefore.exec(text)?.[1] ?? (JSON.parse(text) as { jobId: string }).jobId;
}

async function importInParts(origin: string, name: string, storage: string): Promise<string> {
  const bytes = bytesOf(name);
  let last = '';
  for (let index = 0; index < size; index += third) {
    const headers = { ...octets, size: String(size), index: String(index) };
    const request = `POST /API/import/raw?storageId=${storage}&filename=${name}&transferId=${name}`;
    last = (await insist(origin, request, { headers, body: bytes.slice(index, index + third) })).text;
  }
  return (JSON.parse(last) as { jobId: string }).jobId;
}

/** Gives the id of the file. */
async function uploadByTus(origin: string, name: string, storage: string): Promise<string> {
  const bytes = bytesOf(name);
  const named = (key: string, value: string) => `${key} ${Buffer.from(value).toString('base64')}`;
  const tus = { 'tus-resumable': '1.0.0' };
  const metadata = [named('storage', storage), named('path', `tus/${name}`)].join(',');
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata };
  const made = await insist(origin, 'POST /API/upload', { headers });
  const place = new URL(made.headers.get('location')!, origin).pathname;
  let file: string | null = null;
  for (let left = 150; left > 0 && file === null; left--) {
    const known = await insist(origin, `HEAD ${place}`, { headers: tus });
    const offset = Number(known.headers.get('upload-offset'));
    const piece = bytes.slice(offset, offset + third);
    const patch = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    const answer = await send(origin, `PATCH ${place}`, { headers: patch, body: piece }).catch(() => undefined);
    file = answer?.headers.get('portico-file') ?? known.headers.get('portico-file');
    if (!answer || answer.status >= 300) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return file!;
}

describe.skipIf(sqldBinary() === undefined)('three instances behind a proxy on one libsql-server', () => {
  it('lose nothing and do nothing twice when one is killed amid imports, parts, tus and deliveries', {
    timeout: 400_000,
  }, async () => {
    const [server, receiver, folder] = await Promise.all([
      startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] }),
      openReceiver(),
      temporaryDirectory(),
    ]);
    onTestFinished(async () => {
      await Promise.all([server.stop(), receiver.close()]);
      await folder.remove();
    });
    const media = join(folder.path, 'media');
    await mkdir(media);
    const start = async (name: string): Promise<Served> => {
      const root = join(folder.path, name);
      await mkdir(root, { recursive: true });
      const environment = {
        PORTICO_DATABASE: server.url,
        PORTICO_SECRET_KEY: testSecretKey.reveal(),
        PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
        PORTICO_STORAGE_ROOTS: media,
        PORTICO_ADMIN_PASSWORD: admin[1],
      };
      return serveCli({ root, environment });
    };
    const instances = await Promise.all(['one', 'two', 'three'].map(start));
    const ports = () => instances.map(({ port }) => port);
    const origin = await openProxy(ports);

    const method = [{ uri: `${pathToFileURL(media).href}/`, read: true, write: true, browse: true }];
    const stored = await insist(origin, 'POST /API/storage', { body: { type: 'LOCAL', method } });
    const storage = (JSON.parse(stored.text) as { id: string }).id;
    const action = { http: { url: receiver.address, contentType: 'application/json' } };
    await insist(origin, 'POST /API/job/notification', { body: { action, trigger: { job: { finished: '' } } } });

    const named = (kind: string) => Array.from({ length: each }, (_, index) => `${kind}-${index}`);
    const jobs = [
      ...named('whole').map((name) => importWhole(origin, name, storage)),
      ...named('parts').map((name) => importInParts(origin, name, storage)),
    ];
    const uploads = named('tus').map((name) => uploadByTus(origin, name, storage));
    await Promise.race(jobs);
    const killed = instances[0]!;
    killed.child.kill('SIGKILL');
    await killed.finished;
    const jobIds = await Promise.all(jobs);
    instances[0] = await start('one');
    const fileIds = await Promise.all(uploads);
    expect(new Set(jobIds).size).toBe(2 * each);
    expect(new Set(fileIds).size).toBe(each);

    const observer = openRemoteDatabase(server.url);
    onTestFinished(() => observer.close());
    const rows = (sql: string) => observer.read(sql);
    // A lease of the killed instance ends after a minute.
    const open = () => rows('SELECT id FROM job WHERE finished_at IS NULL UNION ALL SELECT id FROM publication');
    await expect.poll(open, { timeout: 200_000, interval: 500 }).toEqual([]);
    const told = () => receiver.received.map(({ body }) => /VX-\d+/.exec(/"jobId"[^}]*/.exec(body)?.[0] ?? body)?.[0]);
    await expect.poll(() => new Set(told()).size, { timeout: 120_000, interval: 1_000 }).toBe(2 * each);
    expect([...new Set(told())].toSorted()).toEqual(jobIds.toSorted());
    // A receiver that was told twice, by the killed instance and another one, sees the same id.
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(ids).size).toBe(2 * each);

    expect(await rows('SELECT count(*) FROM item')).toEqual([[2 * each]]);
    expect(await rows("SELECT count(*) FROM job WHERE status <> 'FINISHED'")).toEqual([[0]]);
    expect(await rows(`SELECT count(*) FROM file WHERE state <> 'CLOSED' OR size <> ${size}`)).toEqual([[0]]);
    expect(await rows('SELECT count(*) FROM file')).toEqual([[3 * each]]);
    expect(await rows('SELECT count(*), count(DISTINCT item_id), count(DISTINCT file_id) FROM file_use')).toEqual([
      [2 * each, 2 * each, 2 * each],
    ]);
    const twice = "SELECT entity_id FROM event WHERE name = 'job/stop' GROUP BY entity_id HAVING count(*) > 1";
    expect(await rows(twice)).toEqual([]);

    // Rights that one instance takes away are gone on the others at the next request.
    const ann = ['ann', 'password of ann'] as const;
    const direct = (at: number) => `http://127.0.0.1:${instances[at]!.port}`;
    await insist(direct(0), 'POST /API/user', { body: { userName: ann[0], password: ann[1] } });
    await insist(direct(0), `PUT /API/group/_administrator/user/${ann[0]}`);
    const mayList = (at: number) => send(direct(at), 'GET /API/user', { as: ann }).then(({ status }) => status);
    const everywhere = async () => [await mayList(0), await mayList(1), await mayList(2)];
    expect(await everywhere()).toEqual([200, 200, 200]);
    await insist(direct(1), `DELETE /API/group/_administrator/user/${ann[0]}`);
    expect(await everywhere()).toEqual([403, 403, 403]);
    await insist(direct(2), `DELETE /API/user/${ann[0]}`);
    expect(await everywhere()).toEqual([401, 401, 401]);
  });
});
