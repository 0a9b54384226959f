import { expect, it } from 'vitest';
import { basic, describeMatrix, listenFor, openWorld } from '../support/matrix.ts';
import { openRaw, parseAnswer, sendRaw } from '../support/raw.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const post = { as: admin, request: 'POST /API/user' } as const;
const bob = [['user/create', 'bob']] as const;
const xml = '<UserDocument><userName>bob</userName></UserDocument>';
const json = '{"userName":"bob"}';
const typed = (type: string) => ({ 'content-type': type });

const accepted: readonly (readonly [string, string | undefined, string])[] = [
  ['XML', 'application/xml', xml],
  ['XML under its older name', 'text/xml;charset=utf-8', xml],
  ['XML under a name of its own', 'application/vnd.user+xml', xml],
  ['JSON', 'application/json', json],
  ['JSON under its older name', 'Text/JSON', json],
  ['JSON under a name of its own', 'application/vnd.user+json', json],
  ['JSON with a quoted charset', 'application/json; charset="UTF-8"', json],
  ['XML without a Content-Type', undefined, `  \n${xml}`],
  ['JSON without a Content-Type', undefined, `\r\n\t${json}`],
  ['XML after a byte order mark', undefined, `\ufeff${xml}`],
  ['JSON after a byte order mark', undefined, `\ufeff${json}`],
  ['XML with an empty Content-Type', '', xml],
];

const wrongType = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'image/png', 'xml', '*/*'];
const wrongCharset = ['application/json; charset=utf-16', 'application/xml;charset=ISO-8859-1'];

/** Body, what is said, and where. */
const malformed: readonly (readonly [string, string, string, string])[] = [
  ['XML that is cut off', '<UserDocument><userName>bob', 'Expected well-formed XML', 'line 1, column'],
  ['XML whose tags cross', '<UserDocument><a></b></UserDocument>', 'unexpected close tag', 'line 1, column 21'],
  ['XML with a doctype', `<!DOCTYPE x>${xml}`, 'Expected', 'line 1, column'],
  ['XML with an external entity', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`, 'Expected', 'line 1'],
  ['XML with another root', '<GroupDocument/>', 'UserDocument', 'line 1'],
  ['XML without the name', '<UserDocument/>', 'missing element', '/UserDocument/userName, line 1'],
  [
    'XML with the name twice',
    xml.replace('</User', '<userName>b</userName></User'),
    'doubled',
    '/UserDocument/userName',
  ],
  ['JSON that is cut off', '{"userName":', 'in JSON', 'line 1, column'],
  ['JSON with a comma too many', '{"userName":"bob",}', 'in JSON', 'line 1, column 19'],
  ['JSON in the second line', '{\n "userName": bob }', 'in JSON', 'line 2, column 14'],
  ['JSON that is a list', '[]', 'Expected an object', '/UserDocument'],
  ['JSON without the name', '{}', 'missing element', '/UserDocument/userName'],
  ['JSON with a wrong type', '{"userName":{}}', 'Expected a string', '/UserDocument/userName'],
  ['neither of the two', 'userName=bob', 'Expected', 'line 1, column'],
];

const depths: readonly (readonly [string, string, string])[] = [
  ['XML', 'application/xml', `<UserDocument>${'<a>'.repeat(70)}${'</a>'.repeat(70)}</UserDocument>`],
  ['JSON', 'application/json', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`],
];

const rows: readonly Scenario[] = [
  ...accepted.map(([what, type, body]) => ({
    name: `reads ${what}`,
    ...post,
    headers: type === undefined ? {} : typed(type),
    body,
    status: 200,
    events: bob,
  })),
  ...[...wrongType, ...wrongCharset].map((type) => ({
    name: `refuses ${type} with 415`,
    ...post,
    headers: typed(type),
    body: json,
    status: 415,
    answers: { 'portico-error': 'media-type-unsupported' },
    says: { contains: ['header Content-Type', 'Expected'] },
  })),
  ...malformed.map(([what, body, says, place]) => ({
    name: `refuses ${what}, saying where`,
    ...post,
    headers: { accept: 'text/plain, application/xml;q=0.1' },
    body,
    status: 400,
    answers: { 'portico-error': 'bad-document' },
    says: { contains: [says, place, 'Context: /'], lacks: ['root:'] },
  })),
  ...depths.map(([what, type, body]) => ({
    name: `refuses ${what} that is nested too deep`,
    ...post,
    headers: typed(type),
    body,
    status: 400,
    says: { contains: ['levels of nesting'] },
  })),
  ...['', ' \r\n\t '].map((body) => ({
    name: `takes ${JSON.stringify(body)} for no document`,
    ...post,
    body,
    status: 400,
    answers: { 'portico-error': 'body-missing' },
  })),
];

describeMatrix('a body', (entry) => {
  itHolds(entry, rows);

  it.each([
    ['JSON', 'application/json', (filler: string) => `{"userName":"bob","realName":"${filler}"}`],
    [
      'XML',
      'application/xml',
      (f: string) => `<UserDocument><userName>bob</userName><realName>${f}</realName></UserDocument>`,
    ],
  ])(
    'of %s is refused with 413 when it is larger than the setting, and not when it is as large',
    async (_what, type, make) => {
      const world = await entry.open({ settings: { maxBodyBytes: 1024 } });
      const fill = (bytes: number) => make('x'.repeat(bytes - make('').length));
      for (const streamed of [false, true]) {
        const send = (text: string) =>
          world.send({ ...post, headers: typed(type), body: streamed ? inPieces(text) : text });
        const tooLarge = await send(fill(1025));
        expect([streamed, tooLarge.status, tooLarge.headers.get('portico-error')]).toEqual([
          streamed,
          413,
          'body-too-large',
        ]);
        expect(tooLarge.body).toContain('Expected at most 1024 bytes');
        expect((await send(fill(1024))).status).toBe(streamed ? 409 : 200);
      }
    },
  );

  it('of XML is read as it arrives, wherever it is cut', async () => {
    const world = await entry.open();
    const text = '<UserDocument><userName>jörg</userName><realName>\u{1f511}</realName></UserDocument>';
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/xml', accept: 'application/json', prefer: 'return=representation' };
    const answer = await world.send({ ...post, headers, body });
    expect(JSON.parse(answer.body)).toMatchObject({ userName: 'jörg', realName: '\u{1f511}' });
  });

  it('that is not UTF-8 is refused', async () => {
    const world = await entry.open();
    for (const type of ['application/json', 'application/xml']) {
      const body = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
      expect((await world.send({ ...post, headers: typed(type), body })).status).toBe(400);
    }
  });
});

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 100) controller.enqueue(bytes.slice(at, at + 100));
      controller.close();
    },
  });
}

const authorization = `Authorization: ${basic(admin)}`;

it('that is too large is refused before it is sent', async () => {
  const port = await listenFor(await openWorld('fetch'));
  const connection = openRaw(port);
  connection.write(
    `POST /API/user HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`,
  );
  await connection.received('portico-error: body-too-large');
  connection.socket.destroy();
  expect(parseAnswer(await connection.ended).status).toBe(413);
});

it('of two lengths, or of a length and chunks, is refused', async () => {
  const port = await listenFor(await openWorld('fetch'));
  const request = { method: 'POST', target: '/API/user', body: json };
  for (const header of ['Content-Length: 1', 'Transfer-Encoding: chunked']) {
    const answer = await sendRaw(port, { ...request, headers: [authorization, header] });
    expect(answer.status).toBe(400);
  }
});
