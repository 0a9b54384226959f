import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ask, done, rowsOf, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, fileTemplate, itemWith, openExports, titled, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';
import { sheet } from '../stylesheets/support.ts';

const path = '/API/export-template/web';
const out = encodeURIComponent('memory:///out/web/');
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

const put = (world: RoomWorld, template: object) => done(world, ask(`PUT ${path}`, template));
const run = (world: RoomWorld, item: string, more = '') =>
  exported(world, `/item/${item}/export?uri=${out}&template=web${more}`);

describe('an export template', () => {
  it('is made, read as it was sent, listed, drawn and deleted by its name', async () => {
    const world = await openExports();
    const xml = `<ExportTemplateDocument xmlns="http://xml.vidispine.com/schema/vidispine">
  <item><shape><componentfile path="{{item.id()}}.mp4"><tag>mp4</tag></componentfile><shapeTag>lowres</shapeTag></shape>
    <text path="{{item.id()}}.sha1"><dependency>mp4</dependency><content>{{checksum.tag("mp4")}}</content></text></item>
</ExportTemplateDocument>`;
    const sent = { as: admin, request: `PUT ${path}`, headers: { 'content-type': 'application/xml' }, body: xml };
    expect((await world.send(sent)).status).toBe(200);
    const read = { as: admin, request: `GET ${path}`, headers: { accept: 'application/xml' } };
    expect((await world.send(read)).body).toBe(xml);
    expect(await done(world, ask(`GET ${path}`))).toMatchObject({
      item: [{ shape: [{ shapeTag: 'lowres' }], text: [{ content: '{{checksum.tag("mp4")}}' }] }],
    });
    expect(await done(world, ask('GET /API/export-template'))).toEqual({ uri: ['web'] });
    const dot = { as: admin, request: `GET ${path}/graph/dot`, headers: { accept: 'text/plain' } };
    expect((await world.send(dot)).body).toContain('label="componentfile | {{item.id()}}.mp4"');
    expect((await world.send(ask(`DELETE ${path}`))).status).toBe(200);
    expect((await world.send(ask(`GET ${path}`))).status).toBe(404);
    expect((await world.send(ask(`DELETE ${path}`))).status).toBe(404);
  });

  it('writes texts that stylesheets make of the metadata of each item, and tells them of the job', async () => {
    const world = await openExports();
    const item = await titled(world);
    const text = (xslt: string) => ({ item: [{ text: [{ path: '{{item.id()}}.xml', xslt }] }] });
    await put(
      world,
      text(
        sheet(`<vs:vsXSLTVersion>2</vs:vsXSLTVersion><xsl:output omit-xml-declaration="yes"/><xsl:template match="/*">
      <clip by="{vs:job/vs:user}" type="{vs:job/vs:type}" desk="{vs:job/vs:data[vs:key = 'desk']/vs:value}"><xsl:value-of select="vs:metadataList//vs:field[vs:name = 'title']/vs:value"/></clip></xsl:template>`),
      ),
    );
    const job = await run(world, item, '&jobmetadata=desk%3DNight');
    expect(urisOf(job), JSON.stringify(job.log)).toEqual([`memory:///out/web/${item}.xml`]);
    expect(textAt(world.to, `web/${item}.xml`)).toBe('<clip by="admin" type="EXPORT" desk="Night">Harbour</clip>');
    const status = async (template: object) => (await world.send(ask(`PUT ${path}`, template))).status;
    expect(await status(text('<a/>'))).toBe(400);
    expect(await status({ text: [{ path: 'a', xslt: sheet('') }] })).toBe(400);
    expect(await status({ item: [{ text: [{ path: 'a', content: 'b', xslt: sheet('') }] }] })).toBe(400);
    const ends = sheet('<xsl:template match="/"><xsl:message terminate="yes">no</xsl:message></xsl:template>');
    await put(world, text(ends));
    const failed = await run(world, item);
    expect([failed.status, whyOf(failed)]).toEqual([
      'FAILED_TOTAL',
      expect.stringContaining('The stylesheet ends itself: "no"'),
    ]);
  });

  it('takes no text of a script for the place of a stylesheet', async () => {
    const world = await openExports();
    const item = await titled(world);
    const xslt = sheet('<xsl:output method="text"/><xsl:template match="/">styled</xsl:template>');
    const script = 'String.fromCharCode(0) + "xslt 0"';
    await put(world, {
      item: [
        {
          text: [
            { path: 'a.txt', xslt },
            { path: 'b.txt', script },
          ],
        },
      ],
    });
    const job = await run(world, item);
    const says = 'Expected a text without a NUL character of item/text of the export template "web"';
    expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining(says)]);
    expect(textAt(world.to, 'web/b.txt')).toBeUndefined();
  });

  it('chooses shapes, names files in folders, and writes texts beside them', async () => {
    const world = await openExports();
    const item = await titled(world);
    await put(world, {
      folder: [
        {
          path: 'delivery',
          item: [
            {
              path: '{{item.metadata("title")}}',
              shape: [
                { shapeTag: 'lowres', componentfile: [{ path: 'web.{{file.extension()}}', tag: ['low'] }] },
                { filter: 'shape.tags().includes("original")', componentfile: [{ tag: ['master'] }] },
              ],
              text: [
                { path: 'web.sha1', dependency: ['low'], content: '{{checksum.tag("low", "SHA-1")}}' },
                { path: 'raw.txt', content: { text: '{{1+1}}', scripttags: false } },
                { path: 'size.txt', script: 'jobMetadata.get("desk") + ": " + item.values("title").length' },
              ],
            },
          ],
          text: [{ path: 'all.txt', content: '{{files.map((each) => each.path).join(",")}}' }],
        },
      ],
    });
    const job = await run(world, item, '&jobmetadata=desk%3DHarbour');
    expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
    expect([...world.to.files.keys()].sort()).toEqual(
      ['Harbour.mov', 'raw.txt', 'size.txt', 'web.mp4', 'web.sha1']
        .map((name) => `web/delivery/Harbour/${name}`)
        .concat('web/delivery/all.txt')
        .sort(),
    );
    const at = (name: string) => textAt(world.to, `web/delivery/Harbour/${name}`);
    expect([at('web.mp4'), at('Harbour.mov'), at('raw.txt'), at('size.txt')]).toEqual([
      'low',
      'hello',
      '{{1+1}}',
      'Harbour: 1',
    ]);
    expect(at('web.sha1')).toBe(sha1('low'));
    expect(textAt(world.to, 'web/delivery/all.txt')).toBe('delivery/Harbour/web.mp4,delivery/Harbour/Harbour.mov');
    expect(urisOf(job)).toContain('memory:///out/web/delivery/Harbour/web.sha1');
    expect(job.data).toContainEqual({ key: 'template', value: 'web' });
    expect(await rowsOf(world, 'export_file')).toEqual([]);
  });

  it('repeats what is below iterate, and knows the values that pre computes', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov', { bytes: 'hello' });
    await put(world, {
      item: [
        {
          pre: 'var prefix = item.id().toLowerCase()',
          iterate: [
            { value: ['["sv", "en"]', '"de"'], text: [{ path: '{{prefix}}.{{value}}.txt', content: '{{value}}' }] },
          ],
        },
      ],
    });
    await run(world, item);
    const name = (language: string) => `web/${item.toLowerCase()}.${language}.txt`;
    expect([...world.to.files.keys()].sort()).toEqual(['de', 'en', 'sv'].map(name));
    expect(textAt(world.to, name('sv'))).toBe('sv');
  });

  it('is applied to each item of a collection, with sidecars beside files and not beside texts', async () => {
    const world = await openExports();
    const items = [await titled(world, 'One'), await titled(world, 'Two')];
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=all'));
    for (const item of items) await done(world, ask(`PUT /API/collection/${id}/${item}`));
    await put(world, {
      item: [
        {
          shape: [{ shapeTag: 'lowres', componentfile: [{ path: '{{item.metadata("title")}}.mp4' }] }],
          text: [{ path: '{{item.id()}}.txt', content: 'beside' }],
        },
      ],
    });
    const job = await exported(world, `/collection/${id}/export?uri=${out}&template=web&metadata=true`);
    expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
    expect([...world.to.files.keys()].sort()).toEqual(
      ['One.mp4', 'One.xml', 'Two.mp4', 'Two.xml', ...items.map((item) => `${item}.txt`)]
        .map((name) => `web/${name}`)
        .sort(),
    );
  });

  it('passes over an item without the shape, or fails where that is asked', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    await put(world, { item: [{ shape: [{ shapeTag: 'nowhere', componentfile: [{}] }] }] });
    const job = await run(world, item);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', []]);
    expect(whyOf(await run(world, item, '&allowMissing=false'))).toBe(
      `Expected the item ${item} to have a shape with the tag nowhere, as item/shape of the export template "web" says`,
    );
  });

  it('sees what the user who exports may read, and nothing else', async () => {
    const world = await openExports();
    const item = await titled(world);
    await put(world, fileTemplate('{{item.metadata("title")}}.mov'));
    const request = `POST /API/item/${item}/export?uri=${out}&template=web`;
    expect((await world.send(ask(request, undefined, exporter))).status).toBe(403);
    expect((await world.send(ask(`PUT ${path}`, fileTemplate('a.mov'), exporter))).status).toBe(403);
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection?name=all'));
    await done(world, ask(`PUT /API/collection/${id}/${item}`));
    await done(
      world,
      ask(`POST /API/collection/${id}/access`, { user: 'exporter', permission: 'READ', recursive: false }),
    );
    const job = await exported(world, `/collection/${id}/export?uri=${out}&template=web`, exporter);
    expect([job.status, urisOf(job)]).toEqual(['FINISHED', []]);
  });
});

