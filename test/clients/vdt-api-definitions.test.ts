import { expect, it, onTestFinished } from 'vitest';
import { fieldTypes } from '../../src/assets/definitions/types.ts';
import { newUser } from '../support/cast.ts';
import { listenFor, openWorld } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** A client of this API as others use it, unchanged: its calls about metadata fields and field groups, as it sends them. */

type Call = (given?: Record<string, unknown>) => Promise<{ readonly status: number; readonly data: Answer }>;
type Calls = Readonly<Record<string, Call>>;
interface Client {
  login(given: { baseURL: string; username: string; password: string }): void;
  logout(): void;
  readonly metadatafield: Calls;
  readonly fieldgroup: Calls;
  readonly metadataschema: Calls;
}
interface Named {
  readonly name: string;
}
interface Answer {
  readonly type?: string;
  readonly data?: unknown;
  readonly id?: string;
  readonly values?: { readonly field: readonly { readonly key: string; readonly value: string }[] };
  readonly field?: readonly (Named & { readonly schema?: object })[];
  readonly group?: readonly (Named & { readonly field?: readonly Named[] })[];
  readonly fieldGroup?: readonly object[];
  readonly access?: readonly object[];
}

// By a name that the compiler does not look up: there is nothing for it to find.
const packageName = '@vidispine/vdt-api';
const client = (await import(packageName)) as Client;

async function open() {
  const world = await openWorld('fetch');
  await prepare(world, [newUser(['ann', 'p'])]);
  onTestFinished(() => client.logout());
  client.login({ baseURL: `http://127.0.0.1:${await listenFor(world)}`, username: admin[0], password: admin[1] });
  const ask =
    (calls: Calls) =>
    async (name: string, given: Record<string, unknown> = {}) =>
      (await calls[name]!(given)).data;
  return { fields: ask(client.metadatafield), groups: ask(client.fieldgroup), schemas: ask(client.metadataschema) };
}

it('vdt-api defines a field of each type, with values, data and restrictions', async () => {
  const { fields, schemas } = await open();
  for (const type of fieldTypes) {
    const fieldName = `vdt_${type.replaceAll('-', '_')}`;
    await fields('updateMetadataField', { fieldName, metadataFieldDocument: { type } });
    expect(await fields('getMetadataField', { fieldName })).toMatchObject({ name: fieldName, type });
  }
  const fieldName = 'vdt_values';
  const colours = [
    { key: 'r', value: 'red' },
    { key: 'g', value: 'green' },
  ];
  const data = [{ key: 'extradata', value: '{"a":1}' }];
  const stringRestriction = { minLength: 0, maxLength: 20, pattern: '[a-z]*' };
  const metadataFieldDocument = { type: 'string', stringRestriction, data, values: { field: colours } };
  await fields('updateMetadataField', { fieldName, metadataFieldDocument });
  const queryParams = { includeValues: true, data: 'all' };
  const read = await fields('getMetadataField', { fieldName, queryParams });
  const enumeration = { key: '__values', value: expect.stringContaining('<key>r</key><value>red</value>') };
  expect(read).toMatchObject({ stringRestriction, data: [...data, enumeration], values: { field: colours } });
  // Forms send back what they have read.
  await fields('updateMetadataField', { fieldName, metadataFieldDocument: read });
  expect(await fields('getMetadataField', { fieldName, queryParams })).toEqual(read);
  expect(await fields('getMetadataFieldAllowedValues', { fieldName })).toMatchObject({
    value: [{ id: 'r' }, { id: 'g' }],
  });
  await fields('updateMetadataFieldValues', { fieldName, simpleMetadataDocument: { field: colours.slice(0, 1) } });
  expect(await fields('getMetadataFieldValues', { fieldName })).toEqual({ field: colours.slice(0, 1) });
  expect(await fields('getSimpleMetadata', { fieldName })).toMatchObject({ field: [...data, enumeration] });
  expect(await schemas('getTerseMetadataSchema')).toMatchObject({ properties: { vdt_values: {} } });
  const listed = await fields('listMetadataField');
  expect(listed.field?.map(({ name }) => name)).toContain(fieldName);
  await fields('removeMetadataField', { fieldName });
  await expect(fields('getMetadataField', { fieldName })).rejects.toMatchObject({ response: { status: 404 } });
});

