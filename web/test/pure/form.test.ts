import type { MetadataFieldType } from 'portico/types';
import { describe, expect, it } from 'vitest';
import {
  changedIn,
  clashes,
  commonValues,
  definitionOf,
  documentOfChange,
  newChange,
  sectionsOf,
  starsOf,
  valuesOf,
  wrongIn,
} from '../../src/pages/item/form/model.ts';

const words = { other: 'Other', technical: 'Technical' };
const metadata = (fields: Readonly<Record<string, readonly string[]>>, more = {}) => ({
  timespan: [
    {
      ...{ start: '-INF', end: '+INF' },
      field: Object.entries(fields).map(([name, values]) => ({
        name,
        value: values.map((value) => ({ value })),
        ...more,
      })),
    },
    { start: '0@25', end: '5@25', field: [{ name: 'note', value: [{ value: 'timed' }] }] },
  ],
});

describe('a form from definitions', () => {
  const group = {
    name: 'film',
    field: [
      { name: 'film_year', type: 'integer' as const, integerRestriction: { minInclusive: 1888 } },
      {
        ...{ name: 'film_title', schema: { min: 1, max: 1 } },
        stringRestriction: { minLength: 2, maxLength: 5, pattern: '[A-Z].*' },
        data: [
          { key: 'label_en', value: 'Title' },
          { key: 'label_sv', value: 'Titel' },
          { key: 'ui_order', value: '1' },
        ],
      },
      { name: 'secret', data: [{ key: 'ui_hidden', value: 'true' }] },
    ],
  };
  const definitions = [
    { name: 'itemId', system: 'true' },
    { name: 'mood', values: { field: [{ key: 'a', value: 'Alpha' }] } },
  ];

  it('has a section for each group in its order, then other fields, then those of the service', () => {
    const sections = sectionsOf(
      [group],
      definitions,
      ['itemId', 'mood', 'originalWidth', 'film_year', 'hash'],
      new Set(['hash']),
      'sv',
      words,
    );
    expect(sections.map(({ label, fields }) => [label, fields.map((field) => field.label)])).toEqual([
      ['Film', ['Titel', 'Film year']],
      ['Other', ['Mood', 'Original width']],
      ['Technical', ['Item id', 'Hash']],
    ]);
  });

  it('knows types, limits, choices and how many values a field takes', () => {
    const [year, title] = group.field.map((field) => definitionOf(field, 'en'));
    expect(year).toMatchObject({ kind: 'integer', many: true, least: 1888, required: false });
    expect(title).toMatchObject({ kind: 'text', many: false, required: true, least: 2, max: 5 });
    expect(definitionOf(definitions[1]!, 'en').options).toEqual([['a', 'Alpha']]);
    expect(definitionOf({ name: 'x', type: 'date-noindex' }, 'en').kind).toBe('date');
    expect(definitionOf({ name: 'x', type: 'boolean' }, 'en').many).toBe(false);
  });

  it.each([
    [1, 5, 5],
    [1, 10, 10],
    [1, 11, 0],
    [0, 5, 0],
    [1, undefined, 0],
  ])('of whole numbers from %i to %s have %i stars', (minInclusive, maxInclusive, stars) => {
    const integerRestriction = { minInclusive, ...(maxInclusive !== undefined && { maxInclusive }) };
    expect(starsOf(definitionOf({ name: 'x', type: 'integer', integerRestriction }, 'en'))).toBe(stars);
    expect(starsOf(definitionOf({ name: 'x', type: 'float', floatRestriction: integerRestriction }, 'en'))).toBe(0);
  });

  it.each([
    [{ type: 'string-exact' }, true],
    [{ type: 'string', schema: { min: 0, max: 5 } }, true],
    [{ type: 'string' }, false],
    [{ type: 'string-exact', schema: { min: 0, max: 1 } }, false],
    [{ type: 'string-exact', data: [{ key: 'ui_long', value: 'true' }] }, false],
  ] as const)('%j are chips: %s', (field, isTags) => {
    expect(definitionOf({ name: 'x', ...field } as MetadataFieldType, 'en').isTags).toBe(isTags);
  });

  it.each([
    ['film_year', '1700', { what: 'least', value: 1888 }],
    ['film_year', '19.5', { what: 'whole' }],
    ['film_year', 'x', { what: 'number' }],
    ['film_year', '', undefined],
    ['film_year', '1999', undefined],
    ['film_title', 'A', { what: 'short', value: 2 }],
    ['film_title', 'Abcdef', { what: 'long', value: 5 }],
    ['film_title', 'abc', { what: 'pattern' }],
    ['film_title', 'Abc', undefined],
  ])('%s with %j: %j', (name, text, wanted) => {
    const field = group.field.find((each) => each.name === name)!;
    expect(wrongIn(definitionOf(field, 'en'), { text })).toEqual(wanted);
  });
});

describe('changes of a form', () => {
  const base = valuesOf(metadata({ title: ['One'], tags: ['a', 'b'] }));

  it('are those that say something else', () => {
    const now = {
      ...base,
      title: [{ text: 'Two' }],
      tags: [{ text: 'a' }, { text: 'b' }, { text: ' ' }],
      mood: [{ text: '' }],
    };
    expect(changedIn(base, now)).toEqual(['title']);
    expect(changedIn(base, { ...base, tags: [{ text: 'a', lang: 'sv' }, { text: 'b' }] })).toEqual(['tags']);
  });

  it('become a document with these fields alone, and an empty field loses its values', () => {
    expect(documentOfChange(['title', 'tags'], { title: [{ text: 'Två', lang: 'sv' }], tags: [{ text: '' }] })).toEqual(
      {
        timespan: [
          {
            ...{ start: '-INF', end: '+INF' },
            field: [
              { name: 'title', value: [{ value: 'Två', lang: 'sv' }] },
              { name: 'tags', value: [] },
            ],
          },
        ],
      },
    );
  });

  it('clash where somebody else has changed the same field to something else', () => {
    const mine = { ...base, title: [{ text: 'Mine' }], tags: [{ text: 'c' }] };
    const now = metadata({ title: ['Theirs'], tags: ['a', 'b'], other: ['x'] }, { user: 'bo', timestamp: 't' });
    expect(clashes(base, mine, now)).toEqual([{ name: 'title', theirs: [{ text: 'Theirs' }], user: 'bo', at: 't' }]);
    expect(clashes(base, mine, metadata({ title: ['Mine'], tags: ['a', 'b'] }))).toEqual([]);
  });

  it('of several items begin with what all have', () => {
    const { values, differ } = commonValues([
      base,
      valuesOf(metadata({ title: ['Other'], tags: ['a', 'b'], only: ['x'] })),
    ]);
    expect([values, [...differ]]).toEqual([{ tags: [{ text: 'a' }, { text: 'b' }] }, ['title', 'only']]);
  });

  it('are taken back by the id of their change set', () => {
    expect([newChange('VX-1,VX-2', 'VX-1,VX-3,VX-2'), newChange('VX-1', 'VX-1'), newChange()]).toEqual([
      'VX-3',
      undefined,
      undefined,
    ]);
  });
});
