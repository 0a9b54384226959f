import type { World } from '../../support/matrix.ts';
import { assetRowsOf, numberOf, rowsFor } from './assets.ts';
import type { Rule } from './rule.ts';

/** Shares of the caller. */

async function shareOfCaller({ service: { store } }: World, who: string, caller = 'admin'): Promise<void> {
  const sql = `INSERT INTO share (id, serial, user_id, caller, target_type, target_id, digest, asks_name, look, play, download, created_at)
    SELECT 'S-' || ?1, ?1, id, json_object('account', json_object('id', id, 'revocations', revocations)), 'item', 'VX-' || ?1, 'digest of ' || ?1, 0, 1, '[]', '[]', 0 FROM user WHERE name = ?2`;
  await store.commit({ changes: [{ sql, args: [numberOf(who), caller] }], events: [] }, { user: 'test' });
}

const rule = (what: string, needs: Rule['needs'], body?: object): Rule => {
  const [method, rest = ''] = what.split(' ');
  return {
    route: `${method} /share/:share${rest}`,
    needs,
    rows: shareOfCaller,
    request: (who) => ({ request: `${method} /API/share/S-${numberOf(who)}${rest}`, ...(body && { body }) }),
  };
};

const guests: readonly string[] = [
  ...[
    '',
    '/archive',
    '/item',
    '/item/:item',
    '/item/:item/annotation',
    '/item/:item/picture',
    '/item/:item/shape/:shape',
    '/item/:item/shape/:shape/marked/:part',
    '/item/:item/sheet',
    '/item/:item/sheet/image',
    '/item/:item/stream',
    '/upload',
  ],
];

export const shareRules: readonly Rule[] = [
  ...rowsFor('_share_read', [
    ['GET /item/:item/share'],
    ['GET /collection/:collection/share'],
    ['GET /library/:library/share'],
  ]),
  ...rowsFor('_share_write', [
    ['POST /item/:item/share', '', {}],
    ['POST /collection/:collection/share', '', {}],
    ['POST /library/:library/share', '', {}],
  ]),
  {
    route: 'POST /share',
    needs: '_share_write',
    rows: (world, who, caller) => assetRowsOf(world, who, caller),
    request: (who) => ({ request: 'POST /API/share', body: { selection: [`VX-${numberOf(who)}`] } }),
  },
  rule('GET', '_share_read'),
  rule('PUT', '_share_write', {}),
  rule('DELETE', '_share_write'),
  rule('GET /use', '_share_read'),
  // No secret of these shares is kept.
  { ...rule('GET /token', '_share_read'), allowed: 404 },
  rule('POST /token', '_share_write'),
  // Guests come by a secret or a cookie: to all others no share is there.
  {
    route: 'POST /APInoauth/share',
    needs: 'nothing',
    allowed: 404,
    request: (who) => ({ request: 'POST /APInoauth/share', body: { token: `of-${who}` } }),
  },
  ...guests.map(
    (rest): Rule => ({
      route: `GET /APInoauth/share/:link${rest}`,
      needs: 'nothing',
      allowed: 404,
      request: (who) => ({
        request: `GET /APInoauth/share/S-${numberOf(who)}${rest.replace(/:\w+/g, 'VX-1')}`,
      }),
    }),
  ),
  ...(['POST', 'GET', 'PATCH', 'DELETE'] as const).map(
    (method): Rule => ({
      route: `${method} /APInoauth/share/:link/upload${method === 'POST' ? '' : '/:guestUpload'}`,
      needs: 'nothing',
      allowed: 404,
      request: (who) => ({
        request: `${method} /APInoauth/share/S-${numberOf(who)}/upload${method === 'POST' ? '' : '/VX-1'}`,
        headers: { host: 'localhost', 'upload-length': '1' },
        ...(method === 'PATCH' && { body: 'x' }),
      }),
    }),
  ),
  {
    route: 'POST /APInoauth/share/:link/file',
    needs: 'nothing',
    allowed: 404,
    request: (who) => ({
      request: `POST /APInoauth/share/S-${numberOf(who)}/file`,
      headers: { host: 'localhost' },
      body: 'x',
    }),
  },
  {
    route: 'POST /APInoauth/share/:link/item/:item/annotation',
    needs: 'nothing',
    allowed: 404,
    request: (who) => ({
      request: `POST /APInoauth/share/S-${numberOf(who)}/item/VX-1/annotation`,
      headers: { host: 'localhost' },
      body: { text: 'Dark' },
    }),
  },
  ...(['PUT', 'DELETE'] as const).map(
    (method): Rule => ({
      route: `${method} /APInoauth/share/:link/item/:item/annotation/:annotation`,
      needs: 'nothing',
      allowed: 404,
      request: (who) => ({
        request: `${method} /APInoauth/share/S-${numberOf(who)}/item/VX-1/annotation/VX-1`,
        headers: { host: 'localhost' },
        ...(method === 'PUT' && { body: { text: 'Dark' } }),
      }),
    }),
  ),
];
