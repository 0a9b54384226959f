import { by, jsonOf, newItem, openAssets, send } from '../../../assets/items/asset-support.ts';
import type { World } from '../../../support/matrix.ts';

export interface Field {
  readonly name: string;
  readonly user?: string;
  readonly change?: string;
  readonly value?: readonly { readonly value: string }[];
}
export interface Metadata {
  readonly item: readonly {
    readonly metadata: { readonly timespan: readonly { readonly field: readonly Field[] }[] };
  }[];
}

/** Writes the value of one field, in capitals, into another one. */
export const capitals = (from: string, to: string) => `
  const field = wrapper.metadata.timespan.flatMap((span) => span.field).find(({ name }) => name === '${from}');
  if (field) wrapper.setMetadata({ timespan: [{ field: [{ name: '${to}', value: [{ value: field.value[0].value.toUpperCase() }] }] }] });`;
export const declared =
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
  const world = await openAssets();
  for (const name of ['x_shout', 'x_echo'])
    await send(world, by(`PUT /API/metadata-field/${name}`, { type: 'string' }));
  await send(world, newItem());
  return world;
}
