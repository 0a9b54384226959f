import { describe, expect, it } from 'vitest';
import { newGroup, newUser } from '../support/cast.ts';
import { basic, describeMatrix, listenFor, openWorld } from '../support/matrix.ts';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Characters that some reader takes for the end of a line. */
const lineEnds = ['\r\n', '\n', '\r', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029'];
/** The list is no text, so the refusal alone is one. */
const accept = 'text/plain, application/xml;q=0.1';
const anyLineEnd = /[\r\n\v\f\u0085\u2028\u2029]/;

describeMatrix('CR/LF injection', (entry) => {
  it.each(lineEnds.map((end) => [JSON.stringify(end), end]))(
    '%s forges no line of a text answer',
    async (_shown, end) => {
      const world = await entry.open();
      const forged = encodeURIComponent(`x${end}ID: forged`);
      for (const target of [`/API/user?number=${forged}`, `/API/user?disabled=${forged}`]) {
        const answer = await world.send({ as: admin, request: `GET ${target}`, headers: { accept } });
        expect(answer.status).toBe(400);
        const lines = answer.body.split('\r\n');
        expect(lines.filter((line) => line.startsWith('ID:')).map((line) => line.slice(4))).not.toContain('forged');
        for (const line of lines) expect(line).not.toMatch(anyLineEnd);
      }
    },
  );

  it.each(lineEnds.map((end) => [JSON.stringify(end), end]))('%s is no part of a name', async (_shown, end) => {
    const world = await entry.open();
    const name = `a${end}b`;
    const inPath = await world.send({ as: admin, request: `PUT /API/group/${encodeURIComponent(name)}` });
    const asUser = await world.send({ as: admin, request: 'POST /API/user', body: { userName: name } });
    const asAlias = await world.send({ as: admin, request: 'POST /API/user', body: { userName: 'c', alias: [name] } });
    expect([inPath, asUser, asAlias].map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it.each(['\t', ...lineEnds].map((end) => [JSON.stringify(end), end]))(
    '%s in a real name forges no line and no column of a text list',
    async (_shown, end) => {
      const world = await entry.open();
      const forged = `x${end}root${end}Administrator`;
      await prepare(world, [
        newUser(['alice', 'p'], [], { realName: forged }),
        { as: admin, request: 'PUT /API/group/crew', body: { userList: { user: [{ userName: 'alice' }] } } },
      ]);
      const headers = { accept: 'text/plain' };
      const search = {
        as: admin,
        request: 'PUT /API/user',
        headers,
        body: { field: [{ name: 'username', value: 'alice' }] },
      };
      for (const sent of [search, { as: admin, request: 'GET /API/group/crew/users', headers }]) {
        const [line, ...rest] = (await world.send(sent)).body.split('\r\n');
        expect(rest).toEqual(['']);
        expect(line).not.toMatch(anyLineEnd);
        expect(line!.split('\t').slice(0, 2)).toEqual(['alice', 'x root Administrator']);
      }
    },
  );

  it.each(lineEnds.map((end) => [JSON.stringify(end), end]))(
    '%s is no part of any name in a path or a document',
    async (_shown, end) => {
      const world = await entry.open();
      await prepare(world, [newUser(['alice', 'p']), newGroup('crew')]);
      const name = `a${end}b`;
      const inPath = encodeURIComponent(name);
      const sent = [
        { request: `PUT /API/user/${inPath}` },
        { request: 'PUT /API/user/alice', body: { userName: name } },
        { request: 'PUT /API/user/alice', body: { userName: 'alice', alias: [name] } },
        { request: `PUT /API/user/alice/alias/${inPath}` },
      ];
      for (const each of sent) expect([each, (await world.send({ as: admin, ...each })).status]).toEqual([each, 400]);
    },
  );

  it('keeps a request id only when it is a word', async () => {
    const world = await entry.open();
    const sent = { as: admin, request: 'GET /API/whoami' };
    const idOf = async (id: string) =>
      (await world.send({ ...sent, headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idOf('abc-1.2:3')).toBe('abc-1.2:3');
    for (const id of ['a b', 'a\tb', 'a"b', '{}', 'x'.repeat(65), 'é', 'a;b=c']) expect(await idOf(id)).not.toBe(id);
  });

  it('never prints a log line with a line end in it', async () => {
    const world = await entry.open();
    await world.send({ as: ['a\nb', 'c\r\nd'], request: 'GET /API/whoami' });
    await world.send({ as: admin, request: 'GET /API/x%e2%80%a8y' });
    expect(world.printed.length).toBeGreaterThan(1);
    for (const line of world.printed) expect(line).not.toMatch(/[\r\n]/);
  });
});

describe('CR/LF as bytes', () => {
  it('splits no answer by way of the target', async () => {
    const port = await listenFor(await openWorld('fetch'));
    for (const target of ['/API/whoami%0d%0aSet-Cookie:%20a=b', '/API/x%0d%0a%0d%0aHTTP/1.1%20200%20OK']) {
      const answer = await sendRaw(port, { target, headers: [`Authorization: ${basic(admin)}`] });
      expect([answer.status, answer.headers.has('set-cookie')]).toEqual([400, false]);
    }
  });

  it('takes a bare line feed in a header for no further header', async () => {
    const world = await openWorld('fetch');
    const port = await listenFor(world);
    const head = 'GET /API/whoami HTTP/1.1\r\nHost: portico.test\r\nConnection: close\r\n';
    const answer = await sendBytes(port, `${head}X-A: b\rAuthorization: ${basic(admin)}\r\n\r\n`);
    expect([400, 401]).toContain(answer.status);
  });
});

it('a realm name with a line end stops the start', async () => {
  const { filterComponents } = await import('../../filters/index.ts');
  const { check } = filterComponents['portico.BasicFilter']!.properties!['applicationName']!;
  for (const end of lineEnds.filter((each) => each !== '\u0085')) {
    expect(check?.(`a${end}b`), JSON.stringify(end)).toMatch(/^Expected/);
  }
});
