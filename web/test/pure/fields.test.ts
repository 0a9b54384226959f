import { describe, expect, it } from 'vitest';
import { fieldOf, formOf, groupFormOf, groupOf, nameOfLabel } from '../../src/pages/fields/fields.ts';

const definition = {
  name: 'film_genre',
  type: 'string-exact' as const,
  origin: 'VX',
  data: [
    { key: 'label_en', value: 'Genre' },
    { key: 'facet', value: 'true' },
    { key: 'ui_hidden', value: 'false' },
    { key: 'of_a_plugin', value: 'stays' },
  ],
  values: { field: [{ key: 'news', value: 'News = now' }, { key: 'sport', value: 'sport' }, { key: 'film' }] },
};

it.each([
  ['Genre', 'asset_genre'],
  ['Rating, 1 to 5', 'asset_rating_1_to_5'],
  ['Betyg på språk', 'asset_betyg_pa_sprak'],
  ['…', ''],
])('a label %s makes the name %s', (label, name) => {
  expect(nameOfLabel(label)).toBe(name);
});

describe('a field in its form', () => {
  it('has its data by key, and each choice as a line', () => {
    expect(formOf(definition)).toEqual({
      name: 'film_genre',
      type: 'string-exact',
      data: { label_en: 'Genre', facet: 'true' },
      values: ['news = News = now', 'sport', 'film'],
    });
  });

  it('is sent with all choices in their order, and without data that it does not know', () => {
    expect(fieldOf(formOf(definition)).document).toEqual({
      type: 'string-exact',
      data: [
        { key: 'label_en', value: 'Genre' },
        { key: 'facet', value: 'true' },
      ],
      values: {
        field: [
          { key: 'news', value: 'News = now' },
          { key: 'sport', value: 'sport' },
          { key: 'film', value: 'film' },
        ],
      },
    });
  });

  it('names the data that was taken out', () => {
    const before = formOf(definition);
    expect(fieldOf({ ...before, data: { label_en: 'Genre' } }, before).removed).toEqual(['facet']);
    expect(fieldOf({ type: 'string' }).document.values).toEqual({ field: [] });
  });
});

describe('a group of fields in its form', () => {
  const group = {
    name: 'film',
    field: [
      { name: 'film_genre', schema: { min: 1, max: 1 } },
      { name: 'film_year', schema: { min: 0, max: -1 } },
    ],
    group: [{ name: 'person' }],
  };

  it('keeps how often members may be there that stay, in the order of the lines', () => {
    const form = groupFormOf(group);
    expect(form).toEqual({ name: 'film', field: ['film_genre', 'film_year'], group: ['person'] });
    expect(groupOf({ ...form, field: ['film_new', 'film_genre'] }, group)).toEqual({
      data: [{ key: 'ui_default', value: 'false' }],
      field: [{ name: 'film_new' }, { name: 'film_genre', schema: { min: 1, max: 1 } }],
      group: [{ name: 'person' }],
    });
    expect(groupOf({ name: 'film' }, group)).toMatchObject({ field: [], group: [] });
  });

  it('says whether it makes the form of items without a group', () => {
    const form = groupFormOf({ name: 'film', data: [{ key: 'ui_default', value: 'true' }] });
    expect(form).toEqual({ name: 'film', isDefault: true });
    expect(groupOf(form).data).toEqual([{ key: 'ui_default', value: 'true' }]);
    expect(groupFormOf({ name: 'film', data: [{ key: 'ui_default', value: 'false' }] })).toEqual({ name: 'film' });
  });
});
