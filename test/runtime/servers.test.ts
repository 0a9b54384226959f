import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { createService } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { fetchWire } from '../../src/core/outbound/wire.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { startServer } from '../../src/entry/start-server.ts';
import { describeBearer } from './bearer.ts';
import { describeLogins } from './logins.ts';
import { adminPassword } from './password.ts';
import { checkScripts } from './scripts.ts';
import { describeSearchEngine } from './search-engine.ts';
import { describeService } from './service.ts';
import { checkStylesheets } from './stylesheets.ts';

const root = await mkdtemp(join(tmpdir(), 'portico-runtime-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const settingsIn = (folder: string) =>
  readSettings({
    PORTICO_ROOT: join(root, folder),
    PORTICO_PORT: '0',
    PORTICO_ADMIN_PASSWORD: adminPassword,
    PORTICO_LOG_LEVEL: 'error',
  });

describe('scripts', () => {
  it('run on this runtime, and see nothing of it', checkScripts);
});

describe('stylesheets', () => {
  it('are carried out on this runtime, and see nothing of it', checkStylesheets);
});

describeService({
  scrypt,
  password: adminPassword,
  async open() {
    const settings = settingsIn('service');
    const service = createService(settings, await hostPlatform(settings, console.log));
    await service.start();
    return { fetch: (request) => service.fetch(request), close: () => service.close() };
  },
});

/** A request as it is written, which `fetch` would tidy up, and the status of its answer. */
function statusOfRaw(address: string, target: string, headers = ['Host: portico.test']): Promise<number> {
  const { hostname, port } = new URL(address);
  const authorization = `Basic ${btoa(`admin:${adminPassword}`)}`;
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1])));
    const lines = [`GET ${target} HTTP/1.1`, ...headers, `Authorization: ${authorization}`, 'Connection: close'];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

describeBearer();

describeLogins({
  password: adminPassword,
  async open(security, network) {
    const settings = { ...settingsIn('logins'), secondFactor: 'optional', passkeyLogin: true } as const;
    const platform = await hostPlatform(settings, console.log);
    const service = createService(settings, { ...platform, wire: fetchWire(network) }, security);
    await service.start();
    return { fetch: (request) => service.fetch(request, { secure: true }), close: () => service.close() };
  },
});

describeSearchEngine({
  password: adminPassword,
  async open(security, network) {
    const settings = settingsIn('search');
    const platform = await hostPlatform(settings, console.log);
    const service = createService(settings, { ...platform, wire: fetchWire(network) }, security);
    await service.start();
    return {
      fetch: (request) => service.fetch(request),
      close: () => service.close(),
      tick: () => service.tick(1000),
    };
  },
});

describe('the server', () => {
  it('sees targets as they were sent, before anything tidied them', async () => {
    const running = await startServer(settingsIn('raw'), () => {});
    try {
      const answers: Record<string, number> = {
        '/whoami': 200,
        '//whoami': 200,
        '/user/../whoami': 200,
        '/whoami;a=b': 200,
        'http://portico.test/whoami': 200,
        '/user/%2e%2e/whoami': 400,
        '/user/.%2e/whoami': 400,
        '/user\\..\\whoami': 400,
        '/../whoami': 400,
        '/whoami%2f': 400,
        '/whoami#a': 400,
      };
      const found: Record<string, number> = {};
      for (const target of Object.keys(answers)) found[target] = await statusOfRaw(running.address, target);
      expect(found).toEqual(answers);
    } finally {
      await running.stop();
    }
  });

  it('a Host that decides the path, a header behind a thousand others: neither gets through', async () => {
    const running = await startServer(settingsIn('whole'), () => {});
    const thousand = Array.from({ length: 1200 }, () => 'a:');
    const host = 'Host: portico.test';
    try {
      const status = (...headers: string[]) => statusOfRaw(running.address, '/whoami', headers);
      expect(await status(host)).toBe(200);
      for (const name of ['a/API/whoami?', 'a@b', 'a#', 'a b', 'a,b', 'a:99999', '']) {
        expect([name, await status(`Host: ${name}`)]).toEqual([name, 400]);
      }
      expect(await status(host, 'Host: elsewhere')).toBe(400);
      // Taken into account, or refused as too many.
      expect([400, 401, 431]).toContain(await status(host, ...thousand, 'RunAs: ghost'));
      expect(await status(host, 'Content-Type: a/b', 'Content-Type: c/d')).toBe(400);
    } finally {
      await running.stop();
    }
  });

  it('tells a receiver what it has committed, signed', async () => {
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes) => {
        body += bytes;
      });
      request.on('end', () => {
        response.end();
        came({ headers: request.headers as Record<string, string>, body });
      });
    });
    let came = (_delivery: { headers: Record<string, string>; body: string }) => {};
    const delivery = new Promise<Parameters<typeof came>[0]>((resolve) => {
      came = resolve;
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const running = await startServer({ ...settingsIn('deliveries'), outboundAllow: ['127.0.0.1'] }, () => {});
    try {
      const ask = async (method: string, path: string, body?: object) => {
        const headers = {
          authorization: `Basic ${btoa(`admin:${adminPassword}`)}`,
          'content-type': 'application/json',
          accept: 'application/json, text/plain;q=0.5',
        };
        const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
        const answer = await fetch(`${running.address}/API${path}`, init);
        const text = await answer.text();
        expect(answer.status, text).toBe(200);
        return text;
      };
      const { port } = receiver.address() as AddressInfo;
      const http = { url: `http://127.0.0.1:${port}/hook`, contentType: 'application/json' };
      const registered = await ask('POST', '/group/notification', {
        action: { http },
        trigger: { group: { create: '' } },
      });
      const { secret } = JSON.parse(await ask('POST', `/group/notification/${JSON.parse(registered).uri[0]}/secret`));
      await ask('PUT', '/group/told');
      const { headers, body } = await delivery;
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        field: expect.arrayContaining([{ key: 'group', value: 'told' }]),
      });
    } finally {
      await running.stop();
      receiver.close();
    }
  });

  it('listens, answers, and stops', async () => {
    const said: string[] = [];
    const running = await startServer(settingsIn('server'), (text) => said.push(text));
    try {
      expect(said).toEqual([`web page at ${running.address}/ui/`, `portico listening on ${running.address}`]);
      const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}` };
      const ask = (path: string, init: RequestInit = {}) => fetch(running.address + path, { ...init, headers });
      const answer = await ask('/API/whoami');
      expect([answer.status, await answer.text()]).toEqual([200, 'admin']);
      expect((await fetch(`${running.address}/whoami`)).status).toBe(401);
      expect((await ask('/a%2fb')).status).toBe(400);
      const page = await fetch(`${running.address}/ui/item/VX-1`);
      const script = /src="(\/ui\/[\w-]+\.js)"/.exec(await page.text())![1]!;
      const program = await fetch(running.address + script);
      expect([program.status, (await program.text()).length]).toEqual([200, expect.any(Number)]);
      const body = JSON.stringify({ userName: 'ann' });
      const created = await fetch(`${running.address}/user`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      expect(created.status).toBe(200);
      expect((await ask('/user/ann', { method: 'HEAD' })).status).toBe(200);
    } finally {
      await running.stop();
    }
    await expect(fetch(running.address)).rejects.toThrow();
  });
});
