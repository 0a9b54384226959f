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
async function open(entry: Entry, mimeType = 'video/mp4') {
  const world = await worldOf('shapes', {}, entry.open);
  await prepare(world, [newUser(watcher, ['_item_shape_read', '_item_read'])]);
  const upload = ask('POST /API/storage/VX-1/file/data?path=a%20film.mov', bytes, librarian);
  const { id: file } = bodyOf<{ id: string }>(await world.send(upload));
  const shape = await made(world, { mimeType: [mimeType], containerComponent: { file: [{ id: file }] } });
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
      expect(headers.get('content-disposition')).toBe('inline');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(headers.get('accept-ranges')).toBe('bytes');
    }
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
