import { describe, expect, it } from 'vitest';
import { xmpProperties } from '../../../plugins/embedded/xmp.ts';
import { MediaFault } from '../../../src/production/checking/public-reading.ts';
import type { EmbedOrder, MediaHost, MediaSource } from '../../../src/spi/index.ts';
import { shippedHere } from '../../support/media.ts';
import { ask, done, textAt } from '../../support/requests.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';

const out = encodeURIComponent('memory:///out/');

const values: Readonly<Record<string, readonly string[]>> = {
  title: ['Harbour & <sea>'],
  portal_description: ['Two\nlines'],
  portal_keywords: ['boats', 'night'],
  portal_creator: ['Ann', 'Bob'],
  portal_place: ['Bergen'],
  portal_date_taken: ['2024-05-06T07:08:09Z'],
  portal_orientation: ['6'],
};

async function described(world: RoomWorld, path = 'in/a.jpg'): Promise<string> {
  const metadata = { mimeType: ['image/jpeg'] };
  const item = await itemWith(world, path, { as: exporter, metadata });
  const field = Object.entries(values).map(([name, all]) => ({ name, value: all.map((value) => ({ value })) }));
  const clip = { start: '0', end: '25', field: [{ name: 'portal_copyright', value: [{ value: 'of a part' }] }] };
  await done(world, ask(`PUT /API/item/${item}/metadata`, { timespan: [{ start: '-INF', end: '+INF', field }, clip] }));
  return item;
}

const written = {
  'xmp:dc:title': ['Harbour & <sea>'],
  'xmp:dc:description': ['Two\nlines'],
  'xmp:dc:subject': ['boats', 'night'],
  'xmp:dc:creator': ['Ann', 'Bob'],
  'xmp:Iptc4xmpCore:Location': ['Bergen'],
  'xmp:exif:DateTimeOriginal': ['2024-05-06T07:08:09Z'],
};

/** Writes packets behind the bytes of JPEG files, as a program would. */
function writing(missing?: string): MediaHost & { readonly left: () => number } {
  let open = 0;
  return {
    ...shippedHere(),
    tools: async () => [{ name: 'exiftool', ...(missing === undefined ? { version: '13' } : { missing }) }],
    async embed(source: MediaSource, { mimeType, xmp }: EmbedOrder) {
      if (mimeType !== 'image/jpeg') throw new MediaFault('unsupported', `Expected media that takes XMP: ${mimeType}`);
      open++;
      const bytes = new Blob([(await source.read({ from: 0, end: source.size })) as Uint8Array<ArrayBuffer>, xmp]);
      return { size: bytes.size, body: () => bytes.stream(), close: async () => void open-- };
    },
    left: () => open,
  };
}

describe('an export with XMP', () => {
  it('writes the mapping backwards into a file beside each file, which an import reads again', async () => {
    const world = await openExports();
    const item = await described(world);
    const job = await exported(world, `/item/${item}/export?uri=${out}&xmp=sidecar`);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/a.jpg']]);
    expect([...world.to.files.keys()].toSorted()).toEqual(['a.jpg', 'a.xmp']);
    expect(Object.fromEntries(xmpProperties(textAt(world.to, 'a.xmp')!))).toEqual(written);
  });

  it('takes one name for a file and both of its sidecars, and writes over none of them', async () => {
    const world = await openExports();
    const item = await described(world);
    world.to.put('a.xmp', 'of somebody else');
    const job = await exported(world, `/item/${item}/export?uri=${out}&xmp=sidecar&metadata=true`);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/a_1.jpg']]);
    expect([...world.to.files.keys()].toSorted()).toEqual(['a.xmp', 'a_1.jpg', 'a_1.xml', 'a_1.xmp']);
    expect(textAt(world.to, 'a.xmp')).toBe('of somebody else');
  });

  it('attack: XMP has no field that its reader may not read', async () => {
    const world = await openExports();
    const item = await described(world);
    await done(world, ask('POST /API/metadata-field/portal_place/access', { user: 'admin', permission: 'READ' }));
    const job = await exported(world, `/item/${item}/export?uri=${out}&xmp=sidecar`, exporter);
    expect(job.status).toBe('FINISHED');
    expect(textAt(world.to, 'a.xmp')).toContain('boats');
    expect(textAt(world.to, 'a.xmp')).not.toContain('Bergen');
  });

  it('writes it into the copies; a file that takes none is copied as it is, with a warning', async () => {
    const media = writing();
    const world = await openExports({}, { media });
    const items = [await described(world), await itemWith(world, 'in/b.mov', { metadata: { mimeType: ['video/x'] } })];
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=c'));
    for (const item of items) await done(world, ask(`PUT /API/collection/${id}/${item}`));
    const title = { timespan: [{ field: [{ name: 'title', value: [{ value: 'B' }] }] }] };
    await done(world, ask(`PUT /API/item/${items[1]}/metadata`, title));
    const job = await exported(world, `/collection/${id}/export?uri=${out}&xmp=embedded`);
    expect(job.status).toBe('FINISHED_WARNING');
    expect(JSON.stringify(job.log)).toContain('Expected media that takes XMP: video/x');
    const copy = textAt(world.to, 'a.jpg')!;
    expect(copy.startsWith('bytes of in/a.jpg')).toBe(true);
    expect(Object.fromEntries(xmpProperties(copy.slice('bytes of in/a.jpg'.length)))).toEqual(written);
    expect(textAt(world.to, 'b.mov')).toBe('bytes of in/b.mov');
    expect([...world.to.files.keys()].toSorted()).toEqual(['a.jpg', 'b.mov']);
    expect(media.left()).toBe(0);
  });

  it.each([
    [
      'the program',
      writing('Expected the program "exiftool": install it'),
      'Expected the program "exiftool": install it; or use xmp=sidecar',
    ],
    ['a host that starts programs', shippedHere(), 'Expected a host that starts exiftool: use xmp=sidecar'],
  ])('fails before its first file without %s', async (_what, media, sentence) => {
    const world = await openExports({}, { media });
    const item = await described(world);
    const job = await exported(world, `/item/${item}/export?uri=${out}&xmp=embedded`);
    expect([job.status, whyOf(job), [...world.to.files.keys()]]).toEqual(['FAILED_TOTAL', sentence, []]);
  });

  it.each(['&xmp=inside', '&xmp=embedded&tag=original&start=1&end=2'])('refuses %s at once', async (query) => {
    const world = await openExports();
    const item = await described(world);
    const answer = await world.send(ask(`POST /API/item/${item}/export?uri=${out}${query}`));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('xmp')]);
  });
});
