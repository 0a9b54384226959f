import { describe, expect, it } from 'vitest';
import { withEmbedded } from '../../../src/composition/shipped-probers.ts';
import { createMediaHost } from '../../../src/entry/media/child/host.ts';
import type { MediaHost } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { isLong } from '../../support/long.ts';
import { describeMatrix, openBehind } from '../../support/matrix.ts';
import { shippedHere } from '../../support/media.ts';
import { ask, done, json } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { dataOf, itemOf } from '../../support/transfers.ts';
import { importer, type RoomWorld, worldOf } from '../../support/world.ts';
import {
  exifSegment,
  iptcSegment,
  jpegWith,
  mp3With,
  pdfWith,
  pngWith,
  pngXmp,
  wavWith,
  xmp,
  xmpSegment,
} from '../checking/embedded-samples.ts';

/** Opens media in this process, as the media process would. */
function readingHere(): MediaHost {
  const here = shippedHere();
  return {
    ...here,
    probe: async (source, options, probers) =>
      withEmbedded(source, await here.probe(source, options, probers), options),
  };
}

const openReading = () => worldOf('imports', { media: readingHere() });
const picture = () => jpegWith(exifSegment(), xmpSegment(), iptcSegment());
const path = '/API/import/embedded-metadata';

async function imported(
  world: RoomWorld,
  name: string,
  bytes: Uint8Array,
  { fields = {}, as = importer }: { readonly fields?: object; readonly as?: typeof importer } = {},
): Promise<{ readonly item: string; readonly job: JobSeen; readonly fields: Readonly<Record<string, string>> }> {
  world.from.put(name, bytes);
  const field = Object.entries(fields).map(([key, value]) => ({ name: key, value: [{ value }] }));
  const body = field.length > 0 ? { timespan: [{ field }] } : undefined;
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/import?uri=memory:///in/${name}`, body, as));
  const job = await ended(world, jobId);
  const item = dataOf(job, 'itemId')!;
  return { item, job, fields: (await itemOf(world, item)).fields };
}

const logOf = (job: JobSeen): string => JSON.stringify(job.log);

const ofPicture = {
  title: 'Harbour & sea',
  portal_description: 'Ships in the harbour',
  portal_keywords: 'boats|night',
  portal_creator: 'Ann',
  portal_copyright: '(c) Agency',
  portal_place: 'Bergen',
  portal_date_taken: '2024-05-06T07:08:09+02:00',
  portal_orientation: '6',
};

