import { describe, expect, it } from 'vitest';
import { Refused } from '../../../src/entry/migrate/calls.ts';
import { metadataChanges, metadataOf, metadataParts, sendMetadata } from '../../../src/entry/migrate/metadata.ts';
import { Report } from '../../../src/entry/migrate/report.ts';
import type { MetadataDocument } from '../../../src/types.ts';

const writable = {
  fields: new Set(['title', 'x_note', 'x_day']),
  groups: new Set(['Film', 'Shot']),
  system: new Set(['created', 'shapeTag', 'mediaType', 'user']),
};
const partsOf = (document: MetadataDocument, report = new Report()) =>
  metadataParts({ report }, 'VX-1', document, writable);

/** Documents that bring what is there from one state to another. */
function changes(before: MetadataDocument, after: MetadataDocument) {
  const [old, parts] = [partsOf(before), partsOf(after)];
  const isOther = (key: string) => JSON.stringify(old[key]) !== JSON.stringify(parts[key]);
  return metadataChanges({
    ...{ parts, id: 'VX-9', isKnown: true },
    changed: new Set(Object.keys(parts).filter(isOther)),
    gone: new Set(Object.keys(old).filter((key) => !(key in parts))),
  });
}

async function* noRemarks() {}

const entry = (value: string, more: object = {}) => ({
  ...{ value, uuid: 'bb0f7c67-1d8a-4f0c-9d0f-0c2f3f7cf2c1', user: 'admin', timestamp: '2020-11-13T11:42:21.493+0000' },
  ...{ change: 'VX-794', ...more },
});
const generic = (content: object): MetadataDocument => ({
  timespan: [{ start: '-INF', end: '+INF', field: [], group: [], ...content }],
});

describe('metadata of the original', () => {
  it('as it was recorded: stored and computed fields, an empty group, a list of change sets', async () => {
    const report = new Report();
    const recorded = {
      revision: 'VX-398,VX-400,VX-399',
      group: ['Film'],
      timespan: [
        {
          field: [
            { name: 'title', value: [entry('Foo bar')], uuid: 'a', user: 'admin', change: 'VX-398' },
            { name: 'created', value: [entry('2020-10-07T15:49:37.548Z')] },
            { name: 'shapeTag', value: [entry('original'), entry('lowres')] },
            { name: '__shape', value: [{ value: 'VX-115' }] },
            { name: '__shape', value: [{ value: 'VX-116' }] },
            { name: 'representativeThumbnail', value: [entry('/API/thumbnail/VX-1/VX-115;version=1/0@30000')] },
            { name: 'x_note', value: [entry('of the house')], inheritance: 'Collection/VX-6' },
            { name: 'portal_gone', value: [entry('x')] },
          ],
          group: [],
          start: '-INF',
          end: '+INF',
        },
      ],
    };
    expect(partsOf(recorded, report)).toEqual({
      main: ['Film'],
      'field/title//': { name: 'title', value: [{ value: 'Foo bar' }] },
    });
    expect((await report.figures(noRemarks())).remark).toMatchObject([
      { text: 'There is no field "portal_gone" here', ids: ['VX-1'] },
    ]);
  });

  it('numbers and single entries in the place of lists are texts and lists', () => {
    const loose = { timespan: { field: { name: 'title', value: { value: 7 } } } } as unknown as MetadataDocument;
    expect(partsOf(loose)).toEqual({ 'field/title//': { name: 'title', value: [{ value: '7' }] } });
  });

  it('a field that is gone is removed, one that has changed is set, and others are not mentioned', () => {
    const field = (name: string, ...values: object[]) => ({ name, value: values });
    const before = generic({
      field: [field('title', entry('a')), field('x_note', entry('b')), field('x_day', entry('c'))],
    });
    const after = generic({ field: [field('title', entry('a')), field('x_note', entry('d'))] });
    expect(changes(before, after)).toEqual([
      generic({
        field: [
          { name: 'x_day', mode: 'remove' },
          { name: 'x_note', value: [{ value: 'd' }] },
        ],
      }),
    ]);
  });

  it('values of a language that is gone do not stay', () => {
    const before = generic({
      field: [{ name: 'x_note', value: [entry('a', { lang: 'en' }), entry('b', { lang: 'sv' })] }],
    });
    const after = generic({ field: [{ name: 'x_note', value: [entry('a', { lang: 'en' })] }] });
    expect(changes(before, after)).toEqual([
      generic({
        field: [
          { name: 'x_note', mode: 'remove' },
          { name: 'x_note', value: [{ value: 'a', lang: 'en' }] },
        ],
      }),
    ]);
  });

  it('groups of one name are replaced together, and a timespan as a whole', () => {
    const film = (text: string) => ({ name: 'Film', field: [{ name: 'x_note', value: [{ value: text }] }], group: [] });
    const timed = (text: string) => ({
      start: '0@PAL',
      end: '25@PAL',
      field: [{ name: 'x_note', value: [{ value: text }] }],
      group: [],
    });
    const [before, after] = ['a', 'b'].map((text) => ({
      timespan: [
        ...generic({ group: [film(text), film('same')] }).timespan!,
        timed(text),
        { ...timed('same'), start: '5@PAL' },
      ],
    }));
    expect(changes(before!, after!)).toEqual([
      {
        timespan: [
          {
            ...{ start: '-INF', end: '+INF', field: [] },
            group: [
              { name: 'Film', mode: 'remove' },
              ...[film('b'), film('same')].map((group) => ({ ...group, mode: 'add' })),
            ],
          },
          { start: '0@PAL', end: '25@PAL', field: [], group: [] },
          timed('b'),
        ],
      },
    ]);
  });

  it('of many timespans goes in several documents, none of which is empty', () => {
    const timespan = Array.from({ length: 1200 }, (_, at) => ({
      start: `${at}@PAL`,
      end: `${at + 1}@PAL`,
      field: [{ name: 'x_note', value: [{ value: 'x'.repeat(1000) }] }],
    }));
    const documents = metadataOf(partsOf({ timespan }));
    expect(documents.length).toBeGreaterThan(2);
    expect(documents.flatMap((document) => document.timespan)).toHaveLength(1200);
    for (const document of documents) expect(JSON.stringify(document).length).toBeLessThan(500_000);
  });

  it('comes without what is refused, and a timespan that has nothing else stays as it is', async () => {
    const sent: MetadataDocument[] = [];
    const report = new Report();
    const document = {
      timespan: [
        { start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'a' }] }] },
        { start: '0', end: '1', field: [{ name: 'x_day', value: [{ value: 'no day' }] }] },
      ],
    };
    await sendMetadata({ report }, 'VX-1', document, async (each) => {
      sent.push(each);
      const fault = { context: 'metadata', id: 'x_day', explanation: 'Expected a date' };
      if (sent.length === 1) throw new Refused('PUT /item/VX-1/metadata', 400, 'invalidInput', fault, '');
    });
    expect(sent[1]).toEqual({ timespan: [{ ...document.timespan[0], group: [] }] });
    expect((await report.figures(noRemarks())).remark).toMatchObject([
      { text: 'Values of "x_day" are refused: 400 Expected a date: x_day', count: 1, ids: ['VX-1'] },
    ]);
  });
});
