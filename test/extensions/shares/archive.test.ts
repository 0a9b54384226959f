import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/kit/testing/storage/memory-storage.ts';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin, memoryPlugin } from '../../support/service.ts';
import { hasPython, unzipped } from '../../support/zips.ts';
import { film, type Guest, gone, isGone, maker, openShares, other, type Read } from './support.ts';

/** A service whose files a test sees behind its back. */
async function openArchives() {
  const storage = memoryStorage(() => 0);
  const at = await openShares((options) => openWorld('fetch', options), { plugins: [memoryPlugin(storage)] });
  const fetched = (guest: Pick<Guest, 'id' | 'cookie'>, headers: Record<string, string> = {}, method = 'GET') =>
    at.world.service.fetch(
      new Request(`http://localhost/APInoauth/share/${guest.id}/archive`, {
        method,
        headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: guest.cookie, ...headers },
      }),
    );
  return { ...at, files: storage.place('memory:///in/').files, fetched };
}

type Opened = Awaited<ReturnType<typeof openArchives>>;

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** A guest of a collection with originals of these titles. */
async function collectionOf({ item, shape, collection, share, guest }: Opened, ...titles: readonly string[]) {
  const items: string[] = [];
  for (const title of titles) {
    const id = await item(title);
    await shape(id, 'original');
    items.push(id);
  }
  const id = await collection('Harbour film: rushes', ...items);
  const link = await share(`collection/${id}`, { download: ['original'], play: ['lowres'] });
  return { items, collection: id, link, guest: await guest(link.token) };
}

