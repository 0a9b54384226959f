import { describe, expect, it } from 'vitest';
import { builtInSecurity } from '../../../src/composition/service.ts';
import { unmarked } from '../../../src/http/opaque.ts';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { film, gone, isGone, type Opened, openShares, other, type Read } from './support.ts';

const open = () => openShares((options) => openWorld('fetch', options));
const hour = 3_600_000;
const upload = (at: Opened, { id, cookie }: { id: string; cookie: string }, body = film, more: object = {}) =>
  at.by(cookie, `POST /APInoauth/share/${id}/file?filename=a.mp4`, {
    body,
    headers: { 'content-length': String(body.length), ...more },
  });

/** Users are read afresh by each request; nothing waits. */
const asAdmin = (at: Opened, request: string, body?: object) => at.told(request, body, admin);

describe('a hostile guest', () => {
  it('counts ids up: of other shares, of items that the share does not show, and of shapes of other items', async () => {
    const at = await open();
    const [mine, theirs] = [await at.item('Mine'), await at.item('Theirs')];
    const [low, foreign] = [await at.shape(mine), await at.shape(theirs)];
    const one = await at.share(`item/${mine}`, { play: ['lowres'] });
    await at.share(`item/${theirs}`, { play: ['lowres'] });
    const guest = await at.guest(one.token);
    for (let serial = 1; serial < 12; serial++) {
      const id = `VX-${serial}`;
      if (id !== guest.id) {
        for (const path of ['', '/item', `/item/${theirs}`])
          expect([id, isGone(await at.get({ ...guest, id }, path))]).toEqual([id, gone]);
        const renamed = guest.cookie.replace(/share-\d+/, `share-${serial}`);
        expect(isGone(await at.get({ id, cookie: renamed }))).toBe(gone);
      }
      if (id !== mine) expect(isGone(await at.get(guest, `/item/${id}`))).toBe(gone);
      if (id !== low) expect(isGone(await at.get(guest, `/item/${mine}/shape/${id}`))).toBe(gone);
    }
    expect(isGone(await at.get(guest, `/item/${theirs}/shape/${foreign}`))).toBe(gone);
    for (const path of [`/item/${mine}%2F..%2F${theirs}`, `/item/..%2F${theirs}`, `/item/${mine};x=1/shape/${foreign}`])
      expect((await at.get(guest, path)).status).toBeGreaterThanOrEqual(400);
  });

  it('sees an item that has left the collection, or that the maker may not read', async () => {
    const at = await open();
    const [stays, leaves, hidden] = [await at.item('Stays'), await at.item('Leaves'), await at.item('Hidden', other)];
    const collection = await at.collection('C', stays, leaves);
    await asAdmin(at, `PUT /collection/${collection}/${hidden}`);
    await asAdmin(at, `POST /item/${hidden}/access`, { user: 'maker', permission: 'NONE' });
    const shape = await at.shape(leaves);
    const { token } = await at.share(`collection/${collection}`, { play: ['lowres'] });
    const guest = await at.guest(token);
    expect((await at.get(guest, `/item/${leaves}/shape/${shape}`)).status).toBe(200);
    expect(isGone(await at.get(guest, `/item/${hidden}`))).toBe(gone);
    await at.told(`DELETE /collection/${collection}/${leaves}`);
    for (const path of [`/item/${leaves}`, `/item/${leaves}/picture`, `/item/${leaves}/shape/${shape}`])
      expect(isGone(await at.get(guest, path))).toBe(gone);
    const answer = await at.get(guest, '/item');
    const nextCursor = expect.any(String);
    expect(bodyOf<Read>(answer)).toEqual({
      nextCursor,
      item: [{ id: stays, title: 'Stays', mediaType: 'none', shape: [] }],
    });
  });

  it('comes by a link that is over, not open yet, used up, revoked, or made up: all answers are one', async () => {
    const at = await open();
    const item = await at.item('First');
    const now = at.world.clock.now();
    const iso = (ms: number) => new Date(now + ms).toISOString();
    const early = await at.share(`item/${item}`, { begins: iso(hour) });
    const late = await at.share(`item/${item}`, { ends: iso(2 * hour) });
    const once = await at.share(`item/${item}`, { maxUses: 1 });
    const revoked = await at.share(`item/${item}`);
    const [lateGuest, onceGuest, revokedGuest] = [
      await at.guest(late.token),
      await at.guest(once.token),
      await at.guest(revoked.token),
    ];
    await at.told(`DELETE /share/${revoked.id}`);
    const bodies = new Set<string>();
    const said = async (token: string) => {
      const answer = await at.enter(token);
      bodies.add(answer.body.replace(/"id":"[^"]*"/, ''));
      return isGone(answer);
    };
    for (const token of [early.token, once.token, revoked.token, 'A'.repeat(22), '', 'x'.repeat(5000), late.id])
      expect(await said(token)).toBe(gone);
    expect(isGone(await at.get(revokedGuest, '/item'))).toBe(gone);
    expect((await at.get(onceGuest, '/item')).status).toBe(200);
    // A guest who comes back is the same use.
    expect((await at.enter(once.token, {}, onceGuest.cookie)).status).toBe(200);
    expect(await at.told(`GET /share/${once.id}`)).toMatchObject({ used: 1, state: 'USED' });
    await at.world.clock.advance(hour);
    expect((await at.enter(early.token)).status).toBe(200);
    expect((await at.get(lateGuest, '/item')).status).toBe(200);
    await at.world.clock.advance(hour);
    expect(await said(late.token)).toBe(gone);
    expect(isGone(await at.get(lateGuest, '/item'))).toBe(gone);
    expect(bodies.size).toBe(1);
  });

  it('stays for a day, and uses one link twice at the same time', async () => {
    const at = await open();
    const item = await at.item('First');
    const { token, id } = await at.share(`item/${item}`, { maxUses: 1 });
    const answers = await Promise.all([at.enter(token), at.enter(token), at.enter(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    const cookie = answers
      .find(({ status }) => status === 200)!
      .headers.get('set-cookie')!
      .split(';')[0]!;
    await at.world.clock.advance(24 * hour - 1);
    expect((await at.get({ id, cookie }, '/item')).status).toBe(200);
    await at.world.clock.advance(1);
    expect(isGone(await at.get({ id, cookie }, '/item'))).toBe(gone);
  });

  it('opens a page that calls itself a PDF or a picture, or a PDF that is only for download', async () => {
    const at = await open();
    const item = await at.item('First');
    const [page, vector] = [
      await at.shape(item, 'original', 'text/html'),
      await at.shape(item, 'web', 'image/svg+xml'),
    ];
    const sheet = await at.shape(item, 'lowres', 'application/pdf');
    const terms = { play: ['original', 'web'], download: ['lowres'] };
    const guest = await at.guest((await at.share(`item/${item}`, terms)).token);
    for (const shape of [page, vector, sheet]) {
      const { headers } = await at.get(guest, `/item/${item}/shape/${shape}`);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    const viewing = await at.guest((await at.share(`item/${item}`, { play: ['lowres'] })).token);
    const part = await at.get(viewing, `/item/${item}/shape/${sheet}`, { headers: { range: 'bytes=0-1' } });
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'application/pdf']);
    expect(isGone(await at.get(viewing, `/item/${item}/shape/${page}`))).toBe(gone);
  });

  it('asks before the password what is shared: the answer names the person alone', async () => {
    const at = await open();
    await asAdmin(at, 'PUT /user/maker', { userName: 'maker', realName: 'Mia Maker' });
    const item = await at.item('Secret merger');
    const told = { title: 'Secret merger', note: 'Not for the press' };
    const closed = await at.share(`item/${item}`, { ...told, password: 'open sesame', asksName: true });
    expect(bodyOf(await at.enter(closed.token))).toEqual({ needs: ['password', 'name'], from: 'Mia Maker' });
    const named = await at.share(`item/${item}`, { ...told, asksName: true });
    expect(bodyOf(await at.enter(named.token))).toEqual({ needs: ['name'], from: 'Mia Maker', ...told });
    const wrong = await at.enter(closed.token, { name: 'Ann', password: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([403, expect.not.stringContaining('merger')]);
  });

  it('guesses the password: each guess is slower, and the right one is not told apart meanwhile', async () => {
    const at = await open();
    const item = await at.item('First');
    const { token, id } = await at.share(`item/${item}`, { password: 'open sesame' });
    expect(bodyOf(await at.enter(token))).toEqual({ needs: ['password'] });
    const statuses: number[] = [];
    for (let guess = 0; guess < 40 && statuses.at(-1) !== 429; guess++)
      statuses.push((await at.enter(token, { password: `guess ${guess}` })).status);
    expect(statuses.slice(0, 3)).toEqual([403, 403, 403]);
    expect(statuses.at(-1)).toBe(429);
    const held = await at.enter(token, { password: 'open sesame' });
    expect([held.status, Number(held.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    await at.world.clock.advance(hour);
    expect((await at.enter(token, { password: 'open sesame' })).status).toBe(200);
    expect(await at.told(`GET /share/${id}`)).toMatchObject({ used: 1 });
    const rows = JSON.stringify(await at.world.service.store.read('SELECT password FROM share'));
    expect(rows).toContain('$scrypt$');
    expect(rows).not.toContain('sesame');
  });

  it('goes on after the maker lost READ, the role, the account, or all of it', async () => {
    const at = await open();
    const item = await at.item('First');
    const theirs = await at.item('Theirs', other);
    const { id: entry } = await at.told(`POST /item/${theirs}/access`, { user: 'maker', permission: 'READ' }, other);
    const lent = await at.guest((await at.share(`item/${theirs}`)).token);
    const { token, id } = await at.share(`item/${item}`);
    const guest = await at.guest(token);
    expect((await at.get(lent, '/item')).status).toBe(200);
    await at.told(`DELETE /item/${theirs}/access/${entry}`, undefined, other);
    for (const what of ['', '/item', '/upload']) expect(isGone(await at.get(lent, what))).toBe(gone);

    await asAdmin(at, 'DELETE /group/_item_read/user/maker');
    expect(isGone(await at.get(guest, '/item'))).toBe(gone);
    await asAdmin(at, 'PUT /group/_item_read/user/maker');
    expect((await at.get(guest, '/item')).status).toBe(200);

    await asAdmin(at, 'DELETE /group/_share_write/user/maker');
    expect([isGone(await at.get(guest)), isGone(await at.enter(token))]).toEqual([gone, gone]);
    await asAdmin(at, 'PUT /group/_share_write/user/maker');

    await asAdmin(at, 'DELETE /user/maker');
    expect([isGone(await at.get(guest)), isGone(await at.enter(token))]).toEqual([gone, gone]);
    await asAdmin(at, 'PUT /user/maker/enable');
    expect([isGone(await at.get(guest)), isGone(await at.enter(token))]).toEqual([gone, gone]);
    await at.told(`PUT /share/${id}`, {});
    expect((await at.get(guest, '/item')).status).toBe(200);

    await asAdmin(at, 'DELETE /user/maker?hard=true');
    expect([isGone(await at.get(guest)), isGone(await at.enter(token))]).toEqual([gone, gone]);
    expect(await at.world.service.store.read('SELECT * FROM share WHERE id = ?', [id])).toEqual([]);
    expect(await at.world.service.store.read('SELECT * FROM share_use WHERE share_id = ?', [id])).toEqual([]);
  });

  it('goes on after the item, or the collection, was deleted', async () => {
    const at = await open();
    const item = await at.item('First');
    const collection = await at.collection('C', item);
    const [ofItem, ofCollection] = [await at.share(`item/${item}`), await at.share(`collection/${collection}`)];
    const guests = [await at.guest(ofItem.token), await at.guest(ofCollection.token)];
    await at.told(`DELETE /collection/${collection}`);
    await at.told(`DELETE /item/${item}`);
    for (const guest of guests) expect(isGone(await at.get(guest))).toBe(gone);
    expect(await at.world.service.store.read('SELECT * FROM share')).toEqual([]);
    expect(await at.world.service.store.read('SELECT * FROM share_use')).toEqual([]);
  });

  it('uploads beyond the bounds, without a length, more than announced, from another page, or where nothing is taken', async () => {
    const at = await open();
    const collection = await at.collection('C');
    const bounded = await at.share(`collection/${collection}`, { look: false, upload: { files: 3, bytes: 40 } });
    const guest = await at.guest(bounded.token);
    expect(isGone(await at.get(guest, '/item'))).toBe(gone);
    expect((await upload(at, guest, 'x'.repeat(41))).status).toBe(507);
    const together = await Promise.all([1, 2, 3, 4].map(() => upload(at, guest)));
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 200, 507, 507]);
    expect(await at.told(`GET /share/${bounded.id}`)).toMatchObject({ uploaded: { files: 2, bytes: 32 } });
    expect((await upload(at, guest, 'xx', { 'content-length': '1' })).status).toBe(400);
    const body = new Blob(['x']).stream();
    expect((await at.by(guest.cookie, `POST /APInoauth/share/${guest.id}/file`, { body })).status).toBe(400);
    expect((await upload(at, guest, 'x', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await at.told(`GET /share/${bounded.id}`)).toMatchObject({ uploaded: { files: 2, bytes: 32 } });
    const looking = await at.guest((await at.share(`collection/${collection}`)).token);
    expect(isGone(await upload(at, looking))).toBe(gone);
    await asAdmin(at, 'DELETE /group/_collection_write/user/maker');
    const before = await at.world.sequence();
    expect(isGone(await upload(at, guest, 'x'))).toBe(gone);
    expect((await at.world.events(before)).map(({ name }) => name)).not.toContain('item/create');
  });

  it('does what security.ini closes to the maker by its address: the audit log has each try', async () => {
    const closed = '/item/*/annotation = tokenAuth[permissive], authcBasic, roles[_administrator]\n';
    const text = builtInSecurity.text.replace(/^\/\*\* =/m, (rest) => closed + rest);
    const at = await openShares((options) =>
      openWorld('fetch', { ...options, security: { ...builtInSecurity, text } }),
    );
    const item = await at.item('First');
    const guest = await at.guest((await at.share(`item/${item}`, { comment: true })).token);
    const path = `/item/${item}/annotation`;
    const before = await at.world.sequence();
    expect((await at.send(`GET ${path}`)).status).toBe(403);
    expect(isGone(await at.get(guest, path))).toBe(gone);
    expect(isGone(await at.by(guest.cookie, `POST /APInoauth/share/${guest.id}${path}`, { body: { text: 'a' } }))).toBe(
      gone,
    );
    expect((await at.get(guest, `/item/${item}`)).status).toBe(200);
    expect(await at.world.events(before)).toEqual([]);
    await at.world.clock.advance(10_000);
    await at.world.service.tick(1000);
    const tries =
      'SELECT method, user, run_as, reason, sum(count) FROM audit WHERE path = ? AND status = 403 GROUP BY method';
    expect(await at.world.service.store.read(tries, [path])).toEqual([
      ['GET', 'maker', null, 'role-missing', 2],
      ['POST', 'maker', null, 'role-missing', 1],
    ]);
  });

  it('leaves the secret of the address, the password or the cookie in the log, the audit log or the events', async () => {
    const at = await open();
    const item = await at.item('First');
    const { token } = await at.share(`item/${item}`, { password: 'open sesame' });
    await at.enter(token, { password: 'wrong guess' });
    const guest = await at.guest(token, { password: 'open sesame' });
    await at.get(guest, '/item');
    await at.world.clock.advance(10_000);
    await at.world.service.tick(1000);
    const audit = JSON.stringify(await at.world.service.store.read('SELECT * FROM audit'));
    const kept = [...at.world.printed, JSON.stringify(await at.world.events()), audit].join('\n');
    for (const secret of [token, 'open sesame', 'wrong guess', guest.cookie.split('=')[1]!])
      expect(kept).not.toContain(secret);
    expect(audit).toContain(`share:${guest.id}`);
  });
});

it('a guest reaches no other route of the service, by any method', async () => {
  const at = await open();
  const item = await at.item('First');
  const { token, id } = await at.share(`item/${item}`);
  const guest = await at.guest(token);
  const own = ['/APInoauth/share', `/APInoauth/share/:link`];
  const isOwn = (path: string) => own.some((each) => path === each || path.startsWith(`${each}/`));
  const routes = at.world.service.routes.filter(
    ({ path, access }) => !isOwn(path) && access.needs.role !== 'nothing' && !path.startsWith('/APInoauth/'),
  );
  expect(routes.length).toBeGreaterThan(500);
  const before = await at.world.sequence();
  const reached: string[] = [];
  for (const { method, path } of routes) {
    const target = unmarked(path).replace(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => (name === 'share' ? id : item));
    for (const as of [{}, { authorization: `token ${token}` }, { authorization: `Bearer ${token}` }]) {
      const { status } = await at.by(guest.cookie, `${method} /API${target}`, {
        headers: { 'portico-ui': '1', ...as },
      });
      if (status !== 401) reached.push(`${method} ${target}: ${status}`);
    }
  }
  expect(reached).toEqual([]);
  expect(await at.world.events(before)).toEqual([]);
});

it('ten thousand shares cost a request nothing: each read of a guest goes by an index', async () => {
  const at = await open();
  const item = await at.item('First');
  const { token, id } = await at.share(`item/${item}`);
  const guest = await at.guest(token);
  const { store } = at.world.service;
  const many = `WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 10999)`;
  await store.commit(
    {
      changes: [
        {
          sql: `INSERT INTO share (id, serial, user_id, caller, target_type, target_id, digest, asks_name, look, play, download, created_at)
            ${many} SELECT 'S-' || i, i, 'U', '{}', 'item', 'X-' || i, 'D-' || i, 0, 1, '[]', '[]', 0 FROM n`,
          args: [],
        },
        {
          sql: `INSERT INTO share_use (share_id, digest, at, until) ${many} SELECT 'S-' || i, 'U-' || i, 0, 0 FROM n`,
          args: [],
        },
      ],
      events: [],
    },
    { user: 'test' },
  );
  expect((await at.get(guest, '/item')).status).toBe(200);
  for (const [query, index] of [
    [`SELECT * FROM share WHERE digest = 'x'`, 'share_digest'],
    [`SELECT * FROM share WHERE id = '${id}'`, 'PRIMARY KEY'],
    [`SELECT * FROM share_use WHERE digest = 'x'`, 'share_use_digest'],
    [`SELECT id FROM share WHERE target_type = 'item' AND target_id = 'x'`, 'share_target'],
    [`SELECT id FROM share_use WHERE share_id = 'x'`, 'share_use_share'],
    [`SELECT count(*) FROM share WHERE user_id = 'x'`, 'share_user'],
  ]) {
    const plan = (await store.read(`EXPLAIN QUERY PLAN ${query}`)).map((row) => String(row[3])).join();
    expect([query, plan]).toEqual([query, expect.stringContaining(index!)]);
    expect(plan).not.toContain('SCAN');
  }
});

it('a program that acts for a user makes no share, which would outlast it', async () => {
  const at = await open();
  const item = await at.item('First');
  await asAdmin(at, 'PUT /group/_runas/user/other');
  await asAdmin(at, 'PUT /user/other', { userName: 'other', runAs: true });
  const headers = { runas: 'maker', accept: 'application/json' };
  const asked = { as: other, headers, body: {} };
  expect((await at.world.send({ ...asked, request: `POST /API/item/${item}/share` })).status).toBe(403);
  expect((await at.told('GET /share')).share).toEqual([]);
});
