import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../src/core/store/faults.ts';
import { faultyDatabase } from '../../support/databases.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { gone, isGone, maker, openShares, type Read } from './support.ts';

const open = () => openShares((options) => openWorld('fetch', options));
const day = 24 * 3_600_000;

describeMatrix('a share that allows uses of media', (entry) => {
  it('chooses what plays for each item, downloads originals, and names the items that play nothing', async () => {
    const at = await openShares(entry.open);
    await at.told('PUT /APIinit/preset-templates', undefined, admin);
    const [film, raw, picture] = [await at.item('Film'), await at.item('Raw'), await at.item('Picture')];
    const [small, web] = [await at.shape(film, 'lowres'), await at.shape(film, '__mp4')];
    const original = await at.shape(film, 'original', 'video/mp4');
    await at.shape(raw, 'original', 'application/mxf');
    const still = await at.shape(picture, 'original', 'image/jpeg');
    const collection = await at.collection('All', film, raw, picture);
    const made = await at.share(`collection/${collection}`, { allow: ['play', 'download'] });
    expect(made).toMatchObject({ allow: ['play', 'download'], play: [], download: [] });
    expect(made.nothingToPlay).toEqual([{ id: raw, title: 'Raw', mediaType: 'none' }]);
    const guest = await at.guest(made.token);
    expect(guest.told).toMatchObject({ play: true, download: true });
    const usesOf = async (item: string) =>
      bodyOf<Read>(await at.get(guest, `/item/${item}`)).shape.map((each: Read) => [
        each.id,
        each.play ? 'plays' : '',
        each.download ? 'downloads' : '',
      ]);
    expect(await usesOf(film)).toEqual([
      [web, 'plays', ''],
      [small, 'plays', ''],
      [original, '', 'downloads'],
    ]);
    expect(await usesOf(picture)).toEqual([[still, 'plays', 'downloads']]);
    expect((await at.get(guest, `/item/${film}/shape/${web}`)).status).toBe(200);
    const { item } = bodyOf<Read>(await at.get(guest, '/item'));
    expect(item.map((each: Read) => each.shape.length).toSorted()).toEqual([1, 1, 3]);

    const narrowed = await at.told(`PUT /share/${made.id}`, { allow: ['play'], play: ['lowres'] });
    expect(narrowed.nothingToPlay.map(({ id }: Read) => id).toSorted()).toEqual([raw, picture].toSorted());
    expect(await usesOf(film)).toEqual([[small, 'plays', '']]);
    expect(isGone(await at.get(guest, `/item/${film}/shape/${web}`))).toBe(gone);
    expect(isGone(await at.get(guest, `/item/${film}/shape/${original}`))).toBe(gone);
    const { status, body } = await at.send(`PUT /share/${made.id}`, { allow: ['play'], download: ['original'] });
    expect([status, body]).toEqual([400, expect.stringContaining('/ShareDocument/download')]);
  });

  it('lets a guest play the stream of an item by its manifest, and nothing else of it', async () => {
    const at = await openShares(entry.open);
    await at.told('PUT /APIinit/preset-templates', undefined, admin);
    const [film, plain] = [await at.item('Film'), await at.item('Plain')];
    const document = { tag: ['__hls'], mimeType: ['video/mp4'], containerComponent: { format: 'cmaf' } };
    const { id: stream } = await at.told(`POST /item/${film}/shape/create`, document);
    await at.shape(plain, 'lowres');
    const collection = await at.collection('C', film, plain);
    const guest = await at.guest((await at.share(`collection/${collection}`, { allow: ['play'] })).token);
    const shapes = bodyOf<Read>(await at.get(guest, `/item/${film}`)).shape;
    expect(shapes).toMatchObject([{ id: stream, stream: true, play: true, download: false }]);
    expect(isGone(await at.get(guest, `/item/${film}/shape/${stream}`))).toBe(gone);
    expect(isGone(await at.get(guest, `/item/${plain}/stream`))).toBe(gone);
  });
});

