import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallCount } from '../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import { edgeModule, edgeService } from '../../src/entry/edge.ts';
import { settle } from '../support/clock.ts';
import { basic, openWorld } from '../support/matrix.ts';
import { admin, testSecretKey } from '../support/service.ts';
import { type Sqld, sqldBinary, startPreparedSqld, startSqld } from '../support/sqld.ts';
import { browserAt, logIn, ofPage } from '../support/ways.ts';
import { record } from './recorded.ts';

const title = (text: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: text }] }] }],
});
const both = 'text/event-stream, application/json;q=0.9';
const facet = [{ field: 'mediaType', count: true }];
const list = 'content=metadata,thumbnail&terse=true&noauth-url=true&interval=generic&field=title,mediaType,created';

/** As the web page asks. `%`: one item of ten. */
const requests: readonly (readonly [name: string, request: string, body?: object])[] = [
  ['`GET /whoami`', 'GET /whoami'],
  ['`GET /user/{name}`', 'GET /user/eve'],
  ['First page of the library', `PUT /item?${list}&number=100&cursor=*&count=true`, {}],
  ['A search', 'PUT /item?number=10', { text: ['harbour'] }],
  ['Its facets', 'PUT /item?number=0&count=false', { text: ['harbour'], facet }],
  ['A search with its facets', 'PUT /item?number=20', { text: ['harbour'], facet }],
  ['An item, with all that its page shows', 'GET /item/%?content=metadata,shape,thumbnail,poster,access'],
  ['Fields', 'GET /metadata-field?data=*&includeValues=true'],
  ['Jobs', 'GET /job?metadata=true&step=true&user=false&sort=jobId+desc&number=50'],
];

describe.skipIf(sqldBinary() === undefined)('calls of an edge to its database', () => {
  let server: Sqld;
  let calls = 0;
  let cookie = '';
  const module = edgeModule();
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startPreparedSqld({ PORTICO_ADMIN_PASSWORD: admin[1] });
    environment = {
      PORTICO_DATABASE: server.url,
      PORTICO_LOG_LEVEL: 'error',
      // A slow machine must not look like a database that is away.
      PORTICO_DATABASE_TIMEOUT: '60000',
      PORTICO_SECRET_KEY: testSecretKey.reveal(),
    };
    // Rows that were read ahead grow old by the clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    const network = globalThis.fetch;
    vi.stubGlobal('fetch', (...given: Parameters<typeof fetch>) => {
      if (String(given[0]).startsWith(server.url)) calls++;
      return network(...given);
    });
    for (let number = 0; number < 10; number++) await ask('POST /import/placeholder', title(`Harbour ${number}`));
    await ask('POST /user', { userName: 'eve', password: 'a long pass phrase' });
    const { headers } = await ask('POST /session');
    cookie = headers.get('set-cookie')!.split(';')[0]!;
  });
  afterAll(async () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    await server.stop();
  });

  async function ask(request: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const [method = '', path = ''] = request.split(' ');
    const behind: Promise<unknown>[] = [];
    const init = {
      method,
      headers: {
        ...(cookie === '' ? { authorization: basic(admin) } : { cookie }),
        ...{ accept: 'application/json', 'portico-ui': '1', origin: 'https://portico.test', host: 'portico.test' },
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const context = { waitUntil: (work: Promise<unknown>) => void behind.push(work) };
    const before = calls;
    const answer = await module.fetch(new Request(`https://portico.test/API${path}`, init), environment, context);
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    if (isStream) await answer.body!.cancel();
    const text = isStream ? '' : await answer.text();
    const asked = calls - before;
    await Promise.all(behind);
    expect(answer.status, `${request}: ${text}`).toBeLessThan(400);
    return { status: answer.status, headers: answer.headers, text, calls: asked };
  }

  it('are few for usual requests, the first time and the third', async () => {
    await ask('GET /whoami');
    const measured: Record<string, readonly [number, number]> = {};
    for (const [name, request, body] of requests) {
      const times: number[] = [];
      for (const item of ['VX-1', 'VX-2', 'VX-3']) times.push((await ask(request.replace('%', item), body)).calls);
      measured[name] = [times[0]!, times[2]!];
    }
    await record(measured);
  });

  it('are one where a tab asks for news, and nothing is new', async () => {
    const first = await ask('GET /event?mine=true', undefined, { accept: both });
    const { newest } = JSON.parse(first.text);
    expect([first.status, first.headers.get('content-type'), first.headers.get('etag')]).toEqual([
      200,
      'application/json',
      `"${newest}"`,
    ]);
    const since = (number: number) => ({ accept: both, 'last-event-id': `${number}`, 'if-none-match': `"${number}"` });
    const second = await ask('GET /event?mine=true', undefined, since(newest));
    expect([second.status, second.text, second.calls]).toEqual([304, '', 1]);
    await ask('POST /import/placeholder', title('New'));
    const third = await ask('GET /event?mine=true', undefined, since(newest));
    expect(third.text).toContain('item/create');
    expect(third.headers.get('etag')).toBe(`"${JSON.parse(third.text).newest}"`);
    await record({ 'News of a tab, where nothing is new': [second.calls, second.calls] });
  });

  it('tell a tab the progress of own jobs in place of a stream, and others get the stream', async () => {
    const { store, close } = edgeService(environment);
    onTestFinished(close);
    const job = (user: string, serial: number) => [
      `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, total_steps, step, step_status, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
        VALUES ('VX-${serial}', ${serial}, 'TRANSCODE', 'STARTED', 2, '${user}', '[]', '{}', 0, 3, 200, 'STARTED', 2, 0, 0, 'elsewhere', 9e15, 1, '{}', '[]')`,
      `INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, progress, progress_total, unit, said)
        VALUES ('VX-${serial}', 200, 0, 'STARTED', 0, 'Transcoding', 22, 100, 'percent', '[]')`,
    ];
    const changes = [...job('admin', 901), ...job('eve', 902)].map((sql) => ({ sql, args: [] }));
    await store.commit({ changes, events: [] }, { user: 'test' });
    const { text, headers } = await ask('GET /event?mine=true', undefined, { accept: both });
    const since = { accept: both, 'last-event-id': `${JSON.parse(text).newest}` };
    const again = (etag: string | null) =>
      ask('GET /event?mine=true', undefined, { ...since, 'if-none-match': etag ?? '' });
    const { status, calls } = await again(headers.get('etag'));
    expect([status, calls], 'a job that waits is no news').toEqual([304, 2]);
    await store.commit(
      { changes: [{ sql: 'UPDATE job_task SET progress = 40', args: [] }], events: [] },
      { user: 'test' },
    );
    const moved = await again(headers.get('etag'));
    expect([moved.status, moved.text]).toEqual([200, expect.stringMatching(/job\/progress/)]);
    expect((await again(moved.headers.get('etag'))).status).toBe(304);
    expect(text).toMatch(/"name":"job\/progress","entityType":"job","entityId":"VX-901"/);
    expect(text).not.toContain('VX-902');
    await store.commit({ changes: [{ sql: 'DELETE FROM job', args: [] }], events: [] }, { user: 'test' });
    const stream = await ask('GET /event?mine=true', undefined, { accept: 'text/event-stream' });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
  });

  it('are one for a tick without work', async () => {
    await module.scheduled(undefined, environment);
    const before = calls;
    await module.scheduled(undefined, environment);
    await record({ 'A tick without work': [calls - before, calls - before] });
    expect(calls - before).toBe(1);
  });
});

