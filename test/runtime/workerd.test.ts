import { env, exports } from 'cloudflare:workers';
import bundled from 'portico-bundle';
import { describe, expect, it, vi } from 'vitest';
import scriptEngine from '../../node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { fetchWire } from '../../src/core/outbound/wire.ts';
import { runHere } from '../../src/core/scripts/run-here.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { edgeModule, edgeService } from '../../src/entry/edge.ts';
import { fixLength } from '../../src/entry/fixed-length.ts';
import { describeBearer } from './bearer.ts';
import { describeLogins } from './logins.ts';
import { adminPassword } from './password.ts';
import { checkScripts } from './scripts.ts';
import { describeSearchEngine } from './search-engine.ts';
import { describeService } from './service.ts';
import { checkStylesheets } from './stylesheets.ts';

describeService({
  scrypt,
  password: adminPassword,
  async open() {
    const service = edgeService(env);
    return { fetch: (request) => service.fetch(request), close: () => service.close() };
  },
});

describeBearer();

describeLogins({
  password: adminPassword,
  async open(security, network) {
    const more = { PORTICO_SECOND_FACTOR: 'optional', PORTICO_PASSKEY_LOGIN: 'true' };
    const service = edgeService({ ...env, ...more }, security, { wire: fetchWire(network) });
    return { fetch: (request) => service.fetch(request, { secure: true }), close: () => service.close() };
  },
});

describeSearchEngine({
  password: adminPassword,
  async open(security, network) {
    const service = edgeService(env, security, { wire: fetchWire(network) });
    return {
      fetch: (request) => service.fetch(request),
      close: () => service.close(),
      tick: () => service.tick(1000),
    };
  },
});

describe('stylesheets', () => {
  it('are carried out on this runtime, and see nothing of it', checkStylesheets);
});

describe('the module that is deployed', () => {
  it('answers many requests at once, none waiting for a promise of another', async () => {
    const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}` };
    const ask = (path: string, method = 'GET') =>
      exports.default.fetch(`http://portico.test${path}`, { method, headers });
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => ask('/API/whoami')),
      ...Array.from({ length: 4 }, (_, index) => ask(`/group/at-once-${index}`, 'PUT')),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(200));
  });

  it('knows the address of a caller from the platform, or the proxy in its place', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.7' };
    const answer = await exports.default.fetch('http://portico.test/whatismyipaddress', { headers });
    expect([answer.status, await answer.text()]).toEqual([200, '203.0.113.7']);
  });
});

describe('a call to another machine', () => {
  const [address, settings] = [
    `${env['PORTICO_DATABASE']}/health`,
    { method: 'GET', timeout: 10_000, mostBytes: 100 } as const,
  ];
  const ask = (allow: readonly string[], url: string) =>
    createOutbound({ wire: fetchWire(fetch), allow, clock: systemClock })
      .call({ ...settings, url })
      .then(
        ({ status }) => status,
        (error) => error.kind,
      );

  it('goes to public addresses, and to others where the list says so', async () => {
    expect(await ask(['127.0.0.1'], address)).toBe(200);
    for (const url of [address, 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/']) {
      expect(await ask([], url)).toBe('blocked');
    }
  });
});

describe('a streamed call to another machine', () => {
  const { stream } = createOutbound({ wire: fetchWire(fetch, fixLength), allow: ['127.0.0.1'], clock: systemClock });
  const limits = { answerWithin: 10_000, idle: 10_000 };

  it('streams an answer, and a body of known length, under the same address policy', async () => {
    const health = await stream({ url: `${env['PORTICO_DATABASE']}/health`, method: 'GET', ...limits });
    expect(health.status).toBe(200);
    await new Response(health.body).text();
    const text = JSON.stringify({ requests: [{ type: 'close' }] });
    const bodies = [
      { body: text },
      { body: new Blob([text]).stream(), length: text.length },
      { body: new Blob([text]).stream() },
    ];
    for (const body of bodies) {
      const url = `${env['PORTICO_DATABASE']}/v2/pipeline`;
      const headers = { 'content-type': 'application/json' };
      const answer = await stream({ url, method: 'POST', headers, ...body, ...limits });
      expect([answer.status, await new Response(answer.body).text()]).toEqual([200, expect.stringContaining('close')]);
    }
    const refused = stream({ url: 'http://169.254.169.254/', method: 'GET', ...limits });
    await expect(refused).rejects.toMatchObject({ kind: 'blocked' });
  });
});

describe('scripts', () => {
  it('run with the engine that the module brings along, and are ended when they do not end', async () => {
    await expect(runHere('1 + 1', {}, [])).rejects.toThrow('Expected an edge that brings the engine');
    edgeModule(undefined, { scriptEngine });
    await checkScripts();
  });
});

describe('notifications', () => {
  const environment = {
    ...env,
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_SECRET_KEY: 'A'.repeat(43),
    PORTICO_DELIVERY_RETRIES: '1',
    PORTICO_DELIVERY_PAUSE_FIRST: '1',
  };
  const module = edgeModule();
  const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}`, 'content-type': 'application/json' };

  /** An answer, and what it lets go on behind it. */
  async function ask(method: string, path: string, body?: object) {
    const behind: Promise<unknown>[] = [];
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const context = { waitUntil: (work: Promise<unknown>) => void behind.push(work) };
    const answer = await module.fetch(new Request(`http://portico.test${path}`, init), environment, context);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    await Promise.all(behind);
    return text;
  }

  it('are delivered behind the answer, signed; what fails, by the timer', async () => {
    // Whatever it says: it was called.
    const http = { url: `${env['PORTICO_DATABASE']}/health`, contentType: 'application/json' };
    const list = await ask('POST', '/API/group/notification', { action: { http }, trigger: { group: { create: '' } } });
    const id = /<uri>([\w-]+)</.exec(list)![1];
    const path = `/API/group/notification/${id}`;
    await ask('POST', `${path}/secret`);
    await ask('PUT', '/API/group/told-on-an-edge');
    await module.scheduled(undefined, environment);
    const attempts = await ask('GET', `${path}/delivery`);
    expect(attempts).toMatch(/<entity>told-on-an-edge</);
    expect(attempts).toMatch(/<status>\d+</);
    expect(await ask('GET', `${path}/health`)).toMatch(/<waiting>0</);
    await ask('DELETE', path);
  });
});

