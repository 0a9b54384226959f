import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import type { Credentials } from '../../support/service.ts';
import { by, documentIn, sendWell } from '../metadata/support.ts';

interface Found {
  readonly hits?: number;
  readonly entry: readonly { readonly id: string; readonly type: string; readonly start: string }[];
}

const reader: Credentials = ['reader', 'password of reader'];
const value = (name: string, text: string) => ({ name, value: [{ value: text }] });

describeMatrix('a search of documents', (entry) => {
  const shared = entry.shared(async (world) => {
    const document = (name: string, title: string, note: string, more: readonly object[] = []) =>
      by(`PUT /document/${name}`, {
        timespan: [{ field: [value('doc_title', title), value('doc_note', note)] }, ...more],
      });
    const given = [
      by('PUT /metadata-field/doc_title', { type: 'string' }),
      by('PUT /metadata-field/doc_note', { type: 'string' }),
      newUser(reader, ['_document_read']),
      document('rights', 'Rights of music', 'paper'),
      document('crew', 'Crew of the harbour', 'paper'),
      document('log', 'Log', 'none', [{ start: '1', end: '2', field: [value('doc_title', 'harbour at night')] }]),
    ];
    for (const sent of given) await sendWell(world, sent);
  });
  const search = (query = '', body?: object, as?: Credentials) =>
    documentIn<Found>(shared(), by(`PUT /document${query}`, body, as));
  const told = ({ hits, entry: entries }: Found) => [hits, ...entries.map(({ id, start }) => `${id} ${start}`)];

  it('finds them by fields, words and filters, in the order of their names', async () => {
    expect(told(await search())).toEqual([3, 'crew -INF', 'log -INF', 'rights -INF']);
    expect(told(await search('', { field: [value('doc_note', 'paper')] }))).toEqual([2, 'crew -INF', 'rights -INF']);
    expect(told(await search('', { text: [{ value: 'harbour' }] }))).toEqual([2, 'crew -INF', 'log 1']);
    const filter = [{ operation: 'NOT', field: [value('doc_title', 'crew')] }];
    expect(told(await search('', { field: [value('doc_note', 'paper')], filter }))).toEqual([1, 'rights -INF']);
    expect((await search('?number=1', {})).entry[0]).toMatchObject({ type: 'Document', id: 'crew' });
  });

  it('answers a page, with the number of all or without it', async () => {
    expect(told(await search('?first=2&number=1'))).toEqual([3, 'log -INF']);
    expect(told(await search('?count=false&number=1'))).toEqual([undefined, 'crew -INF']);
  });

  it('looks at no field that is closed to the caller', async () => {
    await sendWell(shared(), by('POST /metadata-field/doc_note/access', { user: 'admin', permission: 'WRITE' }));
    expect((await search('', { field: [value('doc_note', 'paper')] }, reader)).hits).toBe(0);
    expect((await search('', { field: [value('doc_title', 'crew')] }, reader)).hits).toBe(1);
  });

  it('refuses what is about anything else', async () => {
    for (const body of [{ shape: { field: [value('tag', 'original')] } }, { sort: [{ field: 'doc_title' }] }]) {
      const refused = await shared().send(by('PUT /document', body));
      expect([refused.status, refused.body]).toEqual([400, expect.stringMatching(/Expected (criteria|none)/)]);
    }
  });
});
