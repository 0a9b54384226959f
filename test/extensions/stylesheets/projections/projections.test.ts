import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../../src/core/documents/limits.ts';
import { incoming, transformed } from '../../../../src/extensions/stylesheets/projections.ts';
import { newCollection } from '../../../support/assets.ts';
import { openWorld } from '../../../support/matrix.ts';
import { by, jsonOf, send, xml } from '../../../support/requests.ts';
import { clip, fields, openNews, sent, setProjection, sheet } from '../support.ts';

const made = (title: string) =>
  `<metadata><item>VX-1</item><metadataField><name>title</name><value>${title}</value></metadataField></metadata>`;
const ofClip = '<clip><name>Quay</name></clip>';

describe('a projection', () => {
  it('makes another document of the metadata of an item', async () => {
    const world = await openNews();
    const answer = await send(world, by('GET /API/item/VX-1/metadata?projection=news', undefined, xml));
    expect(answer.body).toBe(made('Harbour'));
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=UTF-8');
    // As a matrix parameter, and for a client that takes JSON elsewhere.
    expect((await send(world, by('GET /API/item/VX-1/metadata;projection=news'))).body).toBe(made('Harbour'));
    const defaultValue = await jsonOf<{ item: unknown[] }>(world, 'GET /API/item/VX-1/metadata?projection=default');
    expect(defaultValue.item).toHaveLength(1);
  });

  it('sees what the other parameters leave', async () => {
    const world = await openNews();
    const answer = await send(world, by('GET /API/item/VX-1/metadata?projection=news&field=-title', undefined, xml));
    expect(answer.body).toBe('<metadata><item>VX-1</item></metadata>');
  });

  it('makes metadata of the document that a client sends, and the answer of another', async () => {
    const world = await openNews();
    const put = { ...by('PUT /API/item/VX-1/metadata?projection=news', ofClip), headers: sent };
    expect((await send(world, put)).body).toContain('<MetadataListDocument');
    const read = async () => (await send(world, by('GET /API/item/VX-1/metadata?projection=news'))).body;
    expect(await read()).toBe(made('QUAY'));
    for (const name of ['output-projection', 'output-project']) {
      const request = `PUT /API/item/VX-1/metadata?projection=news&${name}=news`;
      const body = `<clip><name>${name}</name></clip>`;
      const answer = await send(world, { ...by(request, body), headers: sent });
      expect(answer.body).toBe(made(name.toUpperCase()).replace('<item>VX-1</item>', '<item/>'));
    }
  });

  it('makes another document of the metadata of a collection', async () => {
    const world = await openNews();
    const { id } = JSON.parse((await send(world, newCollection('?name=c'))).body);
    await setProjection(world, 'root', 'outgoing', sheet('<xsl:template match="/*"><r n="{name()}"/></xsl:template>'));
    const answer = await send(world, by(`GET /API/collection/${id}/metadata?projection=root`));
    expect(answer.body).toContain('<r n="MetadataDocument"/>');
  });

  it('with vsXSLTVersion 2 is given an ExportInformationDocument', async () => {
    const world = await openNews();
    const body =
      '<xsl:template match="/*"><r n="{name()}" i="{vs:metadataList/vs:item/@id}" j="{count(vs:job)}"/></xsl:template>';
    await setProjection(world, 'told', 'outgoing', sheet(`<vs:vsXSLTVersion>2</vs:vsXSLTVersion>${body}`));
    const answer = await send(world, by('GET /API/item/VX-1/metadata?projection=told'));
    expect(answer.body).toContain('<r n="ExportInformationDocument" i="VX-1" j="0"/>');
  });

  it('may know the namespace of the instance instead of the usual one', async () => {
    const world = await openNews();
    const own = fields.replace('http://xml.vidispine.com/schema/vidispine', 'urn:portico:schema');
    await setProjection(world, 'own', 'outgoing', own);
    expect((await send(world, by('GET /API/item/VX-1/metadata?projection=own'))).body).toBe(made('Harbour'));
  });

  it('that makes a page or a text never comes as a page', async () => {
    const world = await openNews();
    const page = '<xsl:template match="/"><html><script>alert(1)</script></html></xsl:template>';
    await setProjection(world, 'page', 'outgoing', sheet(page));
    const answer = await send(world, by('GET /API/item/VX-1/metadata?projection=page'));
    expect(answer.body).toContain('<script>alert(1)</script>');
    const told = ['content-type', 'x-content-type-options', 'content-disposition'].map((name) =>
      answer.headers.get(name),
    );
    expect(told).toEqual(['application/octet-stream', 'nosniff', expect.stringContaining('attachment')]);
    await setProjection(world, 'words', 'outgoing', sheet('<xsl:output method="text"/>'));
    const words = await send(world, by('GET /API/item/VX-1/metadata?projection=words'));
    expect(words.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  });

  it('that nobody has set is not found, either way', async () => {
    const world = await openNews();
    await setProjection(world, 'out_only', 'outgoing', fields);
    const { id } = JSON.parse((await send(world, newCollection('?name=c'))).body);
    const answers = [
      by('GET /API/item/VX-1/metadata?projection=other'),
      { ...by('PUT /API/item/VX-1/metadata?projection=other', ofClip), headers: sent },
      { ...by('PUT /API/item/VX-1/metadata?projection=out_only', ofClip), headers: sent },
      by('PUT /API/item/VX-1/metadata?output-projection=other', {}),
      by('GET /API/item/VX-1/metadata?projection=%01a'),
      by('GET /API/item/VX-1/metadata?projection=__proto__'),
      by('GET /API/item/VX-1?content=metadata&projection=other'),
      by(`GET /API/collection/${id}?projection=other`),
    ].map(async (each) => (await world.send(each)).status);
    expect(await Promise.all(answers)).toEqual(Array(8).fill(404));
    expect((await world.send(by('GET /API/item/VX-1?projection=news'))).status).toBe(200);
  });

  it('that fails at what it is given is told, and changes nothing', async () => {
    const world = await openNews();
    const before = await world.sequence();
    const put = (body: string, name = 'news') =>
      world.send({ ...by(`PUT /API/item/VX-1/metadata?projection=${name}`, body), headers: sent });
    const none = await put('<other/>');
    expect([none.status, none.body]).toEqual([400, expect.stringContaining('MetadataDocument')]);
    expect((await put('<clip>')).body).toContain('Expected a document that can be read');
    expect((await put('')).status).toBe(400);
    await setProjection(
      world,
      'ends',
      'incoming',
      sheet('<xsl:template match="/"><xsl:message terminate="yes">no clip</xsl:message></xsl:template>'),
    );
    await setProjection(world, 'page', 'incoming', sheet('<xsl:template match="/"><page/></xsl:template>'));
    expect((await put(ofClip, 'page')).body).toContain('found &lt;page');
    const ended = await put(ofClip, 'ends');
    expect([ended.status, ended.body]).toEqual([400, expect.stringContaining('no clip')]);
    expect(await world.events(before)).toEqual([]);
  });
});

describe('an answer that a stylesheet fails to make', () => {
  const failing = sheet('<xsl:template match="/"><xsl:message terminate="yes">no answer</xsl:message></xsl:template>');
  const titled = { timespan: [{ field: [{ name: 'title', mode: 'add', value: [{ value: 'Twice' }] }] }] };

  it.each(['item/VX-1/metadata', 'document/new'])('refuses the change of %s', async (path) => {
    const world = await openNews();
    await setProjection(world, 'bad', 'outgoing', failing);
    const before = await world.sequence();
    const answer = await world.send(by(`PUT /API/${path}?output-projection=bad`, titled));
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('no answer')]);
    expect(await world.events(before)).toEqual([]);
    expect((await send(world, by('GET /API/item/VX-1/metadata?projection=news'))).body).toBe(made('Harbour'));
    expect((await world.send(by('GET /API/document/new'))).status).toBe(404);
  });
});