describe('the audit log', () => {
  const environment = { ...env, PORTICO_AUDIT_ROWS: '4' };
  const module = edgeModule();

  /** A request without credentials, and what it lets go on behind its answer. */
  async function refuse(path: string, behind?: Promise<unknown>[]): Promise<void> {
    const context = behind && { waitUntil: (work: Promise<unknown>) => void behind.push(work) };
    const answer = await module.fetch(new Request(`http://portico.test/API/${path}`), environment, context);
    expect([answer.status, await answer.text()]).toEqual([401, '']);
  }

  it('has an entry before the answer, and is swept behind the answer of a read', async () => {
    const service = edgeService(env);
    const count = async (where: string) =>
      Number((await service.store.read(`SELECT count(*) FROM audit WHERE ${where}`))[0]![0]);
    await Promise.all(Array.from({ length: 12 }, (_, index) => refuse(`flood-${index}`)));
    expect(await count(`path LIKE '/flood-%'`)).toBe(12);
    const behind: Promise<unknown>[] = [];
    await refuse('flood-last', behind);
    await Promise.all(behind);
    expect(await count('user IS NULL')).toBe(2);
    await service.close();
  });
});

describe('the module that portico bundle writes', () => {
  it('lets in whom the realm of its plugin knows, and the users of the service', async () => {
    const whoami = async (user: string, password: string) => {
      const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
      const answer = await bundled.fetch(new Request('http://portico.test/API/whoami', { headers }), env);
      return [answer.status, await answer.text()];
    };
    expect(await whoami('eve', 'welcome to the party')).toEqual([200, 'eve']);
    expect(await whoami('eve', 'welcome')).toEqual([401, '']);
    expect(await whoami('admin', adminPassword)).toEqual([200, 'admin']);
  });
});

describe('calls to the database', () => {
  const headers = { authorization: `Basic ${btoa(`admin:${adminPassword}`)}`, accept: 'application/json' };
  const json = { ...headers, 'content-type': 'application/json' };
  const search = {
    field: [{ name: 'title', value: [{ value: 'b' }] }],
    facet: [{ field: 'title' }, { field: 'mediaType' }],
  };

  it('are few, and one where work finds nothing', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const service = edgeService({ ...env, PORTICO_LOG_LEVEL: 'info' });
    const lastCalls = () => Number(JSON.parse(String(printed.mock.calls.at(-1)![0])).calls);
    const ask = async (method: string, path: string, body?: object) => {
      const init = { method, headers: body ? json : headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await service.fetch(new Request(`http://portico.test/API${path}`, init));
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return { calls: lastCalls(), text };
    };
    const titled = (value: string) => ({
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
    });
    const item = async () => JSON.parse((await ask('POST', '/import/placeholder?container=1')).text).id as string;
    try {
      const first = await ask('GET', '/whoami');
      const id = await item();
      // The first requests reserve ids and keep definitions.
      for (const value of ['a', 'b']) await ask('PUT', `/item/${id}/metadata`, titled(value));
      await ask('PUT', '/item?content=metadata&field=title', search);
      await ask('POST', '/user', { userName: 'counted-0' });
      await vi.waitUntil(async () => ((await service.tick(10_000)) ?? 0) > 0);
      const found = {
        first: first.calls,
        whoami: (await ask('GET', '/whoami')).calls,
        item: (await ask('GET', `/item/${id}`)).calls,
        user: (await ask('POST', '/user', { userName: 'counted-1' })).calls,
        metadata: (await ask('PUT', `/item/${id}/metadata`, titled('c'))).calls,
        placeholder: (await ask('POST', '/import/placeholder?container=1')).calls,
        search: (await ask('PUT', '/item?content=metadata&field=title', { field: search.field })).calls,
        facets: (await ask('PUT', '/item?content=metadata&field=title', search)).calls,
      };
      await service.afterAnswer(true, 10_000);
      const [behind, tick] = [lastCalls(), await service.tick(10_000).then(lastCalls)];
      const max: Readonly<Record<string, number>> = {
        first: 4,
        whoami: 1,
        item: 1,
        user: 2,
        metadata: 2,
        placeholder: 3,
        search: 4,
        facets: 5,
        behind: 1,
        tick: 1,
      };
      const over = Object.entries({ ...found, behind, tick }).filter(([what, calls]) => calls > max[what]!);
      expect(over).toEqual([]);
    } finally {
      printed.mockRestore();
      await service.close();
    }
  });
});
