import { describe, expect, it } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { type Guest, gone, isGone, type Opened, openShares, type Read } from './support.ts';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><path d="M 1 1 L 2 2"/></svg>';

/** A share of an item whose guests comment, and what they do. */
async function open(document: object = {}) {
  const at = await openShares((options) => openWorld('fetch', options));
  const item = await at.item('First');
  const share = await at.share(`item/${item}`, { comment: true, asksName: true, ...document });
  return { at, item, share, guest: await at.guest(share.token, { name: 'Ann' }) };
}

const placeOf = ({ id }: Guest, item: string) => `/APInoauth/share/${id}/item/${item}/annotation`;
const write = (at: Opened, guest: Guest, item: string, body: object, headers = {}) =>
  at.by(guest.cookie, `POST ${placeOf(guest, item)}`, { body, headers });
const seen = async (at: Opened, guest: Guest, item: string): Promise<Read> =>
  bodyOf<Read>(await at.get(guest, `/item/${item}/annotation`));
const textsOf = ({ annotation = [] }: Read): readonly string[] => annotation.map(({ text }: Read) => text);

describe('guests who comment', () => {
  it('write text with a time, a rectangle and a drawing, and see it with the replies of users', async () => {
    const { at, item, guest } = await open();
    expect(guest.told).toMatchObject({ comment: true });
    const before = await at.world.sequence();
    const content = { text: 'Too dark', start: '2.5', end: '3', rectangle: 'percent:10,20,30,40', drawing };
    const written = await write(at, guest, item, content);
    expect(written.status).toBe(200);
    const { key, ...comment } = bodyOf<Read>(written);
    const { id } = comment;
    expect(comment).toEqual({ id, ...content, guest: true, name: 'Ann', created: expect.any(String) });
    expect(key).toMatch(/^[\w+/=-]{40,}$/);

    expect(await at.told(`GET /item/${item}/annotation/${id}`)).toMatchObject({ ...content, user: 'guest:Ann' });
    const reply = await at.told(`POST /item/${item}/annotation`, { text: 'Brighter now', parent: id });
    const answer = { id: reply.id, parent: id, text: 'Brighter now', maker: true, created: expect.any(String) };
    expect(await seen(at, guest, item)).toEqual({ hits: 2, annotation: [comment, answer] });

    const events = await at.world.events(before);
    expect(events.find(({ name }) => name === 'annotation/create')).toMatchObject({
      payload: { itemId: item, annotationId: id, author: 'guest:Ann', state: 'open' },
    });
    await at.world.clock.advance(10_000);
    await at.world.service.tick(1000);
    const audit = JSON.stringify(await at.world.service.store.read('SELECT * FROM audit'));
    expect(audit).toContain(`share:${guest.id}`);
  });

  it('reply to each other, and to nobody of another share of the item', async () => {
    const { at, item, guest, share } = await open();
    const { id } = bodyOf<Read>(await write(at, guest, item, { text: 'One' }));
    const second = await at.guest(share.token, { name: 'Ben' });
    expect((await write(at, second, item, { text: 'Two', parent: id })).status).toBe(200);
    expect((await seen(at, guest, item)).annotation.map(({ name }: Read) => name)).toEqual(['Ann', 'Ben']);
    const elsewhere = await at.share(`item/${item}`, { comment: true });
    const stranger = await at.guest(elsewhere.token);
    expect(await seen(at, stranger, item)).toEqual({ hits: 0, annotation: [] });
    expect(isGone(await write(at, stranger, item, { text: 'Three', parent: id }))).toBe(gone);
  });

  it('have no name where they gave none, and are told apart from users', async () => {
    const { at, item } = await open();
    const { token } = await at.share(`item/${item}`, { comment: true });
    const guest = await at.guest(token);
    const { id, key: _, ...written } = bodyOf<Read>(await write(at, guest, item, { text: 'Four' }));
    expect(written).toEqual({ text: 'Four', guest: true, created: expect.any(String) });
    await at.told(`POST /item/${item}/annotation`, { text: 'Five', parent: id });
    expect((await seen(at, guest, item)).annotation).toEqual([
      { id, ...written },
      { id: expect.any(String), parent: id, text: 'Five', maker: true, created: expect.any(String) },
    ]);
    expect(await at.told(`GET /item/${item}/annotation/${id}`)).toMatchObject({ user: 'guest:' });
  });

  it('give a name later, once, and see who of the service replies: the maker, or somebody else', async () => {
    const { at, item } = await open();
    const { token, id } = await at.share(`item/${item}`, { comment: true });
    const guest = await at.guest(token);
    expect(guest.told).not.toHaveProperty('name');
    const before = await at.world.sequence();
    expect((await at.enter(token, { name: 'a\u0000b' }, guest.cookie)).status).toBe(400);
    for (const name of [' Ann ', 'Ben'])
      expect(bodyOf(await at.enter(token, { name }, guest.cookie))).toMatchObject({ id, name: 'Ann' });
    expect(await at.world.events(before)).toEqual([]);
    const { id: parent, ...own } = bodyOf<Read>(await write(at, guest, item, { text: 'One' }));
    expect(own).toMatchObject({ name: 'Ann', guest: true });
    expect((await at.told(`GET /share/${id}/use`)).use).toMatchObject([{ name: 'Ann' }]);
    await at.told(`POST /item/${item}/annotation`, { text: 'Two', parent }, admin);
    const [, reply] = (await seen(at, guest, item)).annotation;
    expect(reply).toEqual({ id: expect.any(String), parent, text: 'Two', created: expect.any(String) });
  });

  it('are counted in the commit of the comment: one that is refused counts nothing, also if the service stops', async () => {
    const { at, item, guest } = await open();
    const { store } = at.world.service;
    const commits = () => Promise.resolve(store.read('SELECT count(*) FROM event')).then(([row]) => Number(row![0]));
    const counted = async () => Number((await store.read('SELECT comments FROM share'))[0]![0]);
    await write(at, guest, item, { rectangle: 'all' });
    const before = await commits();
    expect(await counted()).toBe(0);
    await write(at, guest, item, { text: 'One' });
    expect([await counted(), (await commits()) - before]).toEqual([1, 1]);
  });

  it('correct and delete what they wrote, by the key that they alone were told', async () => {
    const { at, item, guest } = await open();
    const { id, key } = bodyOf<Read>(await write(at, guest, item, { text: 'Teh logo' }));
    const place = `${placeOf(guest, item)}/${id}?key=${encodeURIComponent(key)}`;
    const changed = await at.by(guest.cookie, `PUT ${place}`, { body: { text: 'The logo' } });
    expect([changed.status, bodyOf<Read>(changed)]).toEqual([200, expect.objectContaining({ id, text: 'The logo' })]);
    expect(changed.body + (await at.get(guest, `/item/${item}/annotation`)).body).not.toContain('"key"');
    expect(textsOf(await seen(at, guest, item))).toEqual(['The logo']);
    const [row] = await at.world.service.store.read('SELECT comments FROM share');
    expect(Number(row![0])).toBe(2);
    const { id: reply } = await at.told(`POST /item/${item}/annotation`, { text: 'Which one?', parent: id });
    const refused = await at.by(guest.cookie, `DELETE ${place}`);
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('without replies')]);
    await at.told(`DELETE /item/${item}/annotation/${reply}`);
    expect((await at.by(guest.cookie, `DELETE ${place}`)).status).toBe(200);
    expect(await at.told(`GET /item/${item}/annotation`)).toMatchObject({ hits: 0 });
  });

  it('correct what they drew, keep what they leave out, and take away what is empty', async () => {
    const { at, item, guest } = await open();
    const drawing = (points: string) => `<svg viewBox="0 0 90 90"><polyline points="${points}"/></svg>`;
    const content = { text: 'Here', start: '50@PAL', rectangle: 'percent:10,20,30,40', drawing: drawing('1,1 2,2') };
    const { id, key } = bodyOf<Read>(await write(at, guest, item, content));
    const change = async (body: object) =>
      bodyOf<Read>(
        await at.by(guest.cookie, `PUT ${placeOf(guest, item)}/${id}?key=${encodeURIComponent(key)}`, { body }),
      );
    expect(await change({ drawing: drawing('3,3 4,4') })).toMatchObject({ ...content, drawing: drawing('3,3 4,4') });
    const emptied = await change({ rectangle: '', drawing: '' });
    expect(emptied).toMatchObject({ text: 'Here', start: '50@PAL' });
    expect(Object.keys(emptied)).not.toEqual(expect.arrayContaining(['rectangle']));
    expect(Object.keys(emptied)).not.toEqual(expect.arrayContaining(['drawing']));
  });

  it('are told which value is wrong', async () => {
    const { at, item, guest } = await open();
    const answer = await write(at, guest, item, { rectangle: 'all' });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('/SharedAnnotationDocument/rectangle');
  });
});