describe('a share of a selection', () => {
  it('shows the chosen items, is a library that no search has saved, and takes it along with the last link', async () => {
    const at = await open();
    const [one, two, three] = [await at.item('One'), await at.item('Two'), await at.item('Three')];
    const { id, token, library } = await at.told('POST /share', { selection: [one, two], title: 'Two of three' });
    const guest = await at.guest(token);
    expect(guest.told).toMatchObject({ type: 'library', title: 'Two of three' });
    const { item } = bodyOf<Read>(await at.get(guest, '/item'));
    expect(item.map((each: Read) => each.id).toSorted()).toEqual([one, two].toSorted());
    expect(isGone(await at.get(guest, `/item/${three}`))).toBe(gone);
    expect((await at.told('GET /library?autoRefresh=true')).hits).toBe(0);
    const second = await at.share(`library/${library}`);
    await at.told(`DELETE /share/${id}`);
    expect((await at.send(`GET /library/${library}`)).status).toBe(200);
    await at.told(`DELETE /share/${second.id}`);
    expect((await at.send(`GET /library/${library}`)).status).toBe(404);
  });

  it('stays, with its library, while the database is busy', async () => {
    const database = faultyDatabase(await migratedDatabase());
    const at = await openShares((options) => openWorld('fetch', { ...options, database }));
    const { id, library } = await at.told('POST /share', { selection: [await at.item('One')] });
    database.beforeNextWrite(() => Promise.reject(refusalOf('busy', 'The database is locked')));
    expect((await at.send(`DELETE /share/${id}`)).status).toBe(503);
    await at.told(`DELETE /share/${id}`);
    expect((await at.send(`GET /library/${library}`)).status).toBe(404);
  });

  it('outlives the time after which unused libraries expire; that of a deleted maker does not', async () => {
    const at = await open();
    const { token } = await at.told('POST /share', { selection: [await at.item('One')] });
    const libraries = () => at.world.service.store.read('SELECT count(*) FROM library');
    const expire = async () => {
      await at.world.clock.advance(2 * day);
      await at.world.service.tick();
    };
    await expire();
    expect(await libraries()).toEqual([[1]]);
    await at.guest(token);
    await at.told('DELETE /user/maker?hard=true', undefined, admin);
    await expire();
    expect(await libraries()).toEqual([[0]]);
  });

  it('needs items, and READ on each', async () => {
    const at = await open();
    const hidden = await at.item('Hidden', admin);
    for (const [selection, status] of [
      [[], 400],
      [[hidden], 403],
      [['VX-404'], 404],
    ] as const)
      expect((await at.send('POST /share', { selection })).status).toBe(status);
    expect(await at.world.service.store.read('SELECT count(*) FROM library')).toEqual([[0]]);
  });
});

describe('administrators decide for all shares', () => {
  const set = (at: Awaited<ReturnType<typeof open>>, key: string, value: string) =>
    at.told(`PUT /configuration/properties/${key}`, value, admin);

  it('that none opens: guests are out at once, no share is made, and all is as before when it is switched on', async () => {
    const at = await open();
    const item = await at.item('First');
    const { id, token } = await at.share(`item/${item}`);
    const guest = await at.guest(token);
    await set(at, 'sharing', 'false');
    expect([isGone(await at.get(guest)), isGone(await at.enter(token))]).toEqual([gone, gone]);
    for (const request of [`POST /item/${item}/share`, `POST /share/${id}/token`])
      expect((await at.send(request, {})).status).toBe(403);
    expect((await at.send('POST /share', { selection: [item] })).status).toBe(403);
    const { share, terms } = await at.told('GET /share');
    expect([share[0].state, terms]).toEqual(['CLOSED', { isOn: false, needsPassword: false, burns: [] }]);
    await set(at, 'sharing', 'true');
    expect((await at.get(guest)).status).toBe(200);
  });

  it('how long each lives, also one that was made before', async () => {
    const at = await open();
    const item = await at.item('First');
    const { id, token } = await at.share(`item/${item}`);
    await set(at, 'maxShareDays', '7');
    const now = at.world.clock.now();
    const ends = (ms: number) => new Date(now + ms).toISOString();
    const { status, body } = await at.send(`POST /item/${item}/share`, { ends: ends(8 * day) });
    expect([status, body]).toEqual([400, expect.stringContaining('maxShareDays')]);
    expect((await at.send(`PUT /share/${id}`, { ends: ends(8 * day) })).status).toBe(400);
    const changed = await at.told(`PUT /share/${id}`, await at.told(`GET /share/${id}`));
    expect(Date.parse(changed.ends)).toBe(Date.parse(changed.created) + 7 * day);
    await at.guest(token);
    await at.world.clock.advance(7 * day);
    expect(isGone(await at.enter(token))).toBe(gone);
    expect((await at.told(`GET /share/${id}`)).state).toBe('ENDED');
  });

  it('that each has a password, also one that was made without', async () => {
    const at = await open();
    const item = await at.item('First');
    const { id, token } = await at.share(`item/${item}`);
    await set(at, 'shareNeedsPassword', 'true');
    expect(isGone(await at.enter(token))).toBe(gone);
    for (const request of [`POST /item/${item}/share`, `PUT /share/${id}`])
      expect((await at.send(request, {})).body).toContain('/ShareDocument/password');
    expect(await at.told(`PUT /share/${id}`, { password: 'open sesame' }, maker)).toMatchObject({ state: 'OPEN' });
    expect((await at.enter(token, { password: 'open sesame' })).status).toBe(200);
  });
});