describe.runIf(hasPython)('download all', () => {
  it('is a ZIP file of the originals by their names, as long as it says before', async () => {
    const at = await openArchives();
    const { guest } = await collectionOf(at, 'Trailer 60s', 'Rushes.mov', 'Call sheet v1.2');
    const head = await at.fetched(guest, {}, 'HEAD');
    const response = await at.fetched(guest);
    const bytes = await bytesOf(response);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''Harbour%20film-%20rushes.zip`);
    expect([head.headers.get('content-length'), response.headers.get('content-length')]).toEqual(
      Array(2).fill(String(bytes.length)),
    );
    expect(unzipped(bytes).map(({ name, text }) => [name, text])).toEqual([
      ['Trailer 60s.mp4', film],
      ['Rushes.mp4', film],
      ['Call sheet v1.2.mp4', film],
    ]);
  });

  it('has a name for each of several with one name, and none that leaves the folder of its reader', async () => {
    const at = await openArchives();
    const hostile = ['../../etc/passwd', '/abs', 'C:\\boot', 'a\u0007b\u202egpj', 'CON', '...', 'not-included.txt'];
    const { guest } = await collectionOf(at, 'Take', 'take', 'Take (2)', 'Take', ...hostile);
    const names = unzipped(await bytesOf(await at.fetched(guest))).map(({ name }) => name);
    expect(names).toEqual([
      ...['Take.mp4', 'take (2).mp4', 'Take (2) (2).mp4', 'Take (3).mp4'],
      ...[
        '-..-etc-passwd.mp4',
        '-abs.mp4',
        'C--boot.mp4',
        'a bgpj.mp4',
        '_CON.mp4',
        'untitled.mp4',
        'not-included.mp4',
      ],
    ]);
  });

  it('says what it leaves out, and why', async () => {
    const at = await openArchives();
    const { guest, items } = await collectionOf(at, 'Here', 'Lost');
    const empty = await at.item('Empty\r\nForged: line');
    await at.told(`PUT /collection/${(await at.told('GET /collection')).collection[0].id}/${empty}`);
    at.files.delete(`${items[1]}-original.mp4`);
    // The first one finds the file missing, amid what it sends.
    await expect(bytesOf(await at.fetched(guest))).rejects.toThrow('An archive broke off');
    const [list, ...files] = unzipped(await bytesOf(await at.fetched(guest)));
    expect(list).toMatchObject({
      name: 'not-included.txt',
      text: 'Lost: The storage does not have the file\r\nEmpty Forged: line: There is no file to download\r\n',
    });
    expect(files.map(({ name }) => name)).toEqual(['Here.mp4']);
  });

  it('leaves out what waits for its approval', async () => {
    const at = await openArchives();
    const { guest } = await collectionOf(at, 'Unseen');
    await at.told('PUT /configuration/properties', { key: 'approvedShapeTags', value: 'original' }, admin);
    const files = unzipped(await bytesOf(await at.fetched(guest)));
    expect(files).toMatchObject([{ name: 'not-included.txt', text: 'Unseen: A version waits for its approval\r\n' }]);
  });

  it('goes on where it broke off, and begins anew once a file has changed', async () => {
    const at = await openArchives();
    const { guest, items, collection } = await collectionOf(at, 'One', 'Two');
    const whole = await at.fetched(guest);
    const [bytes, etag] = [await bytesOf(whole), whole.headers.get('etag')!];
    for (const from of [0, 1, 40, 90, bytes.length - 10]) {
      const part = await at.fetched(guest, { range: `bytes=${from}-`, 'if-range': etag });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      ]);
      expect(await bytesOf(part)).toEqual(bytes.subarray(from));
    }
    await at.told(`DELETE /collection/${collection}/${items[0]}`);
    const other = await at.fetched(guest, { range: 'bytes=40-', 'if-range': etag });
    expect([other.status, unzipped(await bytesOf(other)).map(({ name }) => name)]).toEqual([200, ['Two.mp4']]);
  });
});

describe('a guest who takes more than the archive that the share gives', () => {
  it('has no right to download, or only sees nothing, or comes with the cookie of another share', async () => {
    const at = await openArchives();
    const { guest, collection } = await collectionOf(at, 'One');
    const player = await at.guest((await at.share(`collection/${collection}`, { play: ['original'] })).token);
    const dropped = { look: false, download: ['original'], upload: { files: 1, bytes: 1 } };
    const sender = await at.guest((await at.share(`collection/${collection}`, dropped)).token);
    for (const each of [player, sender, { ...guest, id: player.id }, { ...guest, cookie: '' }])
      expect(isGone(await at.get(each, '/archive'))).toBe(gone);
    expect((await at.get(guest, '/archive')).status).toBe(200);
  });

  it('gets no format that is only played, and nothing that the maker may not read', async () => {
    const at = await openArchives();
    const { guest, items, collection } = await collectionOf(at, 'One');
    await at.shape(items[0]!, 'lowres');
    const hidden = await at.item('Hidden', other);
    await at.shape(hidden, 'original', 'video/mp4', other);
    await at.told(`PUT /collection/${collection}/${hidden}`, undefined, admin);
    await at.told(`POST /item/${hidden}/access`, { user: maker[0], permission: 'NONE' }, admin);
    const body = (await at.get(guest, '/archive')).body;
    expect([body.split(film).length - 1, body.includes('Hidden')]).toEqual([1, false]);
  });

  it.each([
    ['the share ends', async (at: Opened, { link }: Read) => at.told(`DELETE /share/${link.id}`)],
    [
      'the item leaves it',
      async (at: Opened, { collection, items }: Read) => at.told(`DELETE /collection/${collection}/${items[1]}`),
    ],
    [
      'the format is no longer given',
      async (at: Opened, { link }: Read) => at.told(`PUT /share/${link.id}`, { play: ['lowres'] }),
    ],
    [
      'its maker loses a role',
      async (at: Opened) => at.told(`DELETE /group/_item_shape_read/user/${maker[0]}`, undefined, admin),
    ],
  ])('reads no further file once %s amid it, and others lose no file by that', async (_, change) => {
    const at = await openArchives();
    const opened = await collectionOf(at, 'One', 'Two');
    const stays = await at.guest((await at.share(`collection/${opened.collection}`, { download: ['original'] })).token);
    const reader = (await at.fetched(opened.guest)).body!.getReader();
    // Head and bytes of the first file.
    for (let count = 0; count < 3; count++) expect((await reader.read()).done).toBe(false);
    await change(at, opened);
    const rest = async () => {
      for (;;) if ((await reader.read()).done) return;
    };
    await expect(rest()).rejects.toThrow('An archive broke off: the log says why');
    await at.told(`PUT /group/_item_shape_read/user/${maker[0]}`, undefined, admin);
    expect((await at.get(stays, '/archive')).body).not.toContain('The storage does not have the file');
  });

  it('takes more than two at a time, and each place is free again once its reader leaves', async () => {
    const at = await openArchives();
    const { guest } = await collectionOf(at, 'One');
    const two = [await at.fetched(guest), await at.fetched(guest)];
    expect((await at.get(guest, '/archive')).status).toBe(429);
    expect((await at.fetched(guest, {}, 'HEAD')).status).toBe(200);
    await two[0]!.body!.cancel();
    expect((await at.get(guest, '/archive')).status).toBe(200);
    await bytesOf(two[1]!);
    await Promise.all([at.get(guest, '/archive'), at.get(guest, '/archive')]).then((answers) =>
      expect(answers.map(({ status }) => status)).toEqual([200, 200]),
    );
  });

  it('asks for the last bytes of each file, of which the storage reads no more than once', async () => {
    const at = await openArchives();
    const { guest } = await collectionOf(at, 'One', 'Two');
    expect(bodyOf<Read>(await at.get(guest, '/item')).item).toHaveLength(2);
    const part = await at.get(guest, '/archive', { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.body]).toEqual([206, 'PK\u0003\u0004']);
    const several = await at.get(guest, '/archive', { headers: { range: 'bytes=0-3,-4' } });
    expect(several.status).toBe(200);
    expect((await at.get(guest, '/archive', { headers: { range: 'bytes=999999-' } })).status).toBe(416);
  });
});