describe('an import', () => {
  it('takes over what is in the file, as one change by the service', async () => {
    const world = await openReading();
    const { item, job, fields } = await imported(world, 'a.jpg', picture());
    expect(job.status, logOf(job)).toBe('FINISHED');
    expect(fields).toMatchObject(ofPicture);
    const log = await done<{ changeSet: { metadata: { timespan: { field: { name: string; user: string }[] }[] } }[] }>(
      world,
      ask(`GET /API/item/${item}/metadata/changes`),
    );
    const sets = log.changeSet.map(({ metadata }) => metadata.timespan.flatMap(({ field }) => field));
    const those = sets.filter((set) => set.some(({ name }) => name.startsWith('portal_')));
    expect(those.map((set) => set.map(({ name }) => name).toSorted())).toEqual([Object.keys(ofPicture).toSorted()]);
    expect(new Set(those.flat().map(({ user }) => user))).toEqual(new Set(['system']));
    const events = (await world.events()).filter(({ name }) => name === 'metadata/modify');
    expect(events.filter(({ payload }) => JSON.stringify(payload).includes('portal_place'))).toHaveLength(1);
  });

  it.each([
    ['a.mp3', () => mp3With(4), { title: 'Sång', portal_creator: 'Ann', portal_copyright: '2024 Ann' }],
    [
      'a.wav',
      wavWith,
      { portal_description: 'Wind over a pier', portal_creator: 'Recorder', portal_date_taken: '2024-05-06T07:08:09' },
    ],
    ['a.pdf', () => pdfWith('no packet'), { title: 'Two (2) lines!', portal_keywords: 'a|b', portal_creator: 'Æ' }],
  ])('takes over what is in %s', async (name, make, values) => {
    const { fields } = await imported(await openReading(), name, await make());
    expect(fields).toMatchObject(values);
  });

  it('lets its caller win, who may also say that there is nothing', async () => {
    const world = await openReading();
    const given = { title: 'Mine', portal_keywords: 'one', portal_place: '' };
    const { fields } = await imported(world, 'a.jpg', picture(), { fields: given });
    expect(fields).toMatchObject({ ...ofPicture, ...given });
  });

  it('lets a name of its caller win in any field that names items', async () => {
    const world = await openReading();
    await done(world, ask('PUT /API/metadata-field/x_name', { type: 'string' }));
    const property = {
      as: admin,
      request: 'PUT /API/configuration/properties/displayNameFields',
      body: 'x_name,title',
    };
    await done(world, { ...property, headers: { 'content-type': 'text/plain' } });
    const named = await imported(world, 'a.jpg', picture(), { fields: { title: 'Mine' } });
    expect(named.fields).toMatchObject({ title: 'Mine' });
    expect(named.fields).not.toHaveProperty('x_name');
    const { fields } = await imported(world, 'b.jpg', picture());
    expect(fields).toMatchObject({ x_name: 'Harbour & sea' });
    expect(fields).not.toHaveProperty('title');
  });

  it('attack: a file sets no field that its importer may not write', async () => {
    const world = await openReading();
    await done(world, ask('POST /API/metadata-field/portal_copyright/access', { user: 'admin', permission: 'WRITE' }));
    const { fields, job } = await imported(world, 'a.jpg', picture());
    expect(job.status).toBe('FINISHED');
    expect(fields).toMatchObject({ portal_creator: 'Ann' });
    expect(fields).not.toHaveProperty('portal_copyright');
    expect((await imported(world, 'b.jpg', picture(), { as: admin })).fields).toMatchObject(ofPicture);
  });

  it('follows the mapping, and says which values do not fit', async () => {
    const world = await openReading();
    await done(world, ask('PUT /API/metadata-field/x_when', { type: 'date' }));
    await done(world, ask('PUT /API/metadata-field/x_gone', { type: 'string' }));
    const mapping = [
      ['exif:Artist', 'x_when'],
      ['iptc:DateCreated', 'x_when'],
      ['xmp:own:Number', 'title'],
      ['xmp:dc:creator', 'x_gone'],
      ['iptc:City', 'portal_place'],
    ].map(([property, field]) => ({ property, field }));
    await done(world, ask(`PUT ${path}`, { mapping }));
    await done(world, ask('DELETE /API/metadata-field/x_gone'));
    const { fields, job } = await imported(world, 'a.jpg', picture());
    expect(job.status).toBe('FINISHED');
    expect(fields).toMatchObject({ title: '7', portal_place: 'Bergen', x_when: '2024-05-06' });
    expect(Object.keys(fields).filter((name) => /^(?:portal|x)_/.test(name))).toEqual(['x_when', 'portal_place']);
    expect(logOf(job)).toContain('Left out exif:Artist of the file: Expected an ISO 8601 date');
    expect(logOf(job)).toContain('Expected the field \\"x_gone\\", which the mapping of xmp:dc:creator names');
    await done(world, ask(`PUT ${path}`, { mapping: [] }));
    expect((await imported(world, 'b.jpg', picture())).fields).not.toHaveProperty('portal_place');
    await done(world, ask(`DELETE ${path}`));
    expect((await imported(world, 'c.jpg', picture())).fields).toMatchObject(ofPicture);
  });

  it('describes an item once: later files and checks of it change no text of people', async () => {
    const world = await openReading();
    const { item } = await imported(world, 'a.jpg', picture());
    const cleared = { timespan: [{ field: [{ name: 'portal_place', value: [{ mode: 'remove', value: 'Bergen' }] }] }] };
    await done(world, ask(`PUT /API/item/${item}/metadata`, cleared));
    const shape = (await itemOf(world, item)).shape[0]!.id;
    for (const request of [
      `POST /API/item/${item}/shape/${shape}/update`,
      `POST /API/item/${item}/shape/essence?uri=memory:///in/a.jpg`,
    ])
      expect((await ended(world, (await done<JobSeen>(world, ask(request))).jobId)).status).toBe('FINISHED');
    expect((await itemOf(world, item)).fields['portal_place'] ?? '').toBe('');
  });

  it('by a rule describes what a scan has found', async () => {
    const world = await openReading();
    const metadata = { timespan: [{ field: [{ name: 'portal_place', value: [{ value: 'Oslo' }] }] }] };
    await done(world, ask('PUT /API/storage/VX-1/auto-import', { metadata }));
    world.from.put('a.jpg', picture());
    await done(world, ask('POST /API/storage/VX-1/rescan'));
    for (let round = 0; round < 12; round++) {
      await world.service.tick();
      await world.clock.advance(30_000);
    }
    const { item } = await done<{ item: { id: string }[] }>(world, ask('GET /API/item'));
    expect(item).toHaveLength(1);
    expect((await itemOf(world, item[0]!.id)).fields).toMatchObject({ ...ofPicture, portal_place: 'Oslo' });
  });
});