it.each([
  ['is longer than a body may be', `<!--${'x'.repeat(2_000)}-->`, 2_000, 'Expected at most 2000 characters'],
  ['begins with more than anybody reads', `<!--${'x'.repeat(70_000)}-->`, 100_000, 'found no element'],
])('metadata of a projection that %s is refused', async (_what, ahead, bytes, says) => {
  const stylesheet =
    sheet(`<xsl:template match="/">${ahead.replace('<!--', '<xsl:comment>').replace('-->', '</xsl:comment>')}
    <MetadataDocument xmlns="urn:portico:schema"/></xsl:template>`);
  const settings = { schemaNamespace: 'urn:portico:schema' };
  const given = { clock: { now: () => 0 }, limits: { ...defaultLimits, bytes }, settings } as never;
  const answer = incoming(given, { name: 'long', stylesheet }, '<a/>');
  await expect(answer).rejects.toMatchObject({ detail: { explanation: expect.stringContaining(says) } });
});

describe('a hostile projection', () => {
  const template = (content: string) => sheet(`<xsl:template match="/">${content}</xsl:template>`);
  const call = (name: string) => `<xsl:call-template name="${name}"/>`;

  it.each([
    [
      'that loops',
      template(
        '<xsl:for-each select="1 to 99999"><xsl:for-each select="1 to 99999"><xsl:if test="false()"/></xsl:for-each></xsl:for-each>',
      ),
      'within a second',
    ],
    [
      'that calls itself',
      template(call('t')).replace(
        '</xsl:stylesheet>',
        `<xsl:template name="t">${call('t')}</xsl:template></xsl:stylesheet>`,
      ),
      'Expected',
    ],
    [
      'that makes a billion nodes',
      template(
        '<xsl:for-each select="1 to 99999"><xsl:for-each select="1 to 99999"><a/></xsl:for-each></xsl:for-each>',
      ),
      'Expected a stylesheet that',
    ],
  ])('%s is ended with a sentence, and others are answered', async (_what, text, says) => {
    const world = await openNews();
    expect((await setProjection(world, 'bad', 'outgoing', text)).status).toBe(200);
    const answer = await world.send(by('GET /API/item/VX-1/metadata?projection=bad'));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([400, 'bad-value']);
    expect(answer.body).toContain(says);
    expect((await send(world, by('GET /API/item/VX-1/metadata?projection=news'))).body).toBe(made('Harbour'));
  });

  it('with a regular expression of death is answered in time', async () => {
    const world = await openNews();
    const expression = `matches(string-join(for $x in 1 to 9999 return 'aaaaaaaaaa', ''), '^(a?){30}(a+)+(a|aa)+$')`;
    await setProjection(world, 'bad', 'outgoing', template(`<r><xsl:value-of select="${expression}"/></r>`));
    expect((await send(world, by('GET /API/item/VX-1/metadata?projection=bad'))).body).toContain('<r>true</r>');
  });

  it('does not let more than a hundred requests wait', async () => {
    const all = Array.from({ length: 101 }, () => transformed({ name: 'a', stylesheet: fields }, '<a/>', 0));
    const ended = await Promise.allSettled(all);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(ended.at(-1)).toMatchObject({ reason: { code: 'busy', headers: { 'retry-after': '5' } } });
    await transformed({ name: 'a', stylesheet: fields }, '<a/>', 0);
  });

  it('lets no account take more than a quarter of the places', async () => {
    const one = (by: string) => transformed({ name: 'a', stylesheet: fields, by }, '<a/>', 0);
    const all = Array.from({ length: 25 }, () => one('a'));
    await expect(one('a')).rejects.toMatchObject({
      code: 'busy',
      detail: { explanation: expect.stringContaining('25') },
    });
    await one('b');
    await Promise.all(all);
    await one('a');
  });

  it('reads no file by an entity of a body', async () => {
    const world = await openNews();
    const body = '<!DOCTYPE clip [<!ENTITY x SYSTEM "file:///etc/passwd">]><clip><name>&x;</name></clip>';
    const answer = await world.send({ ...by('PUT /API/item/VX-1/metadata?projection=news', body), headers: sent });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('no document type declaration')]);
  });
});

