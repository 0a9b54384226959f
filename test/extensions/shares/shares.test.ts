import { expect, it } from 'vitest';
import { writePixels } from '../../../src/extensions/pictures/pixels.ts';
import { pagesByCursor } from '../../support/cursors.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { film, gone, isGone, maker, openShares, other, type Read } from './support.ts';

describeMatrix('a share', ({ open }) => {
  it('of an item is made, told once, read, changed, listed and revoked, with events', async () => {
    const at = await openShares(open);
    const item = await at.item('First');
    const before = await at.world.sequence();
    const made = await at.share(`item/${item}`, { title: 'For you', download: ['lowres'], maxUses: 3 });
    expect(made).toMatchObject({ user: 'maker', item, title: 'For you', state: 'OPEN', used: 0, isProtected: false });
    expect(made).toMatchObject({ download: ['lowres'], maxUses: 3, look: true, asksName: false });
    expect(made.token).toMatch(/^[\w-]{22}$/);
    const { token, ...kept } = made;
    expect(await at.told(`GET /share/${made.id}`)).toEqual(kept);
    for (const list of ['/share', `/item/${item}/share`, '/share?number=1'])
      expect((await at.told(`GET ${list}`)).share).toEqual([kept]);
    const rows = await at.world.service.store.read('SELECT * FROM share');
    expect(JSON.stringify(rows)).not.toContain(token);
    const changed = await at.told(`PUT /share/${made.id}`, { play: ['web'], password: 'open sesame' });
    expect(changed).toMatchObject({ play: ['web'], isProtected: true });
    expect(changed).not.toHaveProperty('maxUses');
    expect(await at.told(`PUT /share/${made.id}`, { password: '' })).toMatchObject({ isProtected: false });
    expect((await at.send(`DELETE /share/${made.id}`)).status).toBe(200);
    expect((await at.send(`GET /share/${made.id}`)).status).toBe(404);
    const events = (await at.world.events(before)).map(({ name, entity, payload }) => [name, entity, payload]);
    const payload = { share: made.id, targetType: 'item', targetId: item };
    expect(events).toEqual(
      ['share/create', 'share/modify', 'share/modify', 'share/delete'].map((name) => [name, made.id, payload]),
    );
  });

  it('lets a guest see, play and download what it says, in ranges, and nothing besides', async () => {
    const at = await openShares(open);
    const item = await at.item('First');
    const [low, original] = [await at.shape(item, 'lowres'), await at.shape(item, 'original')];
    const { token, id } = await at.share(`item/${item}`, { play: ['lowres'] });
    const before = await at.world.sequence();
    const guest = await at.guest(token);
    expect(guest.told).toEqual({ id, type: 'item', title: 'First', item, look: true, play: true, download: false });
    expect((await at.world.events(before)).map(({ name, user }) => [name, user])).toEqual([
      ['share/use', `share:${id}`],
    ]);
    const answer = await at.get(guest, '/item');
    expect(bodyOf<Read>(answer)).toMatchObject({ item: [{ id: item, title: 'First', shape: [{ id: low }] }] });
    for (const [name, value] of [
      ['x-robots-tag', 'noindex, nofollow'],
      ['referrer-policy', 'no-referrer'],
      ['cache-control', 'private, no-store'],
    ] as const)
      expect(answer.headers.get(name)).toBe(value);
    const whole = bodyOf<Read>(await at.get(guest, `/item/${item}`));
    expect(whole.shape).toEqual([
      { id: low, tag: ['lowres'], mimeType: 'video/mp4', bytes: film.length, play: true, download: false },
    ]);
    const headers = { range: 'bytes=7-8' };
    const part = await at.get(guest, `/item/${item}/shape/${low}`, { headers });
    expect([part.status, part.body, part.headers.get('content-range')]).toEqual([206, 'of', 'bytes 7-8/16']);
    expect(part.headers.get('content-type')).toBe('video/mp4');
    expect((await at.get(guest, `/item/${item}/shape/${low}`)).headers.get('content-disposition')).toMatch(
      /^inline; filename="First _Preview _small MP4__\.mp4"/,
    );
    expect(isGone(await at.get(guest, `/item/${item}/shape/${original}`))).toBe(gone);
    expect(isGone(await at.get(guest, `/item/${item}/picture`))).toBe(gone);
    const { use } = await at.told(`GET /share/${id}/use`);
    expect(use).toHaveLength(1);
    expect(await at.told(`GET /share/${id}`)).toMatchObject({ used: 1 });
  });

  it('names what it shows as its maker would, and originals, too, by the title that the maker may read', async () => {
    const at = await openShares(open);
    const item = await at.item('  Harbour "1"\r\n🎬 ');
    const original = await at.shape(item, 'original');
    await at.told(`PUT /item/${item}/shape/${original}/metadata/originalFilename`, 'secret client A001.mp4');
    const guest = await at.guest((await at.share(`item/${item}`, { download: ['original'] })).token);
    const names = async (): Promise<readonly unknown[]> => {
      const { item: items } = bodyOf<Read>(await at.get(guest, '/item'));
      const { headers } = await at.get(guest, `/item/${item}/shape/${original}`);
      const [, name = ''] = headers.get('content-disposition')!.split("UTF-8''");
      return [bodyOf<Read>(await at.get(guest)).title, items[0].title, decodeURIComponent(name)];
    };
    expect(guest.told.title).toBe('Harbour "1" 🎬');
    expect(await names()).toEqual(['Harbour "1" 🎬', 'Harbour "1" 🎬', 'Harbour -1- 🎬.mp4']);
    await at.told('POST /metadata-field/title/access', { user: 'maker', permission: 'NONE' }, admin);
    expect(await names()).toEqual([undefined, undefined, 'untitled.mp4']);
  });

  it('of a collection shows its items in pages, and takes files into it within its bounds', async () => {
    const at = await openShares(open);
    const items: string[] = [];
    for (let count = 1; count <= 5; count++) items.push(await at.item(`Item ${count}`));
    const collection = await at.collection('Rushes', ...items);
    const { token, id } = await at.share(`collection/${collection}`, {
      asksName: true,
      upload: { files: 1, bytes: 20 },
    });
    expect(bodyOf(await at.enter(token))).toEqual({ needs: ['name'], title: 'Rushes' });
    const guest = await at.guest(token, { name: ' Ann ' });
    expect(guest.told).toMatchObject({ type: 'collection', title: 'Rushes', upload: { files: 1, bytes: 20 } });
    const pages = await pagesByCursor(async (cursor) => {
      const { item, nextCursor }: Read = bodyOf(await at.get(guest, `/item?number=2&cursor=${cursor}`));
      return { entries: item.map((each: Read) => each.id as string), next: nextCursor };
    });
    const seen = pages.flatMap(({ entries }) => entries);
    expect(seen.toSorted()).toEqual(items.toSorted());
    const before = await at.world.sequence();
    const sent = { body: film, headers: { 'content-length': String(film.length) } };
    const uploaded = await at.by(guest.cookie, `POST /APInoauth/share/${id}/file?filename=a.mp4`, sent);
    expect([uploaded.status, bodyOf<Read>(uploaded).upload]).toEqual([200, { files: 0, bytes: 4 }]);
    const events = await at.world.events(before);
    expect(events.find(({ name }) => name === 'share/upload')?.payload).toMatchObject({ guest: 'Ann' });
    expect(events.find(({ name }) => name === 'item/create')?.user).toBe(`share:${guest.id}`);
    const { item } = bodyOf<Read>(await at.get(guest, '/item'));
    expect(item).toHaveLength(6);
    const full = await at.by(guest.cookie, `POST /APInoauth/share/${id}/file?filename=a.mp4`, sent);
    expect(full.status).toBe(507);
    expect(bodyOf<Read>(await at.get(guest, '/item')).item).toHaveLength(6);
    expect(await at.told(`GET /share/${id}`)).toMatchObject({ uploaded: { files: 1, bytes: film.length } });
    expect((await at.told(`GET /share/${id}/use`)).use).toMatchObject([{ name: 'Ann' }]);
  });

  it('of an item ends behind it, by a cursor', async () => {
    const at = await openShares(open);
    const item = await at.item('Alone');
    const guest = await at.guest((await at.share(`item/${item}`)).token);
    const pages = await pagesByCursor(async (cursor) => {
      const { item: entries, nextCursor: next }: Read = bodyOf(await at.get(guest, `/item?cursor=${cursor}`));
      return { entries, next };
    });
    expect(pages.map(({ entries }) => entries.map(({ id }: Read) => id))).toEqual([[item]]);
  });

  it('shows originals that browsers show where it allows to play: pictures in their page, PDF in the viewer', async () => {
    const at = await openShares(open);
    const [picture, sheet, plain] = [await at.item('Poster'), await at.item('Sheet'), await at.item('Script')];
    const codec = { videoComponent: [{ codec: 'mjpeg' }] };
    const photo = await at.shape(picture, 'original', 'image/jpeg', maker, codec);
    const pages = await at.shape(sheet, 'original', 'application/pdf');
    await at.shape(plain, 'original', 'text/html');
    const collection = await at.collection('C', picture, sheet, plain);
    const made = await at.share(`collection/${collection}`, { allow: ['play'] });
    expect(made.nothingToPlay.map(({ id }: Read) => id)).toEqual([plain]);
    const guest = await at.guest(made.token);
    const shown = (await at.get(guest, `/item/${picture}/shape/${photo}`)).headers;
    expect([shown.get('content-type'), shown.get('content-disposition')]).toEqual([
      'image/jpeg',
      expect.stringMatching(/^inline/),
    ]);
    const opened = (await at.get(guest, `/item/${sheet}/shape/${pages}`)).headers;
    expect(opened.get('content-type')).toBe('application/pdf');
    expect(opened.get('content-disposition')).toMatch(/^inline; filename="Sheet/);
    expect(opened.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'self'");
    expect(opened.get('x-content-type-options')).toBe('nosniff');
  });

  it('has the thumbnails of what guests play on one picture, and of nothing else', async () => {
    const at = await openShares(open);
    const item = await at.item('Film');
    await at.shape(item);
    await at.told('PUT /group/_thumbnail_read/user/maker', undefined, admin);
    const { uri } = await at.told(`PUT /item/${item}/thumbnailresource`, undefined, admin);
    const body = await writePixels(
      { width: 64, height: 36, data: new Uint8Array(64 * 36 * 4).fill(255) },
      'image/jpeg',
    );
    for (const samples of [0, 250])
      await at.world.send({
        as: admin,
        headers: { 'content-type': 'image/jpeg' },
        request: `PUT ${uri[0]}/${samples}@PAL`,
        body,
      });
    const guest = await at.guest((await at.share(`item/${item}`, { allow: ['play'] })).token);
    const { thumbnail } = bodyOf<Read>(await at.get(guest, `/item/${item}/sheet`));
    expect(thumbnail).toMatchObject([{ seconds: 0, x: 0, y: 0, width: 64, height: 36 }, { seconds: 10 }]);
    const picture = await at.get(guest, `/item/${item}/sheet/image`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const other = await at.guest((await at.share(`item/${item}`)).token);
    for (const path of ['/sheet', '/sheet/image']) {
      expect(isGone(await at.get(other, `/item/${item}${path}`))).toBe(gone);
      expect(isGone(await at.get(guest, `/item/VX-999${path}`))).toBe(gone);
    }
  });

  it('of a library shows its items', async () => {
    const at = await openShares(open);
    const [one, two] = [await at.item('One'), await at.item('Two')];
    const library = (await at.told('POST /library', { item: [{ id: one }] })).uri[0];
    const { token } = await at.share(`library/${library}`, { title: 'Best of' });
    const guest = await at.guest(token);
    expect(guest.told).toMatchObject({ type: 'library', title: 'Best of' });
    expect(bodyOf<Read>(await at.get(guest, '/item')).item).toMatchObject([{ id: one, title: 'One' }]);
    expect((await at.get(guest, `/item/${one}`)).status).toBe(200);
    expect(isGone(await at.get(guest, `/item/${two}`))).toBe(gone);
  });

  it('belongs to its maker: another user neither sees nor changes it, and an administrator does', async () => {
    const at = await openShares(open);
    const item = await at.item('First');
    const { id } = await at.share(`item/${item}`);
    expect((await at.send(`GET /item/${item}/share`, undefined, other)).status).toBe(403);
    expect(await at.told('GET /share', undefined, other)).toMatchObject({ share: [] });
    for (const request of [`GET /share/${id}`, `GET /share/${id}/use`, `DELETE /share/${id}`])
      expect((await at.send(request, undefined, other)).status).toBe(404);
    expect((await at.send(`PUT /share/${id}`, {}, other)).status).toBe(404);
    expect((await at.send('GET /share?all=true', undefined, other)).status).toBe(403);
    expect((await at.told('GET /share?all=true', undefined, ['admin', 'password of admin'])).share).toHaveLength(1);
    expect((await at.send('GET /share', undefined, maker)).status).toBe(200);
  });

  it('refuses what it cannot be', async () => {
    const at = await openShares(open);
    const item = await at.item('First');
    const status = async (document: object) => (await at.send(`POST /item/${item}/share`, document)).status;
    for (const document of [
      { maxUses: 0 },
      { ends: '2020-01-01T00:00:00Z', begins: '2021-01-01T00:00:00Z' },
      { upload: { files: 1, bytes: 1 } },
      { look: false },
      { password: '\n' },
      { title: 'x'.repeat(201) },
    ])
      expect([document, await status(document)]).toEqual([document, 400]);
    expect(await status({ play: ['nothing'] })).toBe(404);
    const collection = await at.collection('C');
    expect((await at.send(`POST /collection/${collection}/share`, { upload: { files: 0, bytes: 1 } })).status).toBe(
      400,
    );
  });
});