const mappingOf = (property: string, field: string) => ({ mapping: [{ property, field }] });
const rows: readonly Scenario[] = [
  {
    name: 'has defaults that need no set-up',
    as: admin,
    request: `GET ${path}`,
    headers: json,
    status: 200,
    says: { contains: ['{"property":"xmp:dc:title","field":"title"}', '"portal_orientation"'] },
  },
  {
    name: 'is answered as it was set',
    given: [
      { as: admin, request: `PUT ${path}`, body: mappingOf('ixml:SCENE', 'title') },
      newUser(['ann', 'p'], ['_import']),
    ],
    as: ['ann', 'p'],
    request: `GET ${path}`,
    headers: json,
    status: 200,
    says: { json: mappingOf('ixml:SCENE', 'title') },
  },
  {
    name: 'is for administrators to set',
    as: admin,
    request: `PUT ${path}`,
    body: mappingOf('exif:Artist', 'title'),
    status: 200,
  },
  {
    name: 'names properties of known kinds',
    as: admin,
    request: `PUT ${path}`,
    body: mappingOf('maker:Note', 'title'),
    status: 400,
    answers: { 'portico-error': 'bad-value' },
  },
  {
    name: 'names fields that are there',
    as: admin,
    request: `PUT ${path}`,
    body: mappingOf('exif:Artist', 'x_none'),
    status: 404,
  },
  {
    name: 'names no field of the service',
    as: admin,
    request: `PUT ${path}`,
    body: mappingOf('exif:Artist', 'mimeType'),
    status: 400,
    answers: { 'portico-error': 'bad-value' },
  },
  {
    name: 'has a largest number of rows',
    as: admin,
    request: `PUT ${path}`,
    body: { mapping: new Array(201).fill({ property: 'exif:Artist', field: 'title' }) },
    status: 400,
    answers: { 'portico-error': 'bad-value' },
  },
];
describeMatrix('the mapping of metadata inside files', (entry) => itHolds(entry, rows));

const deep = `${'<a>'.repeat(100_000)}`;
const entities = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}"><!ENTITY d "${'&b;'.repeat(1000)}">]>`;
const li = (count: number) => xmp().replace('<rdf:li>boats</rdf:li>', '<rdf:li>boat</rdf:li>'.repeat(count));

/** Bytes of a TIFF whose first directory names itself as the next one and as the one of EXIF, with an endless artist. */
function cyclic(): Uint8Array {
  const bytes = new Uint8Array(8 + 2 + 3 * 12 + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 0x2a, 0, 8]);
  view.setUint16(8, 3, true);
  for (const [at, [tag, type, count, value]] of [
    [0x013b, 2, 0xfffffff0, 0],
    [0x8769, 4, 1, 8],
    [0x8825, 4, 1, 8],
  ].entries()) {
    view.setUint16(10 + at * 12, tag!, true);
    view.setUint16(12 + at * 12, type!, true);
    view.setUint32(14 + at * 12, count!, true);
    view.setUint32(18 + at * 12, value!, true);
  }
  view.setUint32(46, 8, true);
  return bytes;
}

const hostile: readonly (readonly [what: string, name: string, make: () => Uint8Array])[] = [
  [
    'XML whose elements lie 100,000 deep',
    'deep.png',
    () => pngWith(pngXmp(xmp().replace('<rdf:RDF', `${deep}<rdf:RDF`))),
  ],
  ['entities within entities', 'entities.png', () => pngWith(pngXmp(entities + xmp()))],
  ['100,000 keywords', 'keywords.png', () => pngWith(pngXmp(li(100_000)))],
  ['20 MB of keywords', 'long.png', () => pngWith(pngXmp(li(900_000)))],
  ['directories in a circle, and a value of 4 GB', 'circle.jpg', () => jpegWith(exifSegment(cyclic()))],
  ['packets that keep a reader busy for ever', 'busy.png', () => pngWith(pngXmp('<?xpacket end="'.repeat(300_000)))],
];

const tried = hostile.filter(([, name]) => isLong || name !== 'busy.png');

// The busy one ends by the limit of time of its reader, ten seconds, in the long form.
it.each(tried)('attack: a file with %s is imported all the same', async (_what, name, make) => {
  const ends: (() => Promise<unknown>)[] = [];
  const media = createMediaHost({
    mediaChildren: 1,
    mediaChildMegabytes: 512,
    probeSeconds: name === 'busy.png' ? 10 : 20,
    ffprobe: '',
  });
  try {
    const world = await worldOf('imports', { media }, (given = {}) =>
      openBehind('fetch', given, (end) => ends.push(end)),
    );
    const { job, fields } = await imported(world, name, make());
    expect(job.status, logOf(job)).toBe('FINISHED');
    expect(fields).toMatchObject({ mediaType: 'image' });
    const lengths = Object.values(fields).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(110_000);
    // The process, or the next one, goes on with others.
    expect((await imported(world, 'good.jpg', picture())).fields).toMatchObject(ofPicture);
  } finally {
    for (const end of ends) await end();
    await media.close();
  }
});
