import { describe, expect, it } from 'vitest';
import { type BodyForm, formList } from '../../src/http/forms.ts';
import { unmarked } from '../../src/http/opaque.ts';
import { sentBody } from '../../src/http/sent-body.ts';
import { userDocument } from '../../src/identity/documents.ts';
import { everyRoute } from '../security/roles/routes.ts';
import { served } from '../security/roles/rules.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { shareOfRows } from '../support/long.ts';
import { basic, describeMatrix, shareOf, type World } from '../support/matrix.ts';
import { openRaw, sendRaw } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { describeStarted } from '../support/started.ts';

const routeOf = new Map(everyRoute.map((route) => [`${route.method} ${unmarked(route.path)}`, route]));
const formsOf = (name: string): readonly BodyForm[] => formList(routeOf.get(name)!.reads);
const isDocument = (form: BodyForm): boolean => typeof form !== 'string';

/** Bytes may have any type. */
const reading = served.filter(({ route }) => formsOf(route).some((form) => form !== 'nothing' && form !== 'bytes'));
const others = served.filter(({ route }) => !route.startsWith('GET') && formsOf(route).length === 0);

async function prepared(world: World, { given, rows }: (typeof served)[number], who: string): Promise<void> {
  await prepare(world, [newUser([who, 'p']), ...(given?.(who) ?? [])]);
  await rows?.(world, who);
}

const typed = (type: string) => ({ 'content-type': type, accept: '*/*' });

describeMatrix('a body of another type than the route reads', (entry) => {
  const shared = entry.shared((opened) =>
    prepare(opened, [newGroup('crew'), newGroup('outer'), newGroup('inner'), newUser(['plain', 'p'])]),
  );
  for (const [index, rule] of shareOf(entry, [...reading.entries()])) {
    const forms = formsOf(rule.route);
    const expected = [
      ...(forms.some(isDocument) ? ['application/xml', 'application/json'] : []),
      ...(forms.includes('xml') ? ['application/xml'] : []),
      ...(forms.includes('text') ? ['text/plain'] : []),
    ];
    it(`is 415 at ${rule.route}, which names ${expected.join(', ')} and changes nothing`, async () => {
      const [world, who] = [shared(), `wrong-${index}`];
      await prepared(world, rule, who);
      const before = await world.sequence();
      const { request, body } = rule.request(who);
      const wrong = ['image/png', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'xml'];
      if (!forms.some(isDocument)) wrong.push('application/json');
      if (!forms.some(isDocument) && !forms.includes('xml')) wrong.push('application/xml', 'text/xml');
      if (!forms.includes('text')) wrong.push('text/plain', 'application/x-www-form-urlencoded');
      for (const type of [...new Set([wrong[0]!, ...shareOfRows(wrong.length, wrong, index)])]) {
        const sent = body ?? 'x';
        const answer = await world.send({ as: admin, request, headers: typed(type), body: sent });
        expect([type, answer.status, answer.headers.get('portico-error')]).toEqual([
          type,
          415,
          'media-type-unsupported',
        ]);
        if (type === 'image/png') for (const word of expected) expect(answer.body).toContain(word);
      }
      expect(await world.sequence()).toBe(before);
    });

    it(`is none at ${rule.route} where there is no body`, async () => {
      const [world, who] = [shared(), `none-${index}`];
      await prepared(world, rule, who);
      const { request } = rule.request(who);
      const statuses: number[] = [];
      for (const headers of [{}, typed('image/png'), typed('application/json; charset=utf-8'), typed('text/plain')]) {
        statuses.push((await world.send({ as: admin, request, headers })).status);
      }
      expect(statuses).not.toContain(415);
      expect(new Set(statuses.slice(1)).size).toBe(1);
    });
  }

  for (const [index, rule] of shareOf(entry, [...others.entries()])) {
    it(`is passed over at ${rule.route}, which reads none`, async () => {
      const [world, who] = [shared(), `over-${index}`];
      await prepared(world, rule, who);
      const plain = rule.request(who);
      const headers = { ...plain.headers, ...typed('image/png') };
      const answer = await world.send({ as: admin, ...plain, headers, body: 'x' });
      expect(answer.status).toBeLessThan(300);
    });
  }
});

