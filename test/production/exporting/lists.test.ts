import { describe, expect, it } from 'vitest';
import { sheet } from '../../extensions/stylesheets/support.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { ask, done, rowsOf, textAt } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';

const out = (name = '') => encodeURIComponent(`memory:///out/${name}`);

const listed = async (world: RoomWorld, path: string, as = admin): Promise<JobSeen> =>
  ended(world, (await done<JobSeen>(world, ask(`POST /API${path}`, undefined, as))).jobId);

async function item(world: RoomWorld, title: string, as: Credentials = admin): Promise<string> {
  const field = [
    { name: 'title', value: [{ value: title }] },
    { name: 'x_note', value: [{ value: 'a "note", quoted' }, { value: '=1+1' }] },
  ];
  const metadata = { timespan: [{ start: '-INF', end: '+INF', field }] };
  const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder', undefined, as));
  await done(world, ask(`PUT /API/item/${id}/metadata`, metadata));
  return id;
}

/** Items VX-1 (of the administrator) and VX-2 (of the exporter). */
async function opened(): Promise<RoomWorld> {
  const world = await openExports();
  await done(world, ask('PUT /API/metadata-field/x_note', { type: 'string' }));
  await item(world, 'Harbour');
  await item(world, 'Night', exporter);
  return world;
}