describe('an export template is refused', () => {
  it.each([
    ['makes no file', { folder: [{ path: 'a' }] }, 'an element "componentfile" or "text"'],
    ['has a shape outside of items', { shape: [{ componentfile: [{}] }] }, 'a shape in an item'],
    ['has a file outside of shapes', { item: [{ componentfile: [{}] }] }, 'a componentfile in a shape'],
    ['has an item in an item', { item: [{ item: [fileTemplate('a')] }] }, 'an item outside of other items'],
    ['has a text without a name', { text: [{ content: 'a' }] }, 'the name of the file'],
    ['has a text with nothing in it', { text: [{ path: 'a' }] }, 'one of content, script and xslt'],
    ['leaves a script open', fileTemplate('{{item.id()'), '"}}" behind each "{{"'],
    ['has a script that nobody can read', fileTemplate('{{item.(}}'), 'item/shape/componentfile/path: SyntaxError'],
    [
      'has scripts that are too long',
      fileTemplate(`{{${'x'.repeat(70_000)}}}`),
      'scripts of at most 65536 characters together',
    ],
    [
      'has too many elements',
      { text: Array.from({ length: 201 }, () => ({ path: 'a', content: '' })) },
      'at most 200 elements',
    ],
  ])('where it %s', async (_title, template, why) => {
    const world = await openExports();
    const answer = await world.send(ask(`PUT ${path}`, template));
    expect(answer.status, answer.body).toBe(400);
    expect(answer.body).toContain(why.replaceAll('"', '\\"'));
    expect((await world.send(ask(`GET ${path}`))).status).toBe(404);
  });

  it('where its name fits into no path, and where nobody knows it', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    for (const name of ['a%20b', 'x'.repeat(65)])
      expect((await world.send(ask(`PUT /API/export-template/${name}`, fileTemplate('a')))).status).toBe(400);
    expect((await world.send(ask(`POST /API/item/${item}/export?uri=${out}&template=web`))).status).toBe(404);
    await put(world, fileTemplate('a.mov'));
    for (const beside of ['tag=original', 'useOriginalFilename=true', 'track=V', 'start=1'])
      expect(
        (await world.send(ask(`POST /API/item/${item}/export?uri=${out}&template=web&${beside}`))).status,
        beside,
      ).toBe(400);
  });
});

