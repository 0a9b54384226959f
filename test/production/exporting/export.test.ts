import { describe, expect, it } from 'vitest';
import { fields, setProjection, sheet } from '../../extensions/stylesheets/support.ts';
import { told } from '../../support/files.ts';
import { ask, bodyOf, done, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';

const out = encodeURIComponent('memory:///out/web/');

describe('an export of an item', () => {
  it('copies the file of the original to a folder of a storage, and tells of the job alone', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const before = await world.sequence();
    const answer = await world.send(ask(`POST /API/item/${item}/export?uri=${out}&jobmetadata=desk%3DHarbour`));
    expect(answer.status, answer.body).toBe(200);
    expect(bodyOf(answer)).toMatchObject({ type: 'EXPORT', status: 'READY', user: 'admin', priority: 'MEDIUM' });
    await world.service.tick();
    const job = await done<{ status: string; data: readonly object[]; log: object }>(
      world,
      ask(`GET /API/job/${bodyOf<{ jobId: string }>(answer).jobId}`),
    );
    expect(job.status, JSON.stringify(job)).toBe('FINISHED');
    const { task } = job.log as { task: readonly { step: number; description: string }[] };
    expect(task.map(({ step, description }) => `${step} ${description}`)).toEqual([
      '100 Preparing',
      '200 Restoring',
      '300 Transcoding',
      '400 Writing sidecars',
      '500 Transferring',
    ]);
    expect((await rowsOf(world, 'file')).map(({ storage_id }) => storage_id)).toEqual(['VX-1']);
    expect(job.data).toEqual([
      { key: 'item', value: item },
      { key: 'itemId', value: item },
      { key: 'destinationUri', value: 'memory:///out/web/' },
      { key: 'desk', value: 'Harbour' },
      { key: 'exportedUris', value: 'memory:///out/web/a.mov' },
    ]);
    expect(textAt(world.to, 'web/a.mov')).toBe('bytes of in/a.mov');
    const names = (await world.events(before)).map(({ name }) => name);
    expect(new Set(names.filter((name) => !name.startsWith('job/')))).toEqual(new Set());
    expect(await rowsOf(world, 'export_file')).toEqual([]);
  });

  it('takes the name of the address, of the original, or of the file', async () => {
    const world = await openExports();
    const metadata = { metadata: { field: [{ key: 'originalFilename', value: 'C:\\card\\Harbour at night.MOV' }] } };
    const item = await itemWith(world, 'in/a.mov', { metadata });
    const named = encodeURIComponent('memory:///out/final cut.mov'.replace(' ', '%20'));
    expect(urisOf(await exported(world, `/item/${item}/export?uri=${named}`))).toEqual([
      'memory:///out/final%20cut.mov',
    ]);
    const original = await exported(world, `/item/${item}/export?uri=${out}&useOriginalFilename=true`);
    expect(urisOf(original)).toEqual(['memory:///out/web/Harbour%20at%20night.MOV']);
    expect([...world.to.files.keys()].sort()).toEqual(['final cut.mov', 'web/Harbour at night.MOV']);
  });

  it('a file with a tag has the name of the original and its own extension', async () => {
    const world = await openExports();
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    const metadata = { metadata: { field: [{ key: 'originalFilename', value: 'Harbour v1.2.mov' }] } };
    const item = await itemWith(world, 'in/a.mov', { metadata });
    await itemWith(world, 'in/a-low.mp4', { item, tag: 'lowres' });
    const job = await exported(world, `/item/${item}/export?uri=${out}&tag=lowres&useOriginalFilename=true`);
    expect(urisOf(job)).toEqual(['memory:///out/web/Harbour%20v1.2.mp4']);
  });

  it('a file that was made of the original has its name, and not that of the storage', async () => {
    const world = await openExports();
    await done(world, ask('PUT /API/shape-tag/web', {}));
    const named = (value: string) => ({ metadata: { field: [{ key: 'originalFilename', value }] } });
    const item = await itemWith(world, 'in/VX-1.mov', { metadata: named('film.mov') });
    await itemWith(world, 'in/VX-24.mp4', { item, tag: 'web', metadata: named('VX-24.mp4') });
    await itemWith(world, 'in/VX-25.srt', { item, tag: 'web', metadata: named('english.srt') });
    const job = await exported(world, `/item/${item}/export?uri=${out}&tag=web&useOriginalFilename=true`);
    expect(urisOf(job)).toEqual(['memory:///out/web/film.mp4', 'memory:///out/web/english.srt']);
  });

  it('writes over no file: the next free number joins the name', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    for (const name of ['a.mov', 'a_1.mov', 'a_2.mov']) {
      const job = await exported(world, `/item/${item}/export?uri=${out}`);
      expect(urisOf(job)).toEqual([`memory:///out/web/${name}`]);
    }
    expect(textAt(world.to, 'web/a.mov')).toBe('bytes of in/a.mov');
  });

  it('exports the shapes with a tag; without one it passes over the item, or fails where that is asked', async () => {
    const world = await openExports();
    for (const tag of ['lowres', 'web']) await done(world, ask(`PUT /API/shape-tag/${tag}`, {}));
    const item = await itemWith(world, 'in/a.mov');
    await itemWith(world, 'in/a-low.mp4', { item, tag: 'lowres' });
    expect(urisOf(await exported(world, `/item/${item}/export?uri=${out}&tag=lowres`))).toEqual([
      'memory:///out/web/a-low.mp4',
    ]);
    const passed = await exported(world, `/item/${item}/export?uri=${out}&tag=web`);
    expect([passed.status, urisOf(passed)]).toEqual(['FINISHED', []]);
    const failed = await exported(world, `/item/${item}/export?uri=${out}&tag=web&allowMissing=false`);
    expect([failed.status, whyOf(failed)]).toEqual([
      'FAILED_TOTAL',
      `Expected a shape with the tag web with a file that is there: ${item} has none`,
    ]);
  });

  it('writes the metadata beside each file, which an import reads again', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const metadata = {
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
    };
    await done(world, ask('PUT /API/metadata-field/title', { type: 'string' }));
    await done(world, ask(`PUT /API/item/${item}/metadata`, metadata));
    for (const name of ['a', 'a_1']) {
      const job = await exported(world, `/item/${item}/export?uri=${out}&metadata=true`);
      expect(urisOf(job), JSON.stringify(job.log)).toEqual([`memory:///out/web/${name}.mov`]);
    }
    const sidecar = textAt(world.to, 'web/a.xml')!;
    expect(sidecar).toMatch(/^<\?xml.*<MetadataDocument/s);
    expect(sidecar).toContain('Harbour');
    expect([...world.to.files.keys()].sort()).toEqual(['web/a.mov', 'web/a.xml', 'web/a_1.mov', 'web/a_1.xml']);
  });

  it('attack: the metadata beside a file has no inherited field that its definition closes', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov', { as: exporter });
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=c'));
    const secret = { timespan: [{ field: [{ name: 'x_closed', value: [{ value: 'quartz' }] }] }] };
    for (const [request, body] of [
      ['PUT /API/metadata-field/x_closed', { type: 'string', inheritance: 'true' }],
      ['POST /API/metadata-field/x_closed/access', { user: 'admin', permission: 'READ' }],
      [`PUT /API/collection/${id}/${item}`, undefined],
      [`PUT /API/collection/${id}/metadata`, secret],
    ] as const)
      await done(world, ask(request, body));
    await exported(world, `/item/${item}/export?uri=${out}&metadata=true`);
    expect(textAt(world.to, 'web/a.xml')).toContain('quartz');
    await exported(world, `/item/${item}/export?uri=${out}&metadata=true`, exporter);
    expect(textAt(world.to, 'web/a_1.xml')).toMatch(/^((?!quartz)[\s\S])*<\/MetadataDocument>\s*$/);
  });

  it('writes what a projection makes of the metadata beside each file, of a location too', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const title = { name: 'title', value: [{ value: 'Harbour' }] };
    await done(world, ask(`PUT /API/item/${item}/metadata`, { timespan: [{ field: [title] }] }));
    const made = await setProjection(world, 'news', 'outgoing', fields);
    expect(made.status, made.body).toBe(200);
    const news = `<metadata><item>${item}</item><metadataField><name>title</name><value>Harbour</value></metadataField></metadata>`;
    await exported(world, `/item/${item}/export?uri=${out}&metadata=true&projection=news`);
    expect(textAt(world.to, 'web/a.xml')).toBe(news);
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=c'));
    await done(world, ask(`PUT /API/collection/${id}/${item}`));
    await done(world, ask('PUT /API/export-location/web', { uri: 'memory:///out/place/', projection: 'news' }));
    await exported(world, `/collection/${id}/export?locationName=web&metadata=true`);
    expect(textAt(world.to, 'place/a.xml')).toBe(news);
    // A projection that terminates fails the job, and the reason names it.
    const ends = sheet('<xsl:template match="/"><xsl:message terminate="yes">no</xsl:message></xsl:template>');
    await setProjection(world, 'ends', 'outgoing', ends);
    const failed = await exported(world, `/item/${item}/export?uri=${out}&metadata=true&projection=ends`);
    expect([failed.status, whyOf(failed)]).toEqual(['FAILED_TOTAL', expect.stringContaining('(projection "ends")')]);
  });

  it('exports one shape by its id', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const { uri } = await done<{ uri: string[] }>(world, ask(`GET /API/item/${item}/shape`));
    const job = await exported(world, `/item/${item}/shape/${uri[0]}/export?uri=${out}`);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/web/a.mov']]);
  });

  it('is refused without the role, without rights on the item, and where it says too little or too much', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const status = async (path: string, as = admin) =>
      (await world.send(ask(`POST /API${path}`, undefined, as))).status;
    expect(await status(`/item/${item}/export?uri=${out}`, ['viewer', 'password of viewer'])).toBe(403);
    expect(await status(`/item/${item}/export?uri=${out}`, exporter)).toBe(403);
    expect(await status(`/item/VX-99/export?uri=${out}`)).toBe(404);
    expect(await status(`/item/${item}/export`)).toBe(400);
    expect(await status(`/item/${item}/export?uri=${out}&locationName=x`)).toBe(400);
    expect(await status(`/item/${item}/export?locationName=unknown`)).toBe(404);
    expect(await status(`/item/${item}/export?uri=${out}&tag=unknown`)).toBe(404);
    expect(await status(`/item/${item}/export?uri=${out}&projection=unknown`)).toBe(404);
    expect(await status(`/item/${item}/export?uri=${out}&template=unknown`)).toBe(404);
    expect(await status(`/item/${item}/export?uri=${out}&start=10`)).toBe(400);
    expect(await status(`/item/${item}/export?uri=${out}&version=newest`)).toBe(400);
    expect((await told(world, 0, /^job\//)).length).toBe(0);
  });

  it.each([
    ['addresses', { uri: {} }],
    ['shapes with the tag', { shape: { tag: 'original' } }],
  ])('gives out no file where an entry withholds the %s', async (_what, operation) => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const gives = (permission: string, more: object = {}) =>
      done<{ id: string }>(world, ask(`POST /API/item/${item}/access`, { user: 'exporter', permission, ...more }));
    await gives('READ');
    const { id } = await gives('NONE', { operation });
    expect(urisOf(await exported(world, `/item/${item}/export?uri=${out}`, exporter))).toEqual([]);
    await done(world, ask(`DELETE /API/item/${item}/access/${id}`));
    expect(urisOf(await exported(world, `/item/${item}/export?uri=${out}`, exporter))).toHaveLength(1);
  });
});

