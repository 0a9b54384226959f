import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import { fetchWire } from '../../../src/core/outbound/wire.ts';
import { settle, testClock } from '../../support/clock.ts';
import { openReceiver } from '../../support/receiver.ts';
import { outcomeOf, rawServer, refusalOf } from './support.ts';

/** As on an edge: nothing but `fetch`. */
function edge(url: string, more: object = {}) {
  const clock = testClock();
  const { call } = createOutbound({ wire: fetchWire(fetch), allow: ['127.0.0.1'], clock });
  return { clock, asked: call({ url, method: 'GET', timeout: 5_000, mostBytes: 1_000, ...more }) };
}

describe('a call over fetch', () => {
  it('sends what was asked for and hands redirects back', async () => {
    const { address, received, script, close } = await openReceiver();
    onTestFinished(() => close());
    script({ status: 302, headers: { location: '/elsewhere' }, body: 'moved' });
    const sent = { method: 'POST', headers: { 'x-name': 'value' }, body: 'hello' };
    const answer = await edge(`${address.replace('//', '//user:secret@')}/here`, sent).asked;
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, '/elsewhere', 'moved']);
    expect(received).toMatchObject([
      { method: 'POST', target: '/here', body: 'hello', headers: { 'x-name': 'value' } },
    ]);
    expect(received[0]!.headers.authorization).toBeUndefined();
  });

  it('tells that there is no connection, and nothing of the address but its host', async () => {
    const { asked } = edge('http://user:secret@127.0.0.1:9/secret?secret');
    expect(await refusalOf(asked)).toBe('connect: Expected a connection with "127.0.0.1"');
  });

  it('leaves an answer that is too large, and one that never comes', async () => {
    const large = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000)}`));
    expect(await outcomeOf(edge(`http://127.0.0.1:${large.port}/`).asked)).toBe('too-large');
    await large.closed();
    const silent = await rawServer(() => undefined);
    const { asked, clock } = edge(`http://127.0.0.1:${silent.port}/`);
    const outcome = outcomeOf(asked);
    await silent.until('GET /');
    await settle();
    await clock.advance(5_000);
    expect(await outcome).toBe('timeout');
    await silent.closed();
  });
});
