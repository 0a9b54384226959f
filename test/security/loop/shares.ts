import { requestOf, type World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';
import { jsonList } from './bodies.ts';
import { get, json, type Load } from './load.ts';
import { drawing } from './review.ts';

const link = '/APInoauth/share';
const maxTags = jsonList('[', (at) => `"t-${at + 1}"`, ']', 20);
const terms = `{"look":true,"comment":true,"play":${maxTags},"download":${maxTags}}`;

/** Browsers send it from a page of the service. */
const sameOrigin = { host: 'localhost', 'sec-fetch-site': 'same-origin' };

/** Share of a collection, its secret, and the cookie of a guest who came in. */
const guest = { share: '', token: '', cookie: '' };

/** A guest of a collection with items of many shapes, one of which has nearly as many comments as guests of a share may make. */
export async function prepareShares(world: World): Promise<void> {
  const ask = async (request: string, body = '') => {
    const sent = { as: admin, ...json(request, body) };
    const headers = { ...sent.headers, ...sameOrigin, accept: 'application/json' };
    return world.service.fetch(requestOf('http://portico.test', { ...sent, headers }));
  };
  const { id } = (await (await ask('POST /API/collection?name=shared')).json()) as { id: string };
  for (const item of ['SH-1', 'SH-2', 'M-2']) await ask(`PUT /API/collection/${id}/${item}`);
  const made = (await (await ask(`POST /API/collection/${id}/share`, terms)).json()) as { id: string; token: string };
  const entered = await ask(`POST ${link}`, JSON.stringify({ token: made.token, name: 'Guest' }));
  const cookie = entered.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`Expected a guest: ${await entered.text()}`);
  Object.assign(guest, { share: made.id, token: made.token, cookie });
  await world.service.store.commit(
    {
      changes: [
        {
          sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 990)
            INSERT INTO annotation (id, serial, item_id, start, text, drawing, state, user_id, user, created_at, changed_at, version)
            SELECT 'SH-G' || i, 300000 + i, 'SH-1', i || '@PAL', ?, ?, 'open', 'share:' || ?, 'guest:Guest', 0, 0, 1 FROM n`,
          args: ['Too dark '.repeat(400), drawing, made.id],
        },
      ],
      events: [],
    },
    nobody,
  );
}

const fromPage = (request: string, body?: string) => {
  const sent = body === undefined ? { request } : json(request, body);
  return { ...sent, headers: { ...sent.headers, ...sameOrigin, cookie: guest.cookie } };
};

const asGuest = (title: string, path: string, body?: string): Load => ({
  title,
  status: 200,
  request: () => fromPage(`${body === undefined ? 'GET' : 'POST'} ${link}/${guest.share}${path}`, body),
});

/** By route, what is costlier than long parameters and hostile documents. */
export const shareLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /share': [get('/share')],
  'POST /share': [
    {
      title: 'as many items as a selection may have',
      status: 404,
      request: () => json('POST /API/share', `{"selection":${jsonList('[', (at) => `"VX-${at + 1}"`, ']', 1_000)}}`),
    },
  ],
  'POST /APInoauth/share': [
    {
      title: 'the longest name and password of somebody who is not in yet',
      status: 400,
      request() {
        const entrance = { token: guest.token, name: 'n'.repeat(500_000), password: 'p'.repeat(500_000) };
        const sent = fromPage(`POST ${link}`, JSON.stringify(entrance));
        return { ...sent, headers: { ...sent.headers, cookie: '' } };
      },
    },
  ],
  'GET /APInoauth/share/:link/archive': [
    asGuest('an archive of items of many shapes', '/archive'),
    {
      title: 'the size of an archive, forty times at once',
      together: 40,
      request: () => fromPage(`HEAD ${link}/${guest.share}/archive`),
    },
  ],
  'GET /APInoauth/share/:link/item': [asGuest('all items', '/item')],
  'GET /APInoauth/share/:link/item/:item': [
    asGuest('an item with a thousand shapes', '/item/SH-2'),
    asGuest('an item with a thousand components', '/item/SH-1'),
    asGuest('an item with the longest metadata', '/item/M-2'),
  ],
  'GET /APInoauth/share/:link/item/:item/annotation': [
    asGuest('the longest page of comments', '/item/SH-1/annotation'),
  ],
  'POST /APInoauth/share/:link/item/:item/annotation': [
    asGuest(
      'the longest drawing, and a text of mentions',
      '/item/M-2/annotation',
      JSON.stringify({ start: '1', text: '@x '.repeat(1333), drawing }),
    ),
  ],
  'PUT /APInoauth/share/:link/item/:item/annotation/:annotation': [
    {
      title: 'a long text with the longest key',
      status: 404,
      request: () =>
        fromPage(
          `PUT ${link}/${guest.share}/item/M-2/annotation/VX-1?key=${'k'.repeat(4000)}`,
          JSON.stringify({ text: '@x '.repeat(100_000) }),
        ),
    },
  ],
};