describe('a hostile guest who comments', () => {
  it('writes to an item outside of the share, or to one that has left it', async () => {
    const { at, guest: ofItem } = await open();
    const other = await at.item('Other');
    for (const item of [other, 'VX-999']) {
      expect(isGone(await write(at, ofItem, item, { text: 'Here' }))).toBe(gone);
      expect(isGone(await at.get(ofItem, `/item/${item}/annotation`))).toBe(gone);
    }
    const collection = await at.collection('C', other);
    const { token } = await at.share(`collection/${collection}`, { comment: true });
    const guest = await at.guest(token);
    expect((await write(at, guest, other, { text: 'Inside' })).status).toBe(200);
    await at.told(`DELETE /collection/${collection}/${other}`);
    expect(isGone(await write(at, guest, other, { text: 'Outside' }))).toBe(gone);
    expect(textsOf(await at.told(`GET /item/${other}/annotation`))).toEqual(['Inside']);
  });

  it('changes or deletes what others wrote: without a key, with that of another comment, share or page', async () => {
    const { at, item, guest, share } = await open();
    const own = bodyOf<Read>(await write(at, guest, item, { text: 'Mine' }));
    const second = await at.guest(share.token, { name: 'Ben' });
    const theirs = bodyOf<Read>(await write(at, second, item, { text: 'Theirs' }));
    const internal = await at.told(`POST /item/${item}/annotation`, { text: 'Internal' });
    const stranger = await at.guest((await at.share(`item/${item}`, { comment: true })).token);
    const place = ({ id }: { id: string }, key = '', at: Guest = guest) =>
      `${placeOf(at, item)}/${id}?key=${encodeURIComponent(key)}`;
    for (const method of ['PUT', 'DELETE']) {
      const more = method === 'PUT' ? { body: { text: 'Changed' } } : {};
      for (const target of [place(theirs), place(theirs, own.key), place(internal, own.key), place(own, `${own.key}x`)])
        expect([target, isGone(await at.by(guest.cookie, `${method} ${target}`, more))]).toEqual([target, gone]);
      expect(isGone(await at.by(stranger.cookie, `${method} ${place(own, own.key, stranger)}`, more))).toBe(gone);
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await at.by(guest.cookie, `${method} ${place(own, own.key)}`, { ...more, headers })).status).toBe(403);
    }
    expect(isGone(await at.by(guest.cookie, `PUT ${place(own, own.key)}`, { body: { text: '' } }))).not.toBe(gone);
    await at.told(`PUT /share/${share.id}`, { comment: false, asksName: true });
    expect(isGone(await at.by(guest.cookie, `DELETE ${place(own, own.key)}`))).toBe(gone);
    expect(textsOf(await at.told(`GET /item/${item}/annotation`))).toEqual(['Mine', 'Theirs', 'Internal']);
  });

  it('reads internal comments, or replies to one', async () => {
    const { at, item, guest } = await open();
    const internal = await at.told(`POST /item/${item}/annotation`, { text: 'The client pays late' });
    await at.told(`POST /item/${item}/annotation`, { text: 'Very late', parent: internal.id });
    expect(await seen(at, guest, item)).toEqual({ hits: 0, annotation: [] });
    for (const query of ['?number=100', '?first=1&number=1', '?state=open', '?assignedTo=maker'])
      expect((await at.get(guest, `/item/${item}/annotation${query}`)).body).not.toContain('late');
    expect(isGone(await write(at, guest, item, { text: 'I see', parent: internal.id }))).toBe(gone);
    expect(isGone(await write(at, guest, item, { text: 'I see', parent: 'VX-999' }))).toBe(gone);
    expect(await at.told(`GET /item/${item}/annotation`)).toMatchObject({ hits: 2 });
  });

  it('comments where the share does not allow it, the maker may not, or the share is revoked or over', async () => {
    const { at, item, guest, share } = await open({ comment: false });
    const refused = async () => {
      expect(isGone(await write(at, guest, item, { text: 'No' }))).toBe(gone);
      expect(await at.told(`GET /item/${item}/annotation`)).toMatchObject({ hits: 0 });
    };
    await refused();
    expect(isGone(await at.get(guest, `/item/${item}/annotation`))).toBe(gone);
    const ends = new Date(at.world.clock.now() + 3_600_000).toISOString();
    await at.told(`PUT /share/${share.id}`, { comment: true, ends });
    await at.told('DELETE /group/_annotation_write/user/maker', undefined, admin);
    await refused();
    await at.told('PUT /group/_annotation_write/user/maker', undefined, admin);
    const brief = await at.guest((await at.share(`item/${item}`, { comment: true })).token);
    await at.told(`DELETE /share/${brief.id}`);
    expect(isGone(await write(at, brief, item, { text: 'No' }))).toBe(gone);
    await at.world.clock.advance(3_600_000);
    await refused();
    const blind = { look: false, comment: true, upload: { files: 1, bytes: 1 } };
    const collection = await at.collection('C', item);
    expect((await at.send(`POST /collection/${collection}/share`, blind)).status).toBe(400);
  });

  it('exceeds the bound, also with many requests at the same time', async () => {
    const { at, item, guest } = await open();
    const { store } = at.world.service;
    const nearlyFull = { sql: 'UPDATE share SET comments = 998 WHERE id = ?', args: [guest.id] };
    await store.commit({ changes: [nearlyFull], events: [] }, { user: 'test' });
    expect((await write(at, guest, item, { rectangle: 'all' })).status).toBe(400);
    const together = await Promise.all([1, 2, 3, 4].map((each) => write(at, guest, item, { text: `${each}` })));
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 200, 507, 507]);
    expect(await seen(at, guest, item)).toMatchObject({ hits: 2 });
  });

  it('takes the name of a user, or mentions and assigns users', async () => {
    const { at, item, share } = await open();
    const guest = await at.guest(share.token, { name: 'maker' });
    const before = await at.world.sequence();
    const sent = { text: 'Approved @maker', user: 'maker', name: 'maker', assignedTo: 'maker', mention: ['maker'] };
    expect((await write(at, guest, item, { ...sent, state: 'done' })).status).toBe(400);
    const { id } = bodyOf<Read>(await write(at, guest, item, sent));
    const comment = await at.told(`GET /item/${item}/annotation/${id}`);
    expect(comment).toMatchObject({ user: 'guest:maker', state: 'open' });
    expect(comment).not.toHaveProperty('assignedTo');
    const [event] = (await at.world.events(before)).filter(({ name }) => name === 'annotation/create');
    expect(event!.payload).not.toHaveProperty('mention');
    expect((await at.send('POST /user', { userName: 'guest:maker' }, admin)).status).toBe(400);
    expect((await at.enter(share.token, { name: 'a\u0000b' })).status).toBe(400);
  });

  it('puts a script into a text or a drawing, or writes from another page', async () => {
    const { at, item, guest } = await open();
    for (const inner of ['<script>alert(1)</script>', '<path d="M0 0" onload="alert(1)"/>', '<image href="//evil"/>']) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
      expect((await write(at, guest, item, { drawing: svg })).status).toBe(400);
    }
    const text = '<script>alert(1)</script>';
    const written = await write(at, guest, item, { text });
    expect([written.headers.get('content-type'), bodyOf<Read>(written).text]).toEqual(['application/json', text]);
    expect((await write(at, guest, item, { text: 'x'.repeat(4_001) })).status).toBe(400);
    expect((await write(at, guest, item, {})).status).toBe(400);
    expect((await write(at, guest, item, { text: 'No' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await at.told(`GET /item/${item}/annotation`)).toMatchObject({ hits: 1 });
  });
});
