import { describe, expect, it } from 'vitest';
import { newGroup } from '../support/cast.ts';
import { basic, listenFor, openWorld } from '../support/matrix.ts';
import { sendBytes } from '../support/raw.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Answers with addresses must lead nowhere but to where the caller was. */
const forwarded = [
  'X-Forwarded-Host: evil.test',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 666',
  'X-Forwarded-Prefix: /evil',
  'X-Original-Host: evil.test',
  'Forwarded: host=evil.test;proto=https',
];

async function open() {
  const world = await openWorld('fetch');
  await prepare(world, [newGroup('a b\u00e9?')]);
  const port = await listenFor(world);
  return (target: string, ...headers: readonly string[]) => {
    const lines = [
      `GET ${target} HTTP/1.1`,
      'Connection: close',
      'Accept: text/plain',
      `Authorization: ${basic(admin)}`,
    ];
    return sendBytes(port, `${[...lines, ...headers].join('\r\n')}\r\n\r\n`);
  };
}

describe('an address in an answer', () => {
  it('has the host and the prefix that the caller used, percent-encoded, whatever another header says', async () => {
    const send = await open();
    const name = 'a%20b%C3%A9%3F';
    const list = await send('/API/group?role=false', 'Host: media.test', ...forwarded);
    expect(list.body).toBe(`http://media.test/API/group/${name}\r\n`);
    const bare = await send('/group;role=false', 'Host: media.test:81', ...forwarded);
    expect(bare.body).toBe(`http://media.test:81/group/${name}\r\n`);
    const one = await send(`//API/./group/${name}/`, 'Host: 127.0.0.1', ...forwarded);
    expect(one.body).toBe(`http://127.0.0.1/API/group/${name}`);
    const absolute = await send('http://media.test/API/group/_import', 'Host: media.test');
    expect(absolute.body).toBe('http://media.test/API/group/_import');
  });

  it.each(['evil.test/x', 'a@evil.test', 'evil.test?x', 'evil.test#x', 'a b', '%zz', '[::1', ''])(
    'is not made of the host "%s"',
    async (host) => {
      const send = await open();
      const { status, body } = await send('/API/group/_import', `Host: ${host}`);
      expect([200, 400]).toContain(status);
      if (status === 200) expect(body).toMatch(/^http:\/\/[\w.:-]+\/API\/group\/_import$/);
    },
  );
});
