import { expect, it } from 'vitest';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { basic, listenFor, openWorld } from '../support/matrix.ts';
import { openRaw, parseAnswer, type RawAnswer, sendBytes, sendRaw } from '../support/raw.ts';
import { admin } from '../support/service.ts';
import { describeStarted } from '../support/started.ts';

const authorization = `Authorization: ${basic(admin)}`;
const json = 'Content-Type: application/json';

interface Said {
  readonly line?: string;
  /** The whole header lines but `Connection`. */
  readonly headers: readonly string[];
  readonly body?: string;
}

const bytesOf = ({ line = 'GET /API/whoami HTTP/1.1', headers, body = '' }: Said): string =>
  `${[line, 'Connection: close', 'Accept: application/json, text/plain;q=0.5', ...headers].join('\r\n')}\r\n\r\n${body}`;

/** A status and the code of the error document; `-` where the parser of the runtime answers by itself. */
type Outcome = `${number} ${string}`;

const outcomeOf = ({ status, headers, body }: RawAnswer): Outcome => {
  const code = headers.get('portico-error');
  // An unreadable request has no Accept either: the document may be JSON or XML.
  if (code !== undefined && status !== 401) expect(body).toMatch(/^(?:\{"\w+":|<\?xml)/);
  return `${status} ${code ?? '-'}`;
};

/** Attack with its outcome on both runtimes, or on Node and then on Deno. */
type Row = readonly [attack: string, said: Said, node: Outcome, deno?: Outcome];

const host = 'Host: portico.test';
const get = (...headers: string[]): Said => ({ headers: [host, authorization, ...headers] });
const to = (target: string, ...headers: string[]): Said => ({ ...get(...headers), line: `GET ${target} HTTP/1.1` });
const post = (body: string, ...headers: string[]): Said => ({
  line: 'POST /API/user HTTP/1.1',
  headers: [host, authorization, ...headers],
  body,
});
const asked = (line: string): Said => ({ ...get(), line });
const chunked = (body: string, ...headers: string[]) => post(body, json, 'Transfer-Encoding: chunked', ...headers);
const bob = '{"userName":"bob"}';
const bobChunk = `${bob.length.toString(16)}\r\n${bob}\r\n`;
const small = (count: number) => Array.from({ length: count }, () => 'a:');

const wrongHosts = [
  'a/API/whoami?',
  'portico.test/API',
  'admin@portico.test',
  'portico.test#',
  'portico.test?',
  'portico\\test',
  'portico test',
  'portico.test,elsewhere',
  'portico.test:99999',
  'portico.test:',
  'portico.test:a',
  'a%2fb',
  '[::1',
  '1.2.3.456',
  'portico.test\xe9',
  '',
];
const goodHosts = ['portico.test', 'PORTICO.test:81', '127.0.0.1:8080', '[::1]:8080', 'a_b', 'localhost'];

const rows: readonly Row[] = [
  ...wrongHosts.map(
    (value): Row => [
      `a Host that decides the path: "${value}"`,
      { line: 'GET /health/live HTTP/1.1', headers: [`Host: ${value}`, authorization] },
      '400 bad-header',
    ],
  ),
  ...goodHosts.map(
    (value): Row => [`no attack: the Host "${value}"`, { headers: [`Host: ${value}`, authorization] }, '200 -'],
  ),
  ['two Hosts', get('Host: elsewhere'), '400 bad-header', '400 -'],
  ['the same Host twice', get(host), '400 bad-header', '400 -'],
  ['an absolute target with a name and a password', to('http://a:b@portico.test/API/whoami'), '400 bad-target'],
  ['an absolute target with a port that is none', to('http://portico.test:99999/API/whoami'), '400 bad-target'],
  ['an absolute target of another scheme', to('ftp://portico.test/API/whoami'), '400 bad-target'],
  ['an absolute target whose query hides its path', to('http://portico.test?/API/whoami'), '404 no-such-path'],
  ['an absolute target under a Host that is none', { ...to('http://a/'), headers: ['Host: a/b'] }, '400 bad-header'],
  ['a name in an absolute target under another Host', to('http://admin@elsewhere/API/whoami'), '400 bad-target'],
  [
    'a Host that would decide the path of an absolute target',
    { ...to('http://a/'), headers: ['Host: a/b?'] },
    '400 bad-header',
  ],
  ['no attack: an absolute target of the same host', to('http://portico.test/API/whoami'), '200 -'],
  ['no attack: an absolute target of another host', to('http://elsewhere:81/API/whoami'), '200 -'],
  ['no Host', { headers: [authorization] }, '400 -', '200 -'],
  ['no attack: HTTP/1.0 without a Host', { line: 'GET /API/whoami HTTP/1.0', headers: [authorization] }, '200 -'],
  [
    'an absolute target with a name and without a Host',
    { line: 'GET http://admin@elsewhere/API/whoami HTTP/1.0', headers: [authorization] },
    '400 bad-target',
  ],
  ['a tunnel to elsewhere', asked('CONNECT elsewhere:443 HTTP/1.1'), '405 method-not-allowed'],
  ['a target that is a star', asked('OPTIONS * HTTP/1.1'), '404 no-such-path'],
  ['a target that is no path', asked('GET whoami HTTP/1.1'), '400 malformed-request', '400 -'],

  ['RunAs behind a thousand small headers', get(...small(1200), 'RunAs: ghost'), '401 -', '400 -'],
  ['RunAs behind ninety small headers', get(...small(90), 'RunAs: ghost'), '401 -'],
  [
    'Authorization behind a thousand small headers',
    { headers: [host, ...small(1200), authorization] },
    '200 -',
    '400 -',
  ],
  [
    'Authorization behind more headers than fit',
    { headers: [host, ...small(20_000), authorization] },
    '431 headers-too-large',
    '400 -',
  ],
  ['one header that does not fit', get(`a: ${'x'.repeat(500_000)}`), '431 headers-too-large', '400 -'],
  ['a target that does not fit', to(`/${'x'.repeat(9000)}`), '414 target-too-long'],

  ['two Authorization', get(authorization), '401 -'],
  ['two RunAs', get('RunAs: admin', 'RunAs: ghost'), '400 bad-header'],
  ['a RunAs that is no UTF-8', get('RunAs: \xe9'), '400 bad-header'],
  ['a header that goes on in the next line', get('RunAs: admin', ' ghost'), '400 malformed-request', '400 -'],
  ['a zero byte in a header', get('RunAs: admin\0'), '400 malformed-request', '400 -'],
  [
    'two Content-Type',
    post(bob, json, 'Content-Type: application/xml', `Content-Length: ${bob.length}`),
    '400 bad-header',
  ],
  [
    'two Content-Type, the first with a parameter',
    post(bob, `${json}; a=b`, 'Content-Type: text/plain; charset=utf-8', `Content-Length: ${bob.length}`),
    '400 bad-header',
  ],
  [
    'two equal Content-Length',
    post(bob, json, 'Content-Length: 18', 'Content-Length: 18'),
    '400 malformed-request',
    '400 bad-header',
  ],
  [
    'two different Content-Length',
    post(bob, json, 'Content-Length: 18', 'Content-Length: 9'),
    '400 malformed-request',
    '400 -',
  ],
  ['a length and chunks', chunked(`${bobChunk}0\r\n\r\n`, 'Content-Length: 18'), '400 malformed-request', '400 -'],
  ['a body that is compressed on the way', chunked('', 'Transfer-Encoding: gzip'), '400 malformed-request', '400 -'],
  [
    'a body that is compressed on the way, then in chunks',
    post(`${bobChunk}0\r\n\r\n`, json, 'Transfer-Encoding: gzip, chunked'),
    '400 bad-header',
  ],
  [
    'a body that is compressed',
    post(bob, json, 'Content-Length: 18', 'Content-Encoding: gzip'),
    '415 media-type-unsupported',
  ],
  ['credentials in a trailer', chunked(`${bobChunk}0\r\nRunAs: ghost\r\n\r\n`, 'Trailer: RunAs'), '400 bad-header'],
  ['an expectation that nothing meets', get('Expect: the-best'), '417 expectation-failed'],
  ['a body where none is read', { ...get('Content-Length: 1'), body: 'a' }, '400 body-unexpected'],
  [
    'chunks where no body is read',
    { ...get('Transfer-Encoding: chunked'), body: '1\r\na\r\n0\r\n\r\n' },
    '400 body-unexpected',
  ],

  ['two values of one parameter', to('/API/user?first=1&first=2'), '400 bad-parameter'],
  ['one parameter in path and query', to('/API/user;first=1?first=2'), '400 bad-parameter'],
  [
    'two properties of one name in a body',
    post('{"userName":"a","userName":"b"}', json, 'Content-Length: 31'),
    '400 bad-document',
  ],
];

const brokenChunks = [
  ['a chunk without a length', 'zz\r\na\r\n0\r\n\r\n'],
  ['a chunk longer than it says', '1\r\naaaa\r\n0\r\n\r\n'],
  ['a wrong chunk after a right one', '1\r\n{\r\nzz\r\n'],
] as const;

const cut: readonly (readonly [attack: string, said: Said])[] = [
  ['a length that is too long', post('{"userName":', json, 'Content-Length: 99')],
  ['a chunk that is cut off', chunked('ff\r\n{"userName":')],
  ['chunks without an end', chunked(bobChunk)],
  ['XML that is cut off', post('<UserDocument>', 'Content-Type: application/xml', 'Transfer-Encoding: chunked')],
];

/** The lines about one request. */
const linesOf = (log: string, id: string): string[] => log.split('\n').filter((line) => line.includes(`"id":"${id}"`));

describeStarted('what was sent takes part in the answer or is refused:', (server) => {
  const both = rows.map(([attack, said, node, deno = node]) => [attack, said, node, deno] as const);
  it.each(both)('%s', async (_attack, said, node, deno) => {
    const answer = await sendBytes(await server.open(), bytesOf(said));
    expect(outcomeOf(answer)).toBe(server.runtime === 'deno' ? deno : node);
    expect(server.log()).not.toMatch(/"level":"error"|"stack"/);
  });

  it.each(cut)('a sender who stops in the middle of a body: %s', async (attack, said) => {
    const id = attack.replaceAll(' ', '-');
    const connection = openRaw(await server.open());
    connection.socket.end(bytesOf({ ...said, headers: [...said.headers, `X-Request-Id: ${id}`] }), 'latin1');
    expect(['400 body-broken', '0 -']).toContain(outcomeOf(parseAnswer(await connection.ended)));
    await expect.poll(() => linesOf(server.log(), id)).toEqual([expect.stringContaining('"reason":"body-broken"')]);
    expect(server.log()).not.toMatch(/"level":"error"|"stack"/);
  });

  it.each(brokenChunks)('%s, when the service waits for the body', async (attack, chunks) => {
    const id = `later-${attack.replaceAll(' ', '-')}`;
    const connection = openRaw(await server.open());
    connection.write(bytesOf(chunked('', 'Expect: 100-continue', `X-Request-Id: ${id}`)));
    await connection.received('100 Continue\r\n\r\n');
    connection.write(chunks);
    const came = (await connection.ended).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    expect(outcomeOf(parseAnswer(came))).toBe('400 body-broken');
    await expect.poll(() => linesOf(server.log(), id)).toEqual([expect.stringContaining('"reason":"body-broken"')]);
    expect(server.log()).not.toMatch(/"level":"error"|"stack"/);
  });

  it.each(brokenChunks)('%s, together with the headers', async (attack, chunks) => {
    const id = `at-once-${attack.replaceAll(' ', '-')}`;
    const port = await server.open();
    const answer = await sendBytes(port, bytesOf(chunked(chunks, `X-Request-Id: ${id}`)));
    await sendBytes(port, bytesOf(get(`X-Request-Id: after-${id}`)));
    await expect.poll(() => linesOf(server.log(), `after-${id}`)).toHaveLength(1);
    const told = [outcomeOf(answer), linesOf(server.log(), id)];
    // Deno reads the first chunk before it calls the service, and hangs up: the service never hears of the request.
    if (server.runtime === 'deno') expect(told).toEqual(['0 -', []]);
    else expect(told).toEqual(['400 body-broken', [expect.stringContaining('"reason":"body-broken"')]]);
    expect(server.log()).not.toMatch(/"level":"error"|"stack"/);
  });

  it('an absolute target of another host: its host is the one of addresses in the answer', async () => {
    const port = await server.open();
    const ask = (target: string, method = 'GET') =>
      sendRaw(port, { method, target, headers: [authorization, 'Accept: text/plain'] });
    expect((await ask('/API/group/crew', 'PUT')).status).toBe(200);
    const hosts = ['portico.test', 'elsewhere:81', '[::1]:82'];
    for (const each of hosts) {
      const { body } = await ask(`http://${each}/API/group/crew`);
      expect(body.trim()).toBe(`http://${each}/API/group/crew`);
    }
  });
});

it('a Host other than the one of an absolute target leads no filter astray', async () => {
  const text = defaultIni.replace(/^\[urls\]$/m, '$&\n/whoami = port[81]');
  const port = await listenFor(await openWorld('fetch', { security: { text, file: 'security.ini', plugins: [] } }));
  const ask = (host: string, target: string) =>
    sendBytes(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const redirected = await ask('portico.test:81', 'http://elsewhere:82/whoami?a=b');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, 'http://elsewhere:81/whoami?a=b']);
  // Past the filter, where the route asks who it is.
  expect((await ask('portico.test:82', 'http://elsewhere:81/whoami')).status).toBe(401);
});
