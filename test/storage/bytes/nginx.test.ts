import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProgram } from '../../../src/entry/media/child/find-program.ts';
import { basic } from '../../support/matrix.ts';
import { sendRaw } from '../../support/raw.ts';
import { sqlIn } from '../../support/requests.ts';
import { stranger, uploader } from '../../support/world.ts';
import { openHandOver } from './handing-over.ts';

const program = await findProgram('nginx');
if (program === undefined) console.log('The hand-over to nginx is left out: it is not on the path');

/** The locations that the page about proxies gives to operators. */
const documented = /```nginx\n(.*?)```/s.exec(await readFile('docs/operate/proxies.md', 'utf8'))![1]!;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** nginx with the documented locations in front of a service. `more`: other lines of its server. */
async function openNginx(more = '') {
  const opened = await openHandOver({}, { settings: { corsOrigins: ['https://page.example'] } });
  const { root, media } = opened;
  // Workers of nginx may run as another user.
  for (const folder of [root, media]) await chmod(folder, 0o755);
  const port = await freePort();
  const locations = documented
    .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${opened.port}`)
    .replaceAll('/srv/media/', `${media}/`);
  expect(locations).not.toContain('/srv/');
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${root}/tmp-${name};`,
  );
  const config = `daemon off; master_process off; worker_processes 1; pid ${root}/nginx.pid; error_log ${root}/error.log;
    events { worker_connections 64; }
    http { access_log off; ${files.join(' ')} server { listen 127.0.0.1:${port}; ${locations} ${more} } }`;
  await writeFile(join(root, 'nginx.conf'), config);
  const child = spawn(program!, ['-e', join(root, 'error.log'), '-p', root, '-c', join(root, 'nginx.conf')]);
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  onTestFinished(() => stopped(child));
  await answers(port, child, () => said);
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', as = uploader) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization: basic(as), ...headers } });
  /** As a program beside the proxy asks. */
  const direct = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${opened.port}${path}`, {
      method,
      headers: { authorization: basic(uploader), ...headers },
    });
  return { ...opened, forwarded: opened.ask, nginx: port, ask, direct };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Resolves once nginx accepts connections. */
async function answers(port: number, child: ChildProcess, said: () => string): Promise<void> {
  while (child.exitCode === null) {
    const isUp = await fetch(`http://127.0.0.1:${port}/API/version`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
  throw new Error(`nginx has ended: ${said()}`);
}

const hello = '0123456789';
/** Headers of a connection and of a server. nginx tells of ranges with whole files alone. */
const others = new Set(['accept-ranges', 'connection', 'keep-alive', 'date', 'server', 'transfer-encoding']);
const seen = async (answer: Response) => {
  const headers = [...answer.headers].filter(([name]) => !others.has(name));
  return { status: answer.status, headers: Object.fromEntries(headers), body: await answer.text() };
};