describe('a stylesheet is refused', () => {
  it.each([
    ['that is no XML', '<a', 'Expected a stylesheet that can be read'],
    ['that is no stylesheet', '<a/>', 'Expected &lt;stylesheet>'],
    ['with a document type', `<!DOCTYPE a>${clip}`, 'Expected no document type declaration'],
    ['with an expression that cannot be read', fields.replace('select="vs:name"', 'select="vs:name["'), 'in select of'],
    [
      'with an instruction that nobody carries out',
      sheet('<xsl:template match="/"><xsl:iterate select="1"/></xsl:template>'),
      'in &lt;xsl:iterate> (line 2)',
    ],
    [
      'that calls a function that nobody has',
      sheet('<xsl:template match="/"><xsl:value-of select="foo()"/></xsl:template>'),
      'foo()',
    ],
    [
      'that reads an address',
      sheet('<xsl:template match="/"><xsl:copy-of select="doc(\'http://a.test\')"/></xsl:template>'),
      'Expected no call of doc()',
    ],
  ])('%s', async (_what, text, says) => {
    const world = await openWorld('fetch');
    const answer = await setProjection(world, 'a', 'outgoing', text);
    expect([answer.status, answer.body.replaceAll('&gt;', '>')]).toEqual([400, expect.stringContaining(says)]);
    expect((await world.send(by('GET /API/projection/a/outgoing'))).status).toBe(404);
  });

  it.each(['1a', 'a-b', 'a'.repeat(33), 'default', 'a%20b'])('with the name %s', async (name) => {
    const world = await openWorld('fetch');
    expect((await setProjection(world, name, 'outgoing', fields)).status).toBe(400);
  });
});
