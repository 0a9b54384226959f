import { by, newItem, send, xml } from '../../../assets/items/asset-support.ts';
import { openWorld, type World } from '../../../support/matrix.ts';

const declared =
  'xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:vs="http://xml.vidispine.com/schema/vidispine" ' +
  'xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="vs xs"';

/** A stylesheet with that at its top. */
export const sheet = (content: string, version = '2.0'): string =>
  `<xsl:stylesheet version="${version}" ${declared}>\n${content}\n</xsl:stylesheet>`;

/** The item and its fields, as the documentation shows it. */
export const fields = sheet(
  `<xsl:output omit-xml-declaration="yes"/><xsl:template match="/"><metadata><item><xsl:value-of select="vs:MetadataListDocument/vs:item/@id"/></item>
  <xsl:for-each select="vs:MetadataListDocument/vs:item/vs:metadata/vs:timespan/vs:field[starts-with(vs:name, 'title')]">
  <metadataField><name><xsl:value-of select="vs:name"/></name><xsl:for-each select="vs:value"><value><xsl:value-of select="."/></value></xsl:for-each></metadataField>
  </xsl:for-each></metadata></xsl:template>`,
  '1.0',
);

/** `<clip><name>` becomes the title. */
export const clip =
  sheet(`<xsl:template match="/clip"><MetadataDocument xmlns="http://xml.vidispine.com/schema/vidispine">
  <timespan start="-INF" end="+INF"><field><name>title</name><value><xsl:value-of select="upper-case(name)"/></value></field></timespan>
  </MetadataDocument></xsl:template>`);

export const setProjection = (world: World, name: string, way: 'incoming' | 'outgoing', text: string) =>
  world.send({ ...by(`PUT /API/projection/${name}/${way}`, text, xml), headers: sent });

export const sent = { 'content-type': 'application/xml', accept: 'application/xml' };

export const setTitle = (world: World, title: string, item = 'VX-1') =>
  send(
    world,
    by(`PUT /API/item/${item}/metadata`, { timespan: [{ field: [{ name: 'title', value: [{ value: title }] }] }] }),
  );

/** An item with a title, and the projection `news`. */
export async function opened(): Promise<World> {
  const world = await openWorld('fetch');
  await send(world, newItem());
  await setTitle(world, 'Harbour');
  for (const [way, text] of [
    ['incoming', clip],
    ['outgoing', fields],
  ] as const) {
    const answer = await setProjection(world, 'news', way, text);
    if (answer.status !== 200) throw new Error(answer.body);
  }
  return world;
}
