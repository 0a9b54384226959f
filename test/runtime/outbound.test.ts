import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { hostWire } from '../../src/entry/wire.ts';
import type { OutboundMethod } from '../../src/spi/index.ts';
import { selfSigned } from '../realms/ldap/certificate.ts';

async function listen(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A name that no resolver knows, so that only the address that was checked can lead there. */
const names: Readonly<Record<string, readonly string[]>> = {
  'mam.internal': ['127.0.0.1'],
  'other.internal': ['127.0.0.1'],
};
const certificate = selfSigned('mam.internal');
/** For 127.0.0.1. */
const numbered = selfSigned();

/** How a program is started on each runtime, without the name of the runtime. */
const commands: Readonly<Record<string, () => Promise<string[]>>> = {
  node: async () => ['--import', 'tsx'],
  bun: async () => ['--no-install'],
  deno: async () => {
    const { tasks } = JSON.parse(await readFile('deno.json', 'utf8'));
    // Behind the build of the web page.
    const task: string = tasks.start.split(' && ').at(-1);
    return task.split(' ').filter((word) => word === 'run' || word.startsWith('-'));
  },
};

const outboundWith = (allow: readonly string[]) => {
  const wire = { ...hostWire({ ca: certificate.cert }), resolve: async (host: string) => names[host] ?? [] };
  const { call } = createOutbound({ wire, allow, clock: systemClock });
  return (url: string) =>
    call({ url, method: 'POST', body: 'hello', timeout: 10_000, mostBytes: 100 }).then(
      ({ status, text, address }) => `${status} ${text} at ${address}`,
      (error) => error.kind,
    );
};

describe('a call to another machine', () => {
  it('connects to the address that was checked, and tells the name', async () => {
    const port = await listen(createPlainServer((request, response) => response.end(request.headers.host)));
    const url = `http://mam.internal:${port}/`;
    for (const _again of [1, 2]) {
      expect(await outboundWith(['127.0.0.1'])(url)).toBe(`200 mam.internal:${port} at 127.0.0.1`);
    }
    expect(await outboundWith([])(url)).toBe('blocked');
  });

  it('verifies the certificate for the name', async () => {
    const port = await listen(createSecureServer(certificate, (_request, response) => response.end('secret')));
    const call = outboundWith(['127.0.0.1']);
    expect(await call(`https://mam.internal:${port}/`)).toBe('200 secret at 127.0.0.1');
    expect(await call(`https://other.internal:${port}/`)).toBe('tls');
  });

  it('streams a body and its answer, hands redirects back, and closes the connection of a cancelled body', async () => {
    let closed = 0;
    const server = createPlainServer((request, response) => {
      request.socket.once('close', () => closed++);
      if (request.url === '/away') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      if (request.url === '/endless') return void response.write('begun');
      response.writeHead(request.method === 'HEAD' ? 204 : 200, {
        'x-length': request.headers['content-length'] ?? '',
      });
      return void request.pipe(response);
    });
    const port = await listen(server);
    const { stream } = createOutbound({ wire: hostWire(), allow: ['127.0.0.1'], clock: systemClock });
    const limits = { answerWithin: 10_000, idle: 10_000 };
    const ask = (path: string, method: OutboundMethod, more: object = {}) =>
      stream({ url: `http://127.0.0.1:${port}${path}`, method, ...limits, ...more });

    const length = 4_194_304;
    for (const more of [{ length }, {}]) {
      const body = new Blob([new Uint8Array(length)]).stream();
      const echo = await ask('/', 'PUT', { body, ...more });
      expect([echo.status, echo.headers.get('x-length')]).toEqual([200, more.length === undefined ? '' : `${length}`]);
      expect((await new Response(echo.body).arrayBuffer()).byteLength).toBe(length);
    }
    expect((await ask('/', 'HEAD')).status).toBe(204);
    expect((await ask('/away', 'DELETE')).status).toBe(302);
    await expect(stream({ url: 'http://127.0.0.2/', method: 'GET', ...limits })).rejects.toMatchObject({
      kind: 'blocked',
    });

    const before = closed;
    await (await ask('/endless', 'GET')).body.cancel();
    await expect.poll(() => closed, { timeout: 10_000 }).toBeGreaterThan(before);
  });

  /** In a process of its own: the runtimes read all of this once, when they start. */
  it('needs no more than the permissions of the start task, trusts added authorities, and goes by no proxy', async () => {
    const plain = await listen(createPlainServer((_request, response) => response.end('plain')));
    const secure = await listen(createSecureServer(numbered, (_request, response) => response.end('secure')));
    const folder = await mkdtemp(join(tmpdir(), 'portico-call-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const authorities = join(folder, 'ca.pem');
    await writeFile(authorities, numbered.cert);
    const proxy = 'http://127.0.0.1:9';
    const proxies = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy };
    const env = { ...process.env, ...proxies, NODE_EXTRA_CA_CERTS: authorities };
    const words = await commands[inject('runtime').replace(/\d+$/, '')]!();
    const command = [...words, 'test/runtime/call.ts', `http://127.0.0.1:${plain}/`, `https://127.0.0.1:${secure}/`];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    expect(stdout.split(/\r?\n/)).toEqual(['plain', 'secure', '']);
  });
});
