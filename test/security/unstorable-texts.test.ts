import { expect, it } from 'vitest';
import { openShares } from '../extensions/shares/support.ts';
import { openWorld, type Sent } from '../support/matrix.ts';
import { bodyOf, by, json } from '../support/requests.ts';

const raw = (request: string, body: string): Sent => ({
  ...by(request, body),
  headers: { ...json, 'content-type': 'application/json' },
});

const texts = ['a\\u0000b', 'a\\ud800b', '\\udc00', '\\ud83d\\u0041'];

it.each<readonly [attack: string, requests: readonly Sent[], place: string]>([
  ['in the text of a search', texts.map((text) => raw('PUT /API/item', `{"text":["${text}"]}`)), '/text[1]'],
  [
    'in the value of a search',
    texts.map((text) => raw('PUT /API/search', `{"field":[{"name":"title","value":[{"value":"${text}"}]}]}`)),
    '/field[1]/value[1]',
  ],
  ['in a parameter', [by('GET /API/item?q=%00'), by('GET /API/item;q=a%00'), by('GET /API/search?a%00=1')], 'target'],
])(
  'an attack: NUL and half a surrogate pair %s are refused by name, and the history of everybody goes on',
  async (_, requests, place) => {
    const world = await openWorld('fetch');
    for (const request of requests) {
      const answer = await world.send(request);
      expect([answer.status, answer.body], request.request).toEqual([400, expect.stringContaining(place)]);
    }
    expect((await world.send(raw('PUT /API/item', '{"text":["kept"]}'))).status).toBe(200);
    await world.clock.advance(60_000);
    const { search } = bodyOf<{ search: readonly { query: unknown }[] }>(await world.send(by('GET /API/item/history')));
    expect(search.map(({ query }) => query)).toEqual([{ text: [{ value: 'kept' }] }]);
  },
);

it('an attack: a path that is cut within a surrogate pair does not end the audit of everybody', async () => {
  const world = await openWorld('fetch');
  const longest = `/API/${'a'.repeat(248)}%F0%9F%98%80${'a'.repeat(1000)}`;
  await world.send({ request: `GET ${longest}` });
  await world.send({ request: 'GET /API/whoami' });
  for (let length = 990; length < 1001; length++)
    await world.send(by(`PUT /API/user/${'a'.repeat(length)}%F0%9F%98%80/realname`, 'x'));
  await world.clock.advance(60_000);
  const paths = (await world.service.store.read('SELECT path FROM audit')).map(([path]) => String(path));
  expect(paths).toContain('/whoami');
  expect(paths).toContain(`/${'a'.repeat(248)}\ufffd`);
});

it('an attack: a comment of a guest with NUL or half a surrogate pair is refused by name', async () => {
  const at = await openShares((options) => openWorld('fetch', options));
  const item = await at.item('First');
  const { token, id } = await at.share(`item/${item}`, { comment: true });
  const guest = await at.guest(token);
  for (const text of ['a\0b', 'a\ud800b']) {
    const answer = await at.by(guest.cookie, `POST /APInoauth/share/${id}/item/${item}/annotation`, { body: { text } });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('/SharedAnnotationDocument/text')]);
  }
});
