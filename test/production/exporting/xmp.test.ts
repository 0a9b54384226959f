import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { xmpProperties } from '../../../plugins/embedded/xmp.ts';
import { Gate } from '../../../src/core/lib/gate.ts';
import { xmpWriter } from '../../../src/entry/media/child/xmp-writer.ts';
import { MediaFault } from '../../../src/production/checking/public-reading.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import type { EmbedOrder, MediaHost, MediaSource } from '../../../src/spi/index.ts';
import { shippedHere } from '../../support/media.ts';
import { ask, done, textAt } from '../../support/requests.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';
import { heifWith } from '../checking/embedded-samples.ts';

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

async function described(
  world: RoomWorld,
  path = 'in/a.jpg',
  { mimeType = 'image/jpeg', bytes }: { mimeType?: string; bytes?: string | Uint8Array<ArrayBuffer> } = {},
): Promise<string> {
  const metadata = { mimeType: [mimeType] };
  const item = await itemWith(world, path, { as: exporter, metadata, ...(bytes && { bytes }) });
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

/** A document without pages, with the table of its objects. */
function pdf(): string {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = String(text.length).padStart(10, '0');
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const table = `xref\n0 3\n0000000000 65535 f \n${places.join('')}`;
  return `${text}${table}trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

const hasExiftool = spawnSync('exiftool', ['-ver']).status === 0;
describe.skipIf(!hasExiftool)(`exiftool${hasExiftool ? '' : ': not run, it is not installed'}`, () => {
  it.each([
    ['image/jpeg', 'a.jpg', jpegFile({ width: 16, height: 16, data: new Uint8Array(1024) })],
    ['application/pdf', 'a.pdf', pdf()],
    ['image/heic', 'a.heic', new Uint8Array(heifWith('heic'))],
  ])('writes the mapping backwards into %s, and reads it there', async (mimeType, name, bytes) => {
    const scratch = mkdtempSync(join(tmpdir(), 'portico-xmp-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const { embed, tool } = xmpWriter('exiftool', { scratch, turns: new Gate({ width: 1 }), megabytes: 512 });
    const media: MediaHost = { ...shippedHere(), tools: async () => [await tool()], embed };
    const world = await openExports({}, { media });
    const item = await described(world, `in/${name}`, { mimeType, bytes });
    const job = await exported(world, `/item/${item}/export?uri=${out}&xmp=embedded`);
    expect([job.status, JSON.stringify(job.log)]).toEqual(['FINISHED', expect.not.stringContaining('No XMP')]);
    const path = join(scratch, name);
    writeFileSync(path, world.to.files.get(name)!.bytes);
    const { stdout } = spawnSync('exiftool', ['-j', '-xmp:all', path], { encoding: 'utf8' });
    expect(JSON.parse(stdout)[0]).toMatchObject({
      ...{ Title: 'Harbour & <sea>', Description: 'Two\nlines', Subject: ['boats', 'night'], Creator: ['Ann', 'Bob'] },
      ...{ Location: 'Bergen', DateTimeOriginal: '2024:05:06 07:08:09Z' },
    });
  });
});
