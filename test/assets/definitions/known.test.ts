import { expect, it } from 'vitest';
import { loadFields, loadGroups, noSuchField } from '../../../src/assets/definitions/known.ts';
import type { Statement } from '../../../src/core/store/contract.ts';
import { withService } from '../../support/service.ts';

const run = (sql: string): Statement => ({ sql, args: [] });

it('definitions of the release are loaded by name, and what is missing is not there', async () => {
  const { store } = (await withService()).service;
  const fields = await loadFields(store, ['title', 'created', 'title', 'x_none', 'durationTimeCode']);
  expect([...fields.keys()].toSorted()).toEqual(['created', 'durationTimeCode', 'title']);
  expect(fields.get('created')).toMatchObject({ type: 'date', base: 'date', system: true, searchable: true });
  expect(fields.get('title')).toMatchObject({ type: 'string', system: false, fullText: true, inheritance: false });
  expect(fields.get('durationTimeCode')).toMatchObject({ base: 'string', searchable: false, fullText: false });
  expect(noSuchField('x_none')).toMatchObject({ status: 404, detail: { type: 'metadata-field', id: 'x_none' } });
});

it('a change by another instance is seen at the next load', async () => {
  const { store } = (await withService()).service;
  const rest = JSON.stringify({ index: 'noindex', inheritance: 'true', defaultValue: 'd', sortable: true });
  const sql = `UPDATE metadata_field SET rest = '${rest}', version = 2 WHERE name = 'title'`;
  await loadFields(store, ['title']);
  await store.commit({ changes: [run(sql)], events: [] }, { user: 'other' });
  expect((await loadFields(store, ['title'])).get('title')).toMatchObject({
    searchable: false,
    sortable: true,
    inheritance: true,
    defaultValue: 'd',
    version: 2,
  });
});

it('a group is loaded with its members in the order in which they were added', async () => {
  const { store } = (await withService()).service;
  const member = (kind: string, name: string, position: number) =>
    run(`INSERT INTO metadata_field_group_member VALUES ('Film', '${kind}', '${name}', ${position}, '{"max":1}')`);
  const group = (name: string) => run(`INSERT INTO metadata_field_group VALUES ('${name}', '${name}', '{}', 1)`);
  const members = [member('field', 'title', 1), member('field', 'created', 0), member('group', 'Cast', 2)];
  await store.commit({ changes: [group('Film'), group('Cast'), ...members], events: [] }, { user: 'test' });
  const groups = await loadGroups(store, ['Film', 'Cast', 'None']);
  expect(groups.get('Film')).toMatchObject({
    fields: [{ name: 'created', schema: { max: 1 } }, { name: 'title' }],
    groups: [{ name: 'Cast' }],
  });
  expect(groups.get('Cast')).toMatchObject({ fields: [], groups: [] });
  expect(groups.size).toBe(2);
});
