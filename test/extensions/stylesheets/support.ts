import { newItem } from '../../support/assets.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, jsonOf, send, xml } from '../../support/requests.ts';

interface Field {
  readonly name: string;
  readonly user?: string;
  readonly change?: string;
  readonly value?: readonly { readonly value: string }[];
}
interface Metadata {
  readonly item: readonly {
    readonly metadata: { readonly timespan: readonly { readonly field: readonly Field[] }[] };
  }[];
}

/** Writes the value of one field, in capitals, into another one. */
export const capitals = (from: string, to: string) => `
  const field = wrapper.metadata.timespan.flatMap((span) => span.field).find(({ name }) => name === '${from}');
  if (field) wrapper.setMetadata({ timespan: [{ field: [{ name: '${to}', value: [{ value: field.value[0].value.toUpperCase() }] }] }] });`;
const declared =
  'xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:vs="http://xml.vidispine.com/schema/vidispine"';
export const styled = (content: string) =>
  `<xsl:stylesheet version="2.0" ${declared}><xsl:template match="/">${content}</xsl:template></xsl:stylesheet>`;
export const itemMetadata = { trigger: ['itemMetadata'] };
export const rule = (script: string, more: object = {}) => ({
  step: [{ order: 1, script }],
  triggers: itemMetadata,
  ...more,
});

export const request = '/API/auto-projection';
export const setRule = (world: World, name: string, body: object) => send(world, by(`PUT ${request}/${name}`, body));
export const setField = (world: World, name: string, value: string, item = 'VX-1') =>
  send(world, by(`PUT /API/item/${item}/metadata`, { timespan: [{ field: [{ name, value: [{ value }] }] }] }));
export const fieldOf = async (world: World, name: string, item = 'VX-1') =>
  (await jsonOf<Metadata>(world, `GET /API/item/${item}/metadata`)).item[0]!.metadata.timespan.flatMap(
    ({ field }) => field,
  ).find((field) => field.name === name);
export const textOf = async (world: World, name: string, item = 'VX-1') =>
  (await fieldOf(world, name, item))?.value?.map(({ value }) => value).join('|');
export const changesOf = async (world: World, before: number) =>
  (await world.events(before)).filter(({ name }) => name === 'metadata/modify');
export const failureOf = (world: World, name: string) =>
  jsonOf<{ lastFailure?: string; failureMessage?: string }>(world, `GET ${request}/${name}`);
export const waiting = async (world: World) =>
  Number((await world.service.store.read('SELECT count(*) FROM auto_projection_due'))[0]![0]);

/** An item, and the fields `x_shout` and `x_echo`. */
export async function opened(): Promise<World> {
  const world = await openWorld('fetch');
  for (const name of ['x_shout', 'x_echo'])
    await send(world, by(`PUT /API/metadata-field/${name}`, { type: 'string' }));
  await send(world, newItem());
  return world;
}

const namespaces =
  'xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:vs="http://xml.vidispine.com/schema/vidispine" ' +
  'xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="vs xs"';

/** A stylesheet with that at its top. */
export const sheet = (content: string, version = '2.0'): string =>
  `<xsl:stylesheet version="${version}" ${namespaces}>\n${content}\n</xsl:stylesheet>`;

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

const setTitle = (world: World, title: string, item = 'VX-1') =>
  send(
    world,
    by(`PUT /API/item/${item}/metadata`, { timespan: [{ field: [{ name: 'title', value: [{ value: title }] }] }] }),
  );

/** An item with a title, and the projection `news`. */
export async function openNews(): Promise<World> {
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