describe.skipIf(program === undefined)('behind nginx', () => {
  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { range: 'bytes=0-3' }],
    ['GET', { range: 'bytes=4-6' }],
    ['GET', { range: 'bytes=4-' }],
    ['GET', { range: 'bytes=-3' }],
    ['GET', { range: 'bytes=8-99' }],
    ['GET', { range: 'bytes=99-' }],
    ['GET', { range: 'bytes=x' }],
    ['GET', { range: 'bytes=0-1', 'if-range': 'ETAG' }],
    ['GET', { range: 'bytes=0-1', 'if-range': '"other"' }],
    ['GET', { range: 'bytes=0-1', 'if-range': 'MODIFIED' }],
    ['HEAD', { range: 'bytes=0-1' }],
    ['GET', { 'if-none-match': 'ETAG' }],
    ['GET', { 'if-none-match': '"other"', 'if-modified-since': 'MODIFIED' }],
    ['GET', { 'if-modified-since': 'MODIFIED' }],
    ['GET', { 'if-match': 'ETAG' }],
    ['GET', { 'if-match': '"other"' }],
    ['GET', { 'if-unmodified-since': 'MODIFIED' }],
    ['GET', { origin: 'https://page.example' }],
    ['GET', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }],
    ['GET', { 'x-request-id': 'mine-1' }],
  ] as [string, Record<string, string>][])(
    'an answer is that of the service itself: %s %j',
    async (method, conditions) => {
      const { put, ask, direct } = await openNginx();
      const path = `/API/file/${await put('in/a.mov', hello)}/data`;
      const whole = await direct(path);
      await whole.text();
      const values: Record<string, string> = {
        ETAG: whole.headers.get('etag')!,
        MODIFIED: whole.headers.get('last-modified')!,
      };
      const headers = Object.fromEntries(
        Object.entries(conditions).map(([name, value]) => [name, values[value] ?? value]),
      );
      const [through, itself] = [
        await seen(await ask(path, headers, method)),
        await seen(await direct(path, headers, method)),
      ];
      const withoutId = ({ body, ...rest }: typeof through) => ({ ...rest, body: body.replace(/"id":"[^"]*"/g, '') });
      delete through.headers['x-request-id'];
      delete itself.headers['x-request-id'];
      expect(withoutId(through)).toEqual(withoutId(itself));
    },
  );

  it('several ranges come as parts of the type of the file', async () => {
    const { put, ask } = await openNginx();
    const answer = await ask(`/API/file/${await put('a.mov', hello)}/data`, { range: 'bytes=0-1,-2' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      206,
      expect.stringMatching(/^multipart\/byteranges; boundary=/),
    ]);
    const body = await answer.text();
    expect(body.match(/Content-Type: application\/octet-stream/g)).toHaveLength(2);
    expect(body).toMatch(/bytes 0-1\/10\r\n\r\n01\r\n.*bytes 8-9\/10\r\n\r\n89\r\n/s);
  });

  it('a file with any name is that file', async () => {
    const { world, ask, forwarded, media } = await openNginx();
    const names = [
      'a b.mov',
      'ä€😀.mov',
      '100%.mov',
      '%41.mov',
      'a?b=c.mov',
      'a#b.mov',
      'a\nb.mov',
      '%2e%2e%2fx',
      '...',
      'a;b',
      'a\\b',
      'a+b&c',
      '@a',
    ];
    const columns = 'id, serial, storage_id, path, folder, name, extension, state, changed_at, timestamp, version';
    await mkdir(join(media, 'in ä?'));
    for (const [index, name] of names.entries()) {
      await writeFile(join(media, 'in ä?', name), `bytes of ${name}`);
      const values = [`VX-${index + 1}`, index + 1, `in ä?/${name}`, 'in ä?', name];
      await sqlIn(
        world,
        `INSERT INTO file (${columns}) VALUES (?, ?, 'VX-1', ?, ?, ?, '', 'CLOSED', 0, 0, 1)`,
        ...values,
      );
    }
    for (const [index, name] of names.entries()) {
      const path = `/API/file/VX-${index + 1}/data`;
      const answer = await ask(path);
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, `bytes of ${name}`]);
      // So it was nginx that sent them.
      expect(await (await forwarded(path)).text()).toBe('');
    }
  });

  it('a caller without the right gets no byte, and nobody gets a file by its internal location', async () => {
    const { put, ask, nginx } = await openNginx();
    const id = await put('a.mov', hello);
    const refused = await ask(`/API/file/${id}/data`, {}, 'GET', stranger);
    expect([refused.status, (await refused.text()).includes(hello)]).toEqual([403, false]);
    for (const target of ['/portico-media/a.mov', '/portico-media/../portico-media/a.mov', '/portico%2dmedia/a.mov']) {
      const answer = await sendRaw(nginx, { target, headers: [`Authorization: ${basic(uploader)}`] });
      expect([target, answer.status, answer.body.includes(hello)]).toEqual([target, 404, false]);
    }
    const headers = ['X-Accel-Redirect: /portico-media/a.mov', 'X-Sendfile: /etc/passwd'];
    const forged = await sendRaw(nginx, { target: '/API/file/VX-99/data', headers });
    expect([forged.status, forged.body.includes(hello)]).toEqual([401, false]);
    const shown = await ask(`/API/file/${id}/data`);
    expect([shown.headers.get('x-accel-redirect'), await shown.text()]).toEqual([null, hello]);
  });

  it('a link that comes behind the look of the service shows no other file', async () => {
    const { root, media, nginx, put } = await openNginx(`location /raced/ {
      proxy_pass http://127.0.0.1:$arg_port;
    }`);
    await put('in/a.mov', hello);
    await writeFile(join(root, 'secret.txt'), 'secret');
    await symlink(join(root, 'secret.txt'), join(media, 'link.txt'));
    await symlink(root, join(media, 'linked'));
    // The stand-in names files without checking them, as if a link came between the check and the transfer.
    const naming = createHttp((request, response) => {
      response.setHeader('x-accel-redirect', new URL(request.url!, 'http://x').searchParams.get('to')!);
      response.end();
    });
    await new Promise<void>((resolve) => naming.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void naming.close());
    const at = (naming.address() as AddressInfo).port;
    const open = async (to: string) => {
      const answer = await fetch(`http://127.0.0.1:${nginx}/raced/?port=${at}&to=${encodeURIComponent(to)}`);
      return [answer.status, (await answer.text()).includes('secret')];
    };
    expect(await open('/portico-media/in/a.mov')).toEqual([200, false]);
    for (const to of ['link.txt', 'linked/secret.txt', 'in/../../secret.txt', '%2e%2e/secret.txt', '..%2fsecret.txt']) {
      expect([to, (await open(`/portico-media/${to}`))[1]]).toEqual([to, false]);
    }
  });

  it('an uploaded script is sent, and not run by another location', async () => {
    const { put, ask } = await openNginx('location ~ \\.php$ { return 200 "has run"; }');
    const answer = await ask(`/API/file/${await put('a.php', '<?php')}/data`);
    expect([answer.status, await answer.text()]).toEqual([200, '<?php']);
  });

  it('a file of 1 GB comes whole', async () => {
    const { put, ask, media } = await openNginx();
    const size = 1024 ** 3;
    const id = await put('film.mov', hello);
    // Holes: the disk of a test machine may be small.
    await truncate(join(media, 'film.mov'), size);
    const answer = await ask(`/API/file/${id}/data`);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)]);
    let count = 0;
    const hash = createHash('sha1');
    for await (const piece of answer.body!) {
      if (count === 0) hash.update(piece.subarray(0, 10));
      count += piece.byteLength;
    }
    expect([count, hash.digest('hex')]).toEqual([size, createHash('sha1').update(hello).digest('hex')]);
  }, 120_000);
});