describe('the scripts of an export template', () => {
  const failed = 'The export template "web" failed';
  const below = 'of the export template "web" to name a file below the folder';
  it.each([
    ['never ends', fileTemplate('{{(() => { for (;;); })()}}'), /within a second/],
    ['takes all memory', fileTemplate('{{"x".repeat(1e9)}}'), /memory/],
    [
      'fills its memory bit by bit',
      fileTemplate('{{(() => { let a = "x"; for (;;) a += a; })()}}'),
      /memory|string|second/,
    ],
    ['makes a text without end', { text: [{ path: 'a', script: '"x".repeat(300000)' }] }, /at most 262144 characters/],
    [
      'repeats itself without end',
      { iterate: [{ value: ['Array(1e6).fill(1)'], text: [{ path: 'a', content: '' }] }] },
      /at most|memory|second/,
    ],
    ['climbs out', fileTemplate('../../etc/passwd'), `Expected item/shape/componentfile ${below}: "../../etc/passwd"`],
    ['begins at the root', fileTemplate('/etc/passwd'), `Expected item/shape/componentfile ${below}: "/etc/passwd"`],
    [
      'names another scheme',
      fileTemplate('file:///etc/passwd'),
      `Expected item/shape/componentfile ${below}: "file:///etc/passwd"`,
    ],
    [
      'climbs out of a folder',
      { folder: [{ path: '..', text: [{ path: 'a', content: '' }] }] },
      `Expected folder/text ${below}: "../a"`,
    ],
    [
      'names nothing',
      fileTemplate('{{item.metadata("title")}}'),
      `${failed} for VX-1: item/shape/componentfile/path: Expected a value of "item.metadata("title")"`,
    ],
    [
      'throws',
      fileTemplate('{{nobody.knows}}'),
      `${failed} for VX-1: item/shape/componentfile/path: ReferenceError: 'nobody' is not defined`,
    ],
    [
      'asks for another hash',
      fileTemplate('{{checksum.tag("a", "MD5")}}'),
      /Expected SHA-1, the hash that is kept of files: MD5/,
    ],
    [
      'waits for itself',
      {
        text: [
          { path: 'a', content: '', tag: ['x'], dependency: ['y'] },
          { path: 'b', content: '', tag: ['y'], dependency: ['x'] },
        ],
      },
      /do not depend on each other/,
    ],
    [
      'waits for nobody',
      { text: [{ path: 'a', content: '', dependency: ['x'] }] },
      /Expected an element with the tag "x"/,
    ],
    [
      'puts another file in the place of its own',
      fileTemplate('{{(Array.prototype.push = function () { this[0] = [99, "a", "", []]; return 1; }, "a")}}'),
      `${failed} for VX-1: Expected scripts that leave the tools of the sandbox as they are`,
    ],
    [
      'changes a name behind the checks',
      fileTemplate(
        '{{(Array.prototype.push = function () { this[0] = [0, "../a", "here", [], null]; return 1; }, "a")}}',
      ),
      `Expected here ${below}: "../a"`,
    ],
  ])('fails the job where it %s, and writes nothing', async (_title, template, why) => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    await put(world, template);
    const job = await run(world, item);
    expect(job.status, JSON.stringify(job.log)).toBe('FAILED_TOTAL');
    if (typeof why === 'string') expect(whyOf(job)).toBe(why);
    else expect(whyOf(job) ?? 'nothing').toMatch(why);
    expect(world.to.files.size).toBe(0);
    expect(await rowsOf(world, 'export_file')).toEqual([]);
  });

  it.each([
    ['library', { library: [{ path: 'a', ...fileTemplate('a') }] }, 'library'],
    ['itemId', { item: [{ itemId: ['VX-1'], shape: [{ componentfile: [{}] }] }] }, 'item/itemId'],
    ['charset', { text: [{ path: 'a', content: '', charset: 'latin1' }] }, 'text/charset'],
    ['an element that nobody knows', { text: [{ path: 'a', content: '', watermark: 'x' }] }, 'watermark'],
  ])(
    'fails the job with the name of an element that is kept and not carried out: %s',
    async (_title, template, name) => {
      const world = await openExports();
      const item = await itemWith(world, 'in/a.mov');
      await put(world, template);
      const job = await run(world, item);
      expect([job.status, whyOf(job)]).toEqual([
        'FAILED_TOTAL',
        `Expected an export template without the element ${name}: no export of this service carries it out`,
      ]);
    },
  );

  it('fails where a shape would have to be made, and names the element', async () => {
    const world = await openExports();
    const item = await itemWith(world, 'in/a.mov');
    await put(world, { item: [{ shape: [{ shapeTag: '__mp4', generate: true, componentfile: [{}] }] }] });
    expect(whyOf(await run(world, item))).toBe(
      `Expected the item ${item} to have a shape with the tag __mp4: no export carries out item/shape/generate of the export template "web"`,
    );
  });
});

it('the hash of a file is the one that the service keeps', async () => {
  const world = await openExports();
  const item = await itemWith(world, 'in/a.mov', { bytes: 'bytes of in/a.mov' });
  await put(world, {
    item: [
      {
        shape: [{ componentfile: [{ tag: ['a'] }] }],
        text: [{ path: 'a.sha1', dependency: ['a'], content: '{{checksum.tag("a")}}' }],
      },
    ],
  });
  await run(world, item);
  expect(textAt(world.to, 'web/a.sha1')).toBe(sha1('bytes of in/a.mov'));
});