describe('an export of a list', () => {
  it('exports the items of a collection and of those in it, as far as the caller may read them', async () => {
    const world = await openExports();
    const [first, second, third] = [
      await itemWith(world, 'in/1/a.mov', { as: exporter }),
      await itemWith(world, 'in/2/a.mov'),
      await itemWith(world, 'in/3/b.mov', { as: exporter }),
    ];
    const collection = async (name: string) =>
      (await done<{ id: string }>(world, ask(`POST /API/collection?name=${name}`))).id;
    const [outer, inner] = [await collection('outer'), await collection('inner')];
    await done(world, ask(`PUT /API/collection/${outer}/${first}?type=item`));
    await done(world, ask(`PUT /API/collection/${outer}/${second}?type=item`));
    await done(world, ask(`PUT /API/collection/${outer}/${inner}?type=collection`));
    await done(world, ask(`PUT /API/collection/${inner}/${third}?type=item`));
    const all = await exported(world, `/collection/${outer}/export?uri=${encodeURIComponent('memory:///out/all')}`);
    expect(urisOf(all)).toEqual(['memory:///out/all/a.mov', 'memory:///out/all/a_1.mov', 'memory:///out/all/b.mov']);
    for (const each of [outer, inner]) {
      await done(world, ask(`POST /API/collection/${each}/access`, { user: 'exporter', permission: 'READ' }));
    }
    await sqlAccess(world, second, 'NONE');
    const own = await exported(world, `/collection/${outer}/export?uri=${out}&all=false`, exporter);
    expect(urisOf(own)).toEqual(['memory:///out/web/a.mov', 'memory:///out/web/b.mov']);
  });

  it.each(['collection', 'library'])(
    'attack: an export of a %s tells nothing of the items in it that are closed',
    async (kind) => {
      const world = await openExports();
      const own = await itemWith(world, 'in/a.mov', { as: exporter });
      const closed = await itemWith(world, 'in/secret.mov');
      const items = { item: [{ id: own }, { id: closed }] };
      const list =
        kind === 'library'
          ? (await done<{ uri: string[] }>(world, ask('POST /API/library', items))).uri[0]!
          : await newCollection(world, own, closed);
      await done(world, ask(`POST /API/${kind}/${list}/access`, { user: 'exporter', permission: 'READ' }));
      await sqlAccess(world, closed, 'NONE');
      // Without all=false, an item that cannot be exported fails the job by its id.
      const job = await exported(world, `/${kind}/${list}/export?uri=${out}`, exporter);
      expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/web/a.mov']]);
      expect(JSON.stringify(job)).not.toContain(closed);
    },
  );

  it('attack: an export of a collection does not look into a closed collection in it', async () => {
    const world = await openExports();
    const [first, second] = [
      await itemWith(world, 'in/1/a.mov', { as: exporter }),
      await itemWith(world, 'in/2/b.mov', { as: exporter }),
    ];
    const inner = await newCollection(world, second);
    const outer = await newCollection(world, first);
    await done(world, ask(`PUT /API/collection/${outer}/${inner}?type=collection`));
    await done(world, ask(`POST /API/collection/${outer}/access`, { user: 'exporter', permission: 'READ' }));
    await done(world, ask(`POST /API/collection/${inner}/access`, { user: 'exporter', permission: 'NONE' }));
    const job = await exported(world, `/collection/${outer}/export?uri=${out}`, exporter);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/web/a.mov']]);
  });

  it('fails where an item has no file, and passes over it with all=false', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    const { id: empty } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
    const { uri } = await done<{ uri: string[] }>(
      world,
      ask('POST /API/library', { item: [{ id: item }, { id: empty }] }),
    );
    const failed = await exported(world, `/library/${uri[0]}/export?uri=${out}`);
    expect([failed.status, whyOf(failed)]).toEqual([
      'FAILED_TOTAL',
      `Expected an original shape with a file that is there: ${empty} has none`,
    ]);
    expect([...world.to.files.keys()]).toEqual([]);
    const passed = await exported(world, `/library/${uri[0]}/export?uri=${out}&all=false`);
    expect([passed.status, urisOf(passed)]).toEqual(['FINISHED', ['memory:///out/web/a.mov']]);
  });
});

async function newCollection(world: RoomWorld, ...items: readonly string[]): Promise<string> {
  const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=c'));
  for (const each of items) await done(world, ask(`PUT /API/collection/${id}/${each}`));
  return id;
}

const sqlAccess = async (world: RoomWorld, item: string, permission: string) =>
  done(world, ask(`POST /API/item/${item}/access`, { user: 'exporter', permission }));
