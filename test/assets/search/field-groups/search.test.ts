import { expect, it } from 'vitest';
import { maxOwners } from '../../../../src/assets/search/field-group-search.ts';
import { newUser } from '../../../support/cast.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import type { Credentials } from '../../../support/service.ts';
import { by, documentIn, sendWell } from '../../metadata/support.ts';

interface Found {
  readonly hits: number;
  readonly group: readonly {
    readonly name: string;
    readonly uuid: string;
    readonly start: string;
    readonly end: string;
    readonly source?: { readonly id: string; readonly type: string; readonly loc: string };
    readonly value?: { readonly field: readonly { readonly name: string }[] };
    readonly definition?: { readonly name: string; readonly field: readonly { readonly name: string }[] };
  }[];
}

const reader: Credentials = ['reader', 'password of reader'];
const searcher: Credentials = ['searcher', 'password of searcher'];
type Ids = readonly { readonly id: string }[];
const text = (name: string, value: string) => ({ name, value: [{ value }] });
const segment = (title: string, score: number, more: object = {}) => ({
  name: 'Segment',
  mode: 'add',
  field: [text('seg_title', title), text('seg_score', String(score))],
  ...more,
});
const field = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

/** Items VX-1 and VX-2 and the collection VX-1 have groups; a user may read fields and nothing of them. */
describeMatrix('a search over groups', (entry) => {
  const shared = entry.shared(async (world) => {
    const given = [
      by('PUT /metadata-field/seg_title', { type: 'string' }),
      by('PUT /metadata-field/seg_score', { type: 'integer' }),
      by('PUT /metadata-field/field-group/Segment', { field: [{ name: 'seg_title' }, { name: 'seg_score' }] }),
      by('PUT /metadata-field/field-group/Show', { group: [{ name: 'Segment' }] }),
      newUser(reader, ['_metadata_field_group_read']),
      newUser(searcher, ['_item_search']),
      by('POST /import/placeholder'),
      by('POST /import/placeholder'),
      by('POST /collection'),
      by('PUT /item/VX-1/metadata', {
        timespan: [
          { group: [segment('Kick-off', 1), segment('Final whistle', 5)] },
          { start: '10@PAL', end: '20@PAL', group: [segment('Goal', 9)] },
        ],
      }),
      by('PUT /item/VX-2/metadata', { timespan: [{ group: [{ name: 'Show', group: [segment('Kick-off', 7)] }] }] }),
      by('PUT /collection/VX-1/metadata', { timespan: [{ group: [segment('Season', 3)] }] }),
      by('PUT /metadata', { timespan: [{ group: [segment('World', 2)] }] }),
    ];
    for (const sent of given) await sendWell(world, sent);
  });

  const search = (query: string, body?: object, as?: Credentials) =>
    documentIn<Found>(shared(), by(`PUT /metadata-field/field-group${query}`, body, as));
  const places = ({ group }: Found) =>
    group.map((each) => `${each.source?.type} ${each.source?.id ?? '-'} ${each.start}`);

  it('finds every group, those of the newest items first, then collections and global metadata', async () => {
    const found = await search('?group=Segment&includeSource=true');
    expect([found.hits, places(found)]).toEqual([
      6,
      [
        'item VX-2 -INF',
        'item VX-1 -INF',
        'item VX-1 -INF',
        'item VX-1 10@PAL',
        'collection VX-1 -INF',
        'global - -INF',
      ],
    ]);
    expect(found.group[0]!.source!.loc).toMatch(/\/API\/item\/VX-2$/);
    expect(found.group.every(({ value, definition }) => value === undefined && definition === undefined)).toBe(true);
  });

  it('asks for all criteria inside of one group', async () => {
    const kickOff = field('seg_title', 'kick-off');
    expect(places(await search('?includeSource=true', kickOff))).toEqual([
      'item VX-2 -INF',
      'item VX-2 -INF',
      'item VX-1 -INF',
    ]);
    const both = { field: [...kickOff.field, ...field('seg_score', '5').field] };
    expect((await search('', both)).hits).toBe(0);
    const high = { field: [{ name: 'seg_score', range: [{ value: [{ value: '6' }, { value: '10' }] }] }] };
    expect(places(await search('?includeSource=true&group=Segment', high))).toEqual([
      'item VX-2 -INF',
      'item VX-1 10@PAL',
    ]);
    const not = { operator: { operation: 'NOT', ...kickOff } };
    expect((await search('?group=Segment&source=item', not)).hits).toBe(2);
  });

  it('shows fields and definitions where the caller asks for them', async () => {
    const found = await search('?group=Segment&includeValue=true&includeDefinition=true&number=1');
    expect(found.hits).toBe(6);
    expect(found.group).toHaveLength(1);
    const [{ value, definition, uuid }] = found.group as readonly [Found['group'][number]];
    expect(value).toMatchObject({ uuid, name: 'Segment', field: [{ name: 'seg_title' }, { name: 'seg_score' }] });
    expect(definition).toMatchObject({ name: 'Segment', field: [{ name: 'seg_title' }, { name: 'seg_score' }] });
  });

  it('answers a page, and the hits alone', async () => {
    expect(places(await search('?group=Segment&includeSource=true&first=4&number=2'))).toEqual([
      'item VX-1 10@PAL',
      'collection VX-1 -INF',
    ]);
    expect(await search('?source=collection&number=0')).toEqual({ hits: 1, group: [] });
  });

  it('finds nothing in what the caller may not read', async () => {
    expect((await search('', undefined, reader)).hits).toBe(0);
  });

  it('finds items and collections by what one group of theirs says, of whichever name', async () => {
    const ids = async (path: string, body?: object, as?: Credentials) => {
      const found = await documentIn<{ hits: number; item?: Ids; collection?: Ids; entry?: Ids }>(
        shared(),
        by(`PUT ${path}/metadata-group`, body, as),
      );
      return [found.hits, (found.item ?? found.collection ?? found.entry ?? []).map(({ id }) => id)];
    };
    const kickOff = field('seg_title', 'kick-off');
    const of = (title: string, score: string) => ({
      field: [...field('seg_title', title).field, ...field('seg_score', score).field],
    });
    expect(await ids('/item', { ...kickOff, sort: [] })).toEqual([2, ['VX-2', 'VX-1']]);
    expect(await ids('/item', of('kick-off', '1')), 'one group').toEqual([1, ['VX-1']]);
    expect(await ids('/item', of('kick-off', '5')), 'two groups').toEqual([0, []]);
    expect(await ids('/item', { ...kickOff, filter: [{ operation: 'NOT', ...field('seg_score', '1') }] })).toEqual([
      1,
      ['VX-2'],
    ]);
    expect(await ids('/item', { text: [{ value: 'goal' }] }), 'a timed group').toEqual([1, ['VX-1']]);
    expect(await ids('/item', { ...kickOff, item: field('itemId', 'VX-1') })).toEqual([1, ['VX-1']]);
    expect(await ids('/collection', field('seg_score', '3'))).toEqual([1, ['VX-1']]);
    expect(await ids('/search', { operator: [{ operation: 'OR', ...of('season', '7') }] })).toEqual([
      2,
      ['VX-1', 'VX-2'],
    ]);
    expect((await ids('/search'))[0], 'whatever has a group').toBe(3);
    expect(await ids('/item', kickOff, searcher)).toEqual([0, []]);
    const { search } = await documentIn<{ search?: readonly object[] }>(shared(), by('GET /item/history'));
    expect(search ?? []).toEqual([]);
  });

  it('forgets groups that are gone', async () => {
    const { group } = await search('?source=collection');
    await sendWell(
      shared(),
      by('PUT /collection/VX-1/metadata', { timespan: [{ group: [{ uuid: group[0]!.uuid, mode: 'remove' }] }] }),
    );
    expect((await search('?source=collection')).hits).toBe(0);
  });

  it('refuses criteria of anything but the group', async () => {
    const refused = await shared().send(by('PUT /metadata-field/field-group', { shape: field('tag', 'original') }));
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.stringContaining('criteria of the metadata in a group'),
    ]);
  });

  it('refuses to look through more entities than it may read', async () => {
    const sql = `WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < ${maxOwners + 101})
      INSERT INTO metadata_group_use (owner_type, owner_serial, owner_id, name) SELECT 'collection', n, 'VX-' || n, 'Show' FROM n`;
    await shared().service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    const refused = await shared().send(by('PUT /metadata-field/field-group?group=Show'));
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(`at most ${maxOwners} entities`)]);
  });
});