describeMatrix('{} as a body', (entry) => {
  const optional = reading.filter(({ route }) => formsOf(route).includes('nothing'));

  it('is tried where a document is optional', () => {
    expect(optional.map(({ route }) => route).toSorted()).toEqual([
      'POST /collection',
      'POST /collection/:collection/version/export',
      'POST /collection/project',
      'POST /collection/project/inspect',
      'POST /file/:file/analyze',
      'POST /file/:file/import',
      'POST /import',
      'POST /import/placeholder',
      'POST /import/project',
      'POST /import/project/sequence',
      'POST /import/raw-passkey',
      'POST /item/:item/analyze',
      'POST /item/:item/conform',
      'POST /item/:item/sequence/export',
      'POST /item/:item/shape/:shape/analyze',
      'POST /item/:item/shape/:shape/component/:component/analyze',
      'POST /item/:item/shape/create',
      'POST /item/:item/shape/placeholder',
      'POST /job',
      'POST /library',
      'POST /metadata-field/:field/allowed-values',
      'POST /storage/:storage/file',
      'POST /storage/:storage/import',
      'POST /storage/file',
      'POST /task-definition/jobtype/:type',
      'PUT /collection',
      'PUT /collection/:collection/item',
      'PUT /collection/:collection/rename',
      'PUT /collection/metadata-group',
      'PUT /document',
      'PUT /group',
      'PUT /group/:name',
      'PUT /item',
      'PUT /item/:item/conform',
      'PUT /item/:item/metadata/validate',
      'PUT /item/:item/re-index',
      'PUT /item/:item/shape/:shape/placeholder',
      'PUT /item/metadata-group',
      'PUT /metadata-field/field-group',
      'PUT /metadata-field/field-group/:group',
      'PUT /quota/:rule',
      'PUT /reindex/:index',
      'PUT /search',
      'PUT /search/file',
      'PUT /search/metadata-group',
      'PUT /search/shape',
      'PUT /search2',
      'PUT /search2/collection',
      'PUT /search2/file',
      'PUT /search2/item',
      'PUT /search2/shape',
      'PUT /task-group/:name',
      'PUT /task-group/:name/transcoder/:transcoder',
      'PUT /user',
      'PUT /user/:name',
    ]);
  });

  it.each(['PUT /API/group/fresh', 'PUT /API/user/fresh', 'PUT /API/group', 'PUT /API/user', 'PUT /API/search/file'])(
    'counts as none for %s',
    async (request) => {
      const [bare, braces] = [await entry.open(), await entry.open()];
      const answer = await bare.send({ as: admin, request });
      for (const body of ['{}', ' {\r\n\t} ']) {
        const told = await braces.send({ as: admin, request, headers: { 'content-type': 'application/json' }, body });
        if (body === '{}') expect([told.status, told.body]).toEqual([answer.status, answer.body]);
        expect(told.status).not.toBe(400);
      }
      const events = async (world: World) => (await world.events()).map(({ name, entity }) => `${name} ${entity}`);
      expect(await events(braces)).toEqual(await events(bare));
    },
  );

  it('is a document where one is required', async () => {
    const world = await entry.open();
    const answer = await world.send({ as: admin, request: 'POST /API/user', body: {} });
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'bad-document']);
  });

  it('that names something is a document', async () => {
    const world = await entry.open();
    expect((await world.send({ as: admin, request: 'PUT /API/user/fresh', body: { realName: 'x' } })).status).toBe(400);
  });
});