it('vdt-api makes groups with members and groups', async () => {
  const { fields, groups } = await open();
  await fields('updateMetadataField', { fieldName: 'vdt_m', metadataFieldDocument: { type: 'string' } });
  await groups('updateFieldGroup', { groupName: 'Vdt inner', metadataFieldGroupDocument: { name: 'Vdt inner' } });
  const schema = { min: 0, max: 1, name: 'vdt_m' };
  const metadataFieldGroupDocument = { name: 'Vdt outer', field: [{ name: 'vdt_m', schema }] };
  await groups('updateFieldGroup', { groupName: 'Vdt outer', metadataFieldGroupDocument });
  const nested = { groupName: 'Vdt outer', childGroupName: 'Vdt inner' };
  await groups('updateFieldGroupChild', nested);
  await groups('updateFieldGroupField', { groupName: 'Vdt inner', fieldName: 'vdt_m' });
  const queryParams = { traverse: true, data: 'all', includeValues: true };
  const outer = await groups('getFieldGroup', { groupName: 'Vdt outer', queryParams });
  expect(outer.field).toMatchObject([{ name: 'vdt_m', type: 'string', schema, values: {} }]);
  expect(outer.group).toMatchObject([{ name: 'Vdt inner', field: [{ name: 'vdt_m' }] }]);
  await groups('removeFieldGroupChild', nested);
  await groups('removeFieldGroupField', { groupName: 'Vdt outer', fieldName: 'vdt_m' });
  const { group } = await groups('listFieldGroup', { queryParams: { content: true } });
  expect(group).toMatchObject([{ name: 'Vdt inner' }, { name: 'Vdt outer' }]);
  expect(group?.[1]).not.toHaveProperty('field');
  await groups('removeFieldGroup', { groupName: 'Vdt outer' });
});

it('vdt-api grants access to fields and groups, and asks who has which', async () => {
  const { fields, groups } = await open();
  const [fieldName, groupName] = ['vdt_m', 'Vdt'];
  await fields('updateMetadataField', { fieldName, metadataFieldDocument: { type: 'string' } });
  await groups('updateFieldGroup', { groupName, metadataFieldGroupDocument: { field: [{ name: fieldName }] } });
  const metadataFieldAccessControlDocument = { user: 'ann', permission: 'READ' };
  const { id } = await fields('createMetadataFieldAccess', { fieldName, metadataFieldAccessControlDocument });
  const of = await groups('createFieldGroupAccess', { groupName, metadataFieldAccessControlDocument });
  expect((await fields('listMetadataFieldAccess', { fieldName })).access).toMatchObject([
    { id, field: fieldName, user: 'ann' },
  ]);
  expect((await groups('listFieldGroupAccess', { groupName })).access).toMatchObject([
    { id: of.id, fieldGroup: groupName },
  ]);
  const queryParams = { username: 'ann' };
  const right = { permission: 'READ', username: 'ann' };
  expect(await fields('getMetadataFieldMergedAccess', { fieldName, queryParams })).toMatchObject({ field: [right] });
  expect(await groups('getFieldGroupMergedAccess', { groupName, queryParams })).toMatchObject({
    fieldGroup: [{ ...right, field: [right] }],
  });
  expect((await fields('listMetadataFieldMergedAccess', { queryParams })).field).toContainEqual({
    name: fieldName,
    ...right,
  });
  expect((await groups('listFieldGroupMergedAccess', { queryParams })).fieldGroup).toHaveLength(1);
  await fields('removeMetadataFieldAccess', { fieldName, accessId: id });
  await groups('removeFieldGroupAccess', { groupName, accessId: of.id });
  expect(await fields('listMetadataFieldAccess', { fieldName })).toEqual({ access: [] });
});