describe.skipIf(sqldBinary() === undefined)('a tab with a stream of a server', () => {
  it('costs the database few calls of its own: one look a second serves all, and each login is looked at every 15 seconds', async () => {
    const server = await startSqld();
    onTestFinished(() => server.stop());
    let onTheWay = 0;
    const counted = async (...given: Parameters<typeof fetch>) => {
      onTheWay++;
      return fetch(...given).finally(() => onTheWay--);
    };
    const scope = new AsyncLocalStorage<CallCount>();
    const database = openRemoteDatabase(server.url, { calls: scope, fetch: counted, soon: setImmediate });
    const world = await openWorld('fetch', { database });
    /** Calls of a minute, second by second: each look ends before the next one is due. */
    const minute = async (): Promise<number> => {
      const before = database.figures.calls;
      for (let second = 0; second < 60; second++) {
        await world.clock.advance(1_000);
        do await settle();
        while (onTheWay > 0);
      }
      return database.figures.calls - before;
    };
    // A look at the feed and one for work share a call, or miss each other's: up to 40 of 60 do.
    const max = 60;
    void world.service.work();
    await minute();
    const alone = await minute();
    const browser = browserAt(world);
    const cookie = await logIn(browser, admin);
    const headers = { ...ofPage, accept: both };
    const { body } = await browser({ request: 'GET /API/event?mine=true', cookie, headers });
    const reader = body!.getReader();
    let text = '';
    const reading = (async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += new TextDecoder().decode(value);
      }
    })();
    await minute();
    const withTab = await minute();
    expect(text).toMatch(/^: connected\nid: \d+\n\n/);
    expect(alone).toBeLessThanOrEqual(60);
    expect(withTab - alone).toBeLessThanOrEqual(max);
    await record({ 'Page: a minute of a tab, on a server': [max, max] });
    await reader.cancel();
    await reading;
  });
});