describe('the form of a body', () => {
  const form = async (reads: BodyForm | readonly BodyForm[] | undefined, type: string | null) => {
    const headers = type === null ? {} : { 'content-type': type };
    const request = new Request('http://x/', {
      method: 'PUT',
      headers: { 'content-length': '1', ...headers },
      body: 'x',
    });
    if (type === null) request.headers.delete('content-type');
    try {
      return (await sentBody({ ...(reads && { reads }) }, request)).form ?? 'unsaid';
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  it.each([
    ['a document', userDocument, { 'application/xml': 'xml', 'text/json': 'json', '': 'unsaid', 'text/html': 415 }],
    ['a document', userDocument, { 'application/vnd.x+xml': 'xml', 'image/svg+xml': 415, 'application/json5': 415 }],
    ['a text', 'text' as const, { 'text/csv': 'text', '': 'text', 'application/octet-stream': 'text', '*/*': 415 }],
    ['a text', 'text' as const, { 'text/plain; charset=latin1': 415, 'TEXT/Plain;Charset="UTF-8"': 'text' }],
    ['either', ['text', userDocument] as const, { 'text/xml': 'xml', 'text/plain': 'text', '': 'text', 'a/b': 415 }],
    ['bytes', 'bytes' as const, { 'application/json; charset=utf-16': 'bytes', 'video/mp4': 'bytes', '': 'bytes' }],
    ['nothing', 'nothing' as const, { 'video/mp4': 'unsaid' }],
    ['nothing that it says', undefined, { 'video/mp4': 'unsaid' }],
  ])('of a route that reads %s', async (_what, reads, table) => {
    for (const [type, expected] of Object.entries(table))
      expect([type, await form(reads, type)]).toEqual([type, expected]);
    if (reads === 'text') expect(await form(reads, null)).toBe('text');
  });
});

const authorization = `Authorization: ${basic(admin)}`;

describeStarted('a body, as raw bytes,', (server) => {
  const chunked = 'Transfer-Encoding: chunked';
  const put = (target: string, body: string, ...headers: string[]) =>
    sendRaw(port, { method: 'PUT', target, headers: [authorization, ...headers], ...(body && { body }) });
  let port = 0;
  const send = async (target: string, type: string, chunks: string) => {
    port = await server.open();
    const connection = openRaw(port);
    connection.write(
      `PUT ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}\r\nContent-Type: ${type}\r\n${chunked}\r\n\r\n${chunks}0\r\n\r\n`,
    );
    return (await connection.ended).slice(9, 12);
  };

  it('is not there when chunks hold nothing, whatever its type', async () => {
    expect(await send('/API/group/of-chunks', 'image/png', '')).toBe('200');
    expect(await send('/API/group/of-blanks', 'image/png', '2\r\n\r\n\r\n')).toBe('200');
    expect(await send('/API/group/of-more', 'image/png', '2\r\n\r\n\r\n1\r\nx\r\n')).toBe('415');
    expect(await send('/API/user/admin/realname', 'image/png', '')).toBe('200');
    expect(await send('/API/group/of-braces', 'application/json', '1\r\n{\r\n1\r\n}\r\n')).toBe('200');
    expect((await put('/API/group/of-length', '', 'Content-Type: image/png', 'Content-Length: 0')).status).toBe(200);
  });

  it('that no route reads is answered before it ends, and begins no request', async () => {
    port = await server.open();
    const lines = ['Host: x', authorization].join('\r\n');
    const hidden = `GET /API/version HTTP/1.1\r\n${lines}\r\n\r\n`;
    for (const how of [`Content-Length: ${hidden.length}`, chunked]) {
      const connection = openRaw(port);
      connection.write(`DELETE /API/user/ghost HTTP/1.1\r\n${lines}\r\n${how}\r\n\r\n`);
      await connection.received(' 404 ');
      const size = hidden.length.toString(16);
      connection.write(how === chunked ? `${size}\r\n${hidden}\r\n0\r\n\r\n` : hidden);
      connection.write(`GET /API/whoami HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`);
      const came = await connection.ended;
      // Deno may close the connection instead of reading on.
      expect(came.match(/HTTP\/1\.1 \d+/g)!.join()).toMatch(/^HTTP\/1\.1 404(?:,HTTP\/1\.1 200)?$/);
      expect(came).not.toContain('systemInfo');
      if (server.runtime === 'node') expect(came.endsWith('admin')).toBe(true);
    }
  });

  it.runIf(server.runtime === 'node')('that has no end is cut off where no route reads it', async () => {
    port = await server.open();
    const connection = openRaw(port);
    connection.write(`DELETE /API/user/ghost HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${chunked}\r\n\r\n`);
    await connection.received(' 404 ');
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    // If nobody cuts the client off, the loop fails by the time limit of a test.
    while (!connection.socket.destroyed) {
      await new Promise((resolve) => connection.socket.write(chunk, 'latin1', resolve));
    }
  });
});

describeMatrix('a body that no route reads', (entry) => {
  it.runIf(entry.name === 'fetch')('is not looked at', async () => {
    const world = await entry.open();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const init: RequestInit & { duplex: 'half' } = { method: 'DELETE', body, duplex: 'half' };
    const request = new Request('http://x/API/user/ghost', { ...init, headers: { authorization: basic(admin) } });
    const answer = await world.service.fetch(request);
    expect([answer.status, pulled, request.bodyUsed]).toEqual([404, 0, false]);
  });
});
