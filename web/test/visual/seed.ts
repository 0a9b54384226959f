import { expect, vi } from 'vitest';
import { pngFile } from '../../../src/production/transcoding/codecs/png.ts';
import { importFile, metadataOf, type Site, seedStorage } from '../support.ts';

/** Ids of what the pictures show. */
export interface Places {
  readonly film: string;
  readonly collection: string;
  readonly job: string;
  readonly storage: string;
  readonly notification: string;
}

type Colour = readonly [red: number, green: number, blue: number];

const titles: readonly (readonly [title: string, genre: string, year: string, colour: Colour])[] = [
  ['Harbour at night', 'Documentary', '2024', [11, 29, 58]],
  ['Morning fog', 'Documentary', '2019', [144, 164, 174]],
  ['The old lighthouse', 'Drama', '1998', [231, 111, 81]],
  ['Market day', 'News', '2025', [221, 161, 94]],
  ['River from above, seen by a balloon that drifts with the wind', 'Documentary', '2021', [42, 157, 143]],
  ['Interview, part 1', 'News', '2025', [69, 123, 157]],
  ['Interview, part 2', 'News', '2025', [29, 53, 87]],
  ['Snow on the pass', 'Drama', '2003', [236, 239, 241]],
  ['Tram line 7', 'News', '2022', [188, 108, 37]],
  ['Storm warning', 'News', '2023', [84, 110, 122]],
  ['Ferry out of the harbour', 'Drama', '2011', [96, 108, 56]],
];

const picture = (colour: Colour): Promise<Uint8Array> =>
  pngFile({ width: 64, height: 36, palette: Uint8Array.from(colour), rows: new Uint8Array(65 * 36) });

/** All that the pages show. One after the other: so each run gives the same ids. */
export async function seed(site: Site): Promise<Places> {
  const { api } = site;
  const create = async (method: string, path: string, body?: unknown): Promise<string> =>
    (await api<{ readonly id: string }>(method, path, body)).id;
  const thumbnail = async (item: string, seconds: number, colour: Colour) => {
    const { uri } = await api<{ readonly uri: readonly string[] }>('PUT', `/item/${item}/thumbnailresource`);
    await api('PUT', `${uri[0]!.replace(/^.*\/API/, '')}/${seconds * 25}@PAL`, await picture(colour));
  };
  await api('PUT', '/APIinit/preset-templates');
  const storage = await seedStorage(site);
  const fields = [
    ...[['film_genre', 'string-exact', 'Genre'] as const, ['film_year', 'integer-sortable', 'Year'] as const],
    ['film_place', 'string', 'Place'] as const,
  ];
  for (const [name, type, label_en] of fields) {
    const data = Object.entries({ label_en, facet: String(name !== 'film_place') });
    await api('PUT', `/metadata-field/${name}`, { type, data: data.map(([key, value]) => ({ key, value })) });
  }
  await api('PUT', '/metadata-field/field-group/film', {
    name: 'film',
    field: ['title', ...fields.map(([name]) => name)].map((name) => ({ name })),
  });
  const items: string[] = [];
  for (const [title, film_genre, film_year, colour] of titles) {
    const item = await create('POST', '/import/placeholder?container=1', metadataOf({ title, film_genre, film_year }));
    await thumbnail(item, 0, colour);
    items.push(item);
  }
  const film = await importFile(site, 'web/test/visual/film.mp4', {
    ...{ title: 'Northern lights', film_genre: 'Documentary', film_year: '2025', film_place: 'Abisko' },
  });
  await api('PUT', `/item/${film}/field-group/film`);
  for (const [at, [, , , colour]] of titles.slice(0, 8).entries()) await thumbnail(film, at, colour);
  const spans = [['0@25', '60@25', 'First light above the lake'] as const, ['90@25', '160@25', 'Stars'] as const];
  for (const [start, end, value] of spans) {
    const field = [{ name: 'title', value: [{ value }] }];
    await api('PUT', `/item/${film}/metadata`, { timespan: [{ start, end, field }] });
  }
  const collection = await create('POST', '/collection?name=Coast');
  const content = items.slice(0, 5).map((id) => ({ id, type: 'item', mode: 'add' }));
  await api('PUT', `/collection/${collection}`, { content });
  const inner = await create('POST', '/collection?name=Lighthouses');
  await api('PUT', `/collection/${collection}/${inner}?type=collection`);
  await create('POST', '/collection?name=Rushes');
  const { library } = await api<{ readonly library: string }>(
    ...(['PUT', '/item?number=0&result=library&autoRefresh=true&updateMode=REPLACE', { text: ['harbour'] }] as const),
  );
  await api('PUT', `/library/${library}/metadata`, {
    field: [
      ...[{ key: 'portico.ui.name', value: 'The harbour' }],
      ...[{ key: 'portico.ui.search', value: '?q=harbour' }],
    ],
  });
  const failing = await api<{ readonly jobId: string }>('POST', '/import?uri=file:///srv/nowhere/tram.mp4');
  await vi.waitFor(
    async () => expect(await api('GET', `/job/${failing.jobId}`)).toMatchObject({ status: 'FAILED_TOTAL' }),
    { timeout: 60_000 },
  );
  await api('POST', '/item/notification', {
    action: { http: { url: 'https://desk.example.org/hooks/portico', contentType: 'application/json' } },
    trigger: { item: { delete: '' } },
  });
  const { uri } = await api<{ readonly uri: readonly string[] }>('GET', '/item/notification');
  await api('POST', '/quota', {
    ...{ description: 'Newsroom', user: 'editor' },
    resource: [...[{ name: 'item', limit: 200 }], ...[{ name: 'storage', limit: 5e9 }]],
  });
  await api('PUT', '/export-location/desk', { uri: 'file:///srv/desk/' });
  await api('PUT', '/shape-tag/web', { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } });
  return { film, collection, job: failing.jobId, storage, notification: uri[0]!.split('/').at(-1)! };
}
