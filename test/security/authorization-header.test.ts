import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { basic, describeMatrix } from '../support/matrix.ts';
import { sendRaw } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { describeStarted } from '../support/started.ts';

const good = basic(admin).slice('Basic '.length);
const encoded = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');

/** Values that log nobody in, and the reason that the log gives. None of them is a 400, and none a 500. */
const refused: readonly (readonly [string, string])[] = [
  ['', 'scheme-unknown'],
  ['Basic', 'credentials-malformed'],
  [`Basicx ${good}`, 'scheme-unknown'],
  [`Basic${good}`, 'scheme-unknown'],
  [`xBasic ${good}`, 'scheme-unknown'],
  [`Basic:${good}`, 'scheme-unknown'],
  [`Basic=${good}`, 'scheme-unknown'],
  [`Basic\t${good}`, 'scheme-unknown'],
  [`Basic  ${good}`, 'credentials-malformed'],
  [`Basic \t${good}`, 'credentials-malformed'],
  [`Basic ${good} x`, 'credentials-malformed'],
  [`Basic ${good},`, 'credentials-malformed'],
  [`Basic ${good}, Basic ${good}`, 'credentials-malformed'],
  [`Basic "${good}"`, 'credentials-malformed'],
  [`Basic ${encoded('admin')}`, 'credentials-malformed'],
  ['Basic ====', 'credentials-malformed'],
  ['Basic A', 'credentials-malformed'],
  ['Basic !!!!', 'credentials-malformed'],
  ['Basic YWRtaW4_cHc', 'credentials-malformed'],
  [`Basic ${good}====`, 'credentials-malformed'],
  [`Basic ${encoded(Buffer.from([0x61, 0x3a, 0xff]))}`, 'credentials-malformed'],
  [`Basic ${encoded(Buffer.from([0xc0, 0xae, 0x3a, 0x61]))}`, 'credentials-malformed'],
  [`Basic ${encoded('\ufeffadmin:password of admin')}`, 'unknown-user'],
  [`Basic ${encoded('admin\0:password of admin')}`, 'credentials-malformed'],
  [`Basic ${encoded('ADMIN:password of admin')}`, 'unknown-user'],
  [`Basic ${encoded('admin:password of admin\n')}`, 'credentials-malformed'],
  [`Basic ${encoded(':')}`, 'unknown-user'],
  [`Basic ${encoded(`admin:${'x'.repeat(6000)}`)}`, 'wrong-password'],
  [`Basic ${encoded(`${'x'.repeat(6000)}:a`)}`, 'unknown-user'],
  ['Bearer abc', 'no-realm'],
  ['token abc', 'unknown-token'],
  ['Digest username="admin"', 'scheme-unknown'],
  ['Negotiate YII=', 'scheme-unknown'],
];

const accepted = [`Basic ${good}`, `basic ${good}`, `BASIC ${good}`, `Basic ${good.replace(/=+$/, '')}`];

/** The filter of the scheme that was tried answers; basic, which comes last, does for any other. */
function challengeTo(value: string): string {
  const scheme = /^(?:Bearer|token) /.exec(value)?.[0].trim();
  return scheme ? `${scheme} realm="application"` : 'BASIC realm="serviceRealm"';
}

describeMatrix('Authorization', (entry) => {
  it('lets nobody in by a value that is not exactly credentials', async () => {
    const world = await entry.open();
    for (const [value, reason] of refused) {
      const answer = await world.send({ request: 'GET /API/whoami', headers: { authorization: value } });
      const line = world.lines.findLast(({ event }) => event === 'request');
      const label = value.slice(0, 60);
      expect([label, answer.status, answer.body, line?.['reason']]).toEqual([label, 401, '', reason]);
      expect(answer.headers.get('www-authenticate')).toBe(challengeTo(value));
    }
  });

  it('takes the scheme in any case, and base64 with or without its padding', async () => {
    const world = await entry.open();
    for (const value of accepted) {
      const answer = await world.send({ request: 'GET /API/whoami', headers: { authorization: value } });
      expect([value, answer.status, answer.body]).toEqual([value, 200, 'admin']);
    }
  });

  it('looks at no other header', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['alice', 'p'])]);
    const names = [
      'proxy-authorization',
      'x-authorization',
      'x-forwarded-user',
      'remote-user',
      'x-forwarded-uri',
      'cookie',
    ];
    for (const name of names) {
      const headers = { [name]: name === 'x-forwarded-uri' ? '/health/live' : basic(admin) };
      expect([name, (await world.send({ request: 'GET /API/whoami', headers })).status]).toEqual([name, 401]);
      const answer = await world.send({ as: ['alice', 'p'], request: 'GET /API/whoami', headers });
      expect([name, answer.body]).toEqual([name, 'alice']);
    }
  });
});

describeStarted('Authorization as bytes', (server) => {
  const cases: readonly (readonly [string, readonly string[], number, onDeno: number])[] = [
    ['two headers, both good', [`Authorization: ${basic(admin)}`, `Authorization: ${basic(admin)}`], 401, 401],
    ['a good one after a bad one', ['Authorization: Basic x', `Authorization: ${basic(admin)}`], 401, 401],
    ['a bad one after a good one', [`Authorization: ${basic(admin)}`, 'Authorization: Bearer x'], 401, 401],
    ['the name in another case', [`aUTHORIZATION: ${basic(admin)}`], 200, 200],
    ['blanks around the value', [`Authorization:  \t${basic(admin)} \t`], 200, 200],
    ['a blank before the colon', [`Authorization : ${basic(admin)}`], 400, 400],
    ['a value that goes on in the next line', ['Authorization: Basic', ` ${good}`], 400, 400],
    ['a value with bytes above ASCII', ['Authorization: Basic \xe9\xff'], 401, 401],
    ['a header without end', [`Authorization: Basic ${'A'.repeat(100_000)}`], 431, 400],
  ];

  it.each(cases)('%s', async (_what, headers, status, onDeno) => {
    const answer = await sendRaw(await server.open(), { target: '/API/whoami', headers });
    expect(answer.status).toBe(server.runtime === 'deno' ? onDeno : status);
  });
});
