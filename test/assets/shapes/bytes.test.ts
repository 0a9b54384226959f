import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix, type Entry } from '../../support/matrix.ts';
import { ask, bodyOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { librarian, shaper, stranger, worldOf } from '../../support/world.ts';
import { made, told } from './support.ts';

const watcher: Credentials = ['watcher', 'password of watcher'];
const bytes = 'frames of a film';

/** A shape whose file has bytes, of a media type. */
async function open(entry: Entry, mimeType = 'video/mp4', tag: readonly string[] = []) {
  const world = await worldOf('shapes', {}, entry.open);
  await prepare(world, [newUser(watcher, ['_item_shape_read', '_item_read'])]);
  const upload = ask('POST /API/storage/VX-1/file/data?path=a%20film.mov', bytes, librarian);
  const { id: file } = bodyOf<{ id: string }>(await world.send(upload));
  const shape = await made(world, { tag, mimeType: [mimeType], containerComponent: { file: [{ id: file }] } });
  const at = `/API/item/VX-1/shape/${shape.id}`;
  return { world, file, shape, at };
}

describeMatrix('bytes of shapes', (entry) => {
  it('are those of the file, with the media type of the shape, for a viewer without a role for files', async () => {
    const { world, at, shape } = await open(entry);
    await told(world, 'POST /API/item/VX-1/access', { user: 'watcher', permission: 'READ' });
    const component = `${at}/component/${shape.containerComponent!.id}`;
    for (const path of [at, component]) {
      const { status, headers, body } = await world.send({
        as: watcher,
        request: `GET ${path}/data`,
        headers: { accept: 'video/webm,video/ogg,video/*;q=0.9,*/*;q=0.5' },
      });
      expect([status, body, headers.get('content-type')]).toEqual([200, bytes, 'video/mp4']);
      expect(headers.get('content-disposition')).toMatch(/^inline; filename="untitled.mov"; /);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(headers.get('accept-ranges')).toBe('bytes');
    }
  });

  it.each([
    ['its title, its format and its ending', 'Trailer', ['__mp4'], '', 'Trailer (MP4 for the web).mov'],
    ['a format that is no predefined one', 'Trailer', ['web'], '', 'Trailer (web).mov'],
    ['no second ending', 'Trailer.MXF', ['__mp4'], '', 'Trailer (MP4 for the web).mov'],
    ['what is no ending', 'Dr. Who v1.2', ['__mp4'], '', 'Dr. Who v1.2 (MP4 for the web).mov'],
    ['no path, quote or other line', '..\\a/b"\r\n🎬', ['__mp4'], '', '-a-b- 🎬 (MP4 for the web).mov'],
    ['the name with which an original came', 'Trailer', ['original'], '', 'A001.mov'],
    ['the title of an original, where asked', 'Trailer', ['original'], '?useOriginalFilename=false', 'Trailer.mov'],
  ] as const)('are stored with %s', async (_, title, tags, query, name) => {
    const { world, at, shape } = await open(entry, 'video/mp4', tags);
    await told(world, 'POST /API/item/VX-1/access', { user: 'watcher', permission: 'READ' });
    const field = [{ name: 'title', value: [{ value: title }] }];
    await told(world, 'PUT /API/item/VX-1/metadata', { timespan: [{ start: '-INF', end: '+INF', field }] });
    await told(world, `PUT /API/item/VX-1/shape/${shape.id}/metadata/originalFilename`, 'A001.mov');
    const { headers } = await world.send({ as: watcher, request: `GET ${at}/data${query}` });
    const header = headers.get('content-disposition')!;
    expect(decodeURIComponent(header.split("UTF-8''")[1]!)).toBe(name);
    const part = await world.send({ as: watcher, request: `GET ${at}/data${query}`, headers: { range: 'bytes=0-1' } });
    expect(part.headers.get('content-disposition')).toBe('inline');
  });

  it('have no name of an item whose title, or metadata, the caller may not read', async () => {
    const { world, at } = await open(entry);
    await prepare(world, [newUser(['shapes', 'password of shapes'], ['_item_shape_read'])]);
    const field = [{ name: 'title', value: [{ value: 'Secret' }] }];
    await told(world, 'PUT /API/item/VX-1/metadata', { timespan: [{ start: '-INF', end: '+INF', field }] });
    for (const user of ['watcher', 'shapes'])
      await told(world, 'POST /API/item/VX-1/access', { user, permission: 'READ' });
    const header = async (as: Credentials) =>
      (await world.send({ as, request: `GET ${at}/data` })).headers.get('content-disposition');
    expect(await header(watcher)).toContain('Secret.mov');
    expect(await header(['shapes', 'password of shapes'])).toContain('untitled.mov');
    await told(world, 'POST /API/metadata-field/title/access', { user: 'watcher', permission: 'NONE' });
    expect(await header(watcher)).toContain('untitled.mov');
  });

  it('come in ranges', async () => {
    const { world, at } = await open(entry);
    const headers = { range: 'bytes=7-8' };
    const answer = await world.send({ as: shaper, request: `GET ${at}/data`, headers });
    const range = answer.headers.get('content-range');
    expect([answer.status, answer.body, range]).toEqual([206, 'of', `bytes 7-8/${bytes.length}`]);
    expect((await world.send({ as: shaper, request: `HEAD ${at}/data` })).headers.get('content-length')).toBe('16');
  });

  it.each(['image/svg+xml', 'text/html', 'application/pdf', 'application/xhtml+xml', 'text/xml', 'image/x-icon'])(
    'run as a page of the service: %s',
    async (type) => {
      const { world, at } = await open(entry, type);
      const { status, headers } = await world.send({ as: shaper, request: `GET ${at}/data` });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
      expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    },
  );

  it('are taken without the right to read the item or the shape, or by a shape of another item', async () => {
    const { world, at, shape } = await open(entry);
    const status = async (request: string, as: Credentials) => (await world.send({ as, request })).status;
    expect(await status(`GET ${at}/data`, stranger)).toBe(403);
    expect(await status(`GET ${at}/data`, watcher)).toBe(403);
    expect(await status(`GET /API/item/VX-2/shape/${shape.id}/data`, shaper)).toBe(404);
    expect(await status(`GET ${at}/component/VX-99/data`, shaper)).toBe(404);
  });

  it('are not there without a file', async () => {
    const { world } = await open(entry);
    const { id } = await made(world, { containerComponent: {} });
    expect((await world.send({ as: shaper, request: `GET /API/item/VX-1/shape/${id}/data` })).status).toBe(404);
  });
});