describe('POST /item/list', () => {
  it('writes a line for each item that the caller may read, with the fields that it names', async () => {
    const world = await opened();
    const before = await world.sequence();
    const job = await listed(world, `/item/list?destinationUri=${out('all.csv')}&field=title,x_note:Note`);
    expect([job.status, job.type, urisOf(job)]).toEqual(['FINISHED', 'LIST_ITEMS', ['memory:///out/all.csv']]);
    expect(textAt(world.to, 'all.csv')).toBe(
      [
        'itemId,title,Note',
        `VX-1,Harbour,"a ""note"", quoted; '=1+1"`,
        `VX-2,Night,"a ""note"", quoted; '=1+1"`,
        '',
      ].join('\r\n'),
    );
    const names = (await world.events(before)).map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('job/'))).toEqual([]);
    expect(await rowsOf(world, 'export_file')).toEqual([]);
    const fields = { user: exporter[0], permission: 'READ', operation: { metadata: {} } };
    await done(world, ask('POST /API/item/VX-1/access', fields));
    const own = await listed(world, `/item/list?destinationUri=${out('own/')}`, exporter);
    expect(urisOf(own)).toEqual(['memory:///out/own/items.csv']);
    expect(textAt(world.to, 'own/items.csv')).toBe('itemId,title\r\nVX-2,Night\r\n');
  });

  it('writes an ItemListDocument as XML or JSON, also by content paths, and writes over no other list', async () => {
    const world = await opened();
    await listed(world, `/item/list?destinationUri=${out('a.xml')}&outputFormat=XML&field=title`);
    const xml = textAt(world.to, 'a.xml')!;
    expect(xml).toMatch(/^<\?xml[^>]*>\s*<ItemListDocument[^>]*><item id="VX-1" start="-INF" end="\+INF">/);
    expect(xml).toContain('Harbour');
    expect(xml).not.toContain('x_note');
    const path = encodeURIComponent('metadata.timespan.field[name=title].value.value');
    const again = await listed(world, `/item/list?destinationUri=${out('a.xml')}&outputFormat=json&p=${path}`);
    expect(urisOf(again)).toEqual(['memory:///out/a_1.xml']);
    const { item: items } = JSON.parse(textAt(world.to, 'a_1.xml')!) as { item: { id: string; metadata: object }[] };
    expect(items.map(({ id }) => id)).toEqual(['VX-1', 'VX-2']);
    expect(JSON.stringify(items[0]!.metadata)).toMatch(/"Harbour"/);
  });

  it('lists what a user or a group may read, for administrators alone', async () => {
    const world = await opened();
    await prepare(world, [newGroup('crew')]);
    await done(world, ask('POST /API/item/VX-1/access', { group: 'crew', permission: 'READ' }));
    for (const [query, lines] of [
      ['username=exporter', ['VX-2,Night']],
      ['groupname=crew', ['VX-1,Harbour']],
      ['groupname=_administrator', ['VX-1,Harbour', 'VX-2,Night']],
    ] as const) {
      const job = await listed(world, `/item/list?destinationUri=${out()}&${query}`);
      const text = textAt(world.to, urisOf(job)[0]!.slice('memory:///out/'.length))!;
      expect(text.split('\r\n').slice(1, -1), query).toEqual(lines);
    }
    const status = async (query: string, as = exporter) =>
      (await world.send(ask(`POST /API/item/list?destinationUri=${out()}&${query}`, undefined, as))).status;
    expect(await status('groupname=crew')).toBe(403);
    expect(await status('username=admin')).toBe(403);
    expect(await status('username=exporter')).toBe(200);
    expect(await status('username=nobody', admin)).toBe(404);
  });

  it('writes what a stylesheet in the body makes of the list', async () => {
    const world = await opened();
    const lines =
      sheet(`<xsl:output method="text"/><xsl:template match="/"><xsl:for-each select="vs:ItemListDocument/vs:item">
      <xsl:sort select="@id" order="descending"/><xsl:value-of select="@id, .//vs:field[vs:name = 'title']/vs:value" separator=";"/><xsl:text>&#10;</xsl:text></xsl:for-each></xsl:template>`);
    const start = ask(`POST /API/item/list?destinationUri=${out('lines.csv')}`, lines);
    const job = await ended(world, (await done<JobSeen>(world, start)).jobId);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', ['memory:///out/lines.csv']]);
    expect(textAt(world.to, 'lines.csv')).toBe('VX-2;Night\nVX-1;Harbour\n');
    const ends = sheet('<xsl:template match="/"><xsl:message terminate="yes">no list</xsl:message></xsl:template>');
    const again = await done<JobSeen>(world, ask(`POST /API/item/list?destinationUri=${out('no.csv')}`, ends));
    const failed = await ended(world, again.jobId);
    expect([failed.status, whyOf(failed)]).toEqual(['FAILED_TOTAL', expect.stringContaining('"no list"')]);
    expect(textAt(world.to, 'no.csv')).toBeUndefined();
  });

  it('lists of libraries leave a place to other jobs', async () => {
    const world = await openExports({ concurrentJobs: 2 });
    const users: readonly Credentials[] = ['abe', 'ada', 'zoe'].map((name) => [name, `password of ${name}`]);
    const roles = ['_export', '_item_read', '_library_read', '_library_write'];
    await prepare(
      world,
      users.map((user) => newUser(user, roles)),
    );
    const [abe, ada, zoe] = users as [Credentials, Credentials, Credentials];
    for (const user of [abe, ada]) {
      const { uri } = await done<{ uri: string[] }>(world, ask('POST /API/library', { item: [] }, user));
      await done(world, ask(`POST /API/library/${uri[0]}/list?destinationUri=${out()}`, undefined, user));
    }
    await done(world, ask(`POST /API/item/list?destinationUri=${out()}`, undefined, zoe));
    await world.service.tick();
    const begun = (await world.events()).filter(
      ({ name, payload }) => name === 'job/update' && payload['status'] === 'STARTED',
    );
    const order = [...new Set(begun.map(({ payload }) => payload['user']))];
    expect([order.length, order.at(-1)]).toEqual([3, 'ada']);
  });

  it('lists the items of a library', async () => {
    const world = await opened();
    const { uri } = await done<{ uri: string[] }>(world, ask('POST /API/library', { item: [{ id: 'VX-2' }] }));
    const job = await listed(world, `/library/${uri[0]}/list?destinationUri=${out('library.csv')}`);
    expect(job.data).toContainEqual({ key: 'libraryId', value: uri[0] });
    expect(textAt(world.to, 'library.csv')).toBe('itemId,title\r\nVX-2,Night\r\n');
    const refused = await world.send(
      ask(`POST /API/library/${uri[0]}/list?destinationUri=${out()}`, undefined, exporter),
    );
    expect(refused.status).toBe(403);
  });

  it('refuses what it cannot do before a job begins', async () => {
    const world = await opened();
    const told = async (query: string, body?: string) => {
      const answer = await world.send(ask(`POST /API/item/list?${query}`, body));
      return [answer.status, answer.headers.get('portico-error')];
    };
    expect(await told('field=title')).toEqual([400, 'bad-parameter']);
    expect(await told('destinationUri=items.csv')).toEqual([400, 'bad-parameter']);
    expect(await told(`destinationUri=${out()}&p=metadata`)).toEqual([400, 'bad-parameter']);
    expect(await told(`destinationUri=${out()}&outputFormat=xml&p=thumbnails`)).toEqual([400, 'bad-parameter']);
    expect(await told(`destinationUri=${out()}&field=-title`)).toEqual([400, 'bad-parameter']);
    expect(await told(`destinationUri=${out()}&outputFormat=pdf`)).toEqual([400, 'bad-parameter']);
    expect(await told(`destinationUri=${out()}`, '<xsl:stylesheet/>')).toEqual([400, 'bad-value']);
    const reads = sheet('<xsl:template match="/"><xsl:copy-of select="doc(1)"/></xsl:template>');
    expect(await told(`destinationUri=${out()}`, reads)).toEqual([400, 'bad-value']);
    const latin = Uint8Array.from(sheet('<!-- \u00e9 -->'), (each) => each.charCodeAt(0));
    const sent = { as: admin, request: `POST /API/item/list?destinationUri=${out()}`, body: latin };
    const refused = await world.send(sent as never);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('a stylesheet in UTF-8')]);
    expect(await rowsOf(world, 'job')).toEqual([]);
  });
});
