import { expect, it } from 'vitest';
import type { MetadataDocumentValue } from '../../../src/assets/metadata/documents.ts';
import { merge } from '../../../src/assets/metadata/merge/merge.ts';
import type { ReshapeStep } from '../../../src/assets/metadata/merge/reshape.ts';
import { stateOfText, textInSteps } from '../../../src/assets/metadata/merge/stored.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { storedView } from '../../../src/assets/metadata/view/parameters.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { Entity, field } from '../../assets/metadata/support.ts';

type Timespan = NonNullable<MetadataDocumentValue['timespan']>[number];

/** Names and texts alone. */
const outline = ({ field: fields = [], group = [] }: Pick<Timespan, 'field' | 'group'>): object => ({
  ...Object.fromEntries(fields.map((each) => [each.name, each.value?.map(({ value }) => value)])),
  ...(group.length > 0 && { groups: group.map((each) => [each.name, outline(each)]) }),
});

function reshaped(given: Timespan, ...steps: readonly ReshapeStep[]) {
  const entity = new Entity();
  entity.put({ timespan: [given] });
  const change = { id: 'VX-9', user: 'ann', at: 9000 };
  const options = { change, strict: true, isKept: () => false };
  const { state, changed } = runAtOnce(merge(entity.state, { system: true, spans: [], reshape: steps }, options));
  const { timespan = [] } = runAtOnce(documentOf(stateOfText(runAtOnce(textInSteps(state))), storedView));
  // Spans without times are always shown.
  const shown = timespan.filter(({ start }) => start === (given.start ?? '-INF'));
  return { changed, outline: shown.map(outline) };
}

const person = (...names: readonly string[]) => ({
  name: 'person',
  field: [field('name', ...names)],
  mode: 'add' as const,
});
const film = { group: [{ name: 'film', group: [person('ann'), person('ben', 'ann')] }] };

it('a move within a group that both paths have stays in its instance, and joins the values', () => {
  const move = { do: 'move', of: 'field', name: 'name', from: ['film', 'person'], to: ['film'] } as const;
  expect(reshaped(film, move).outline).toEqual([
    {
      groups: [
        [
          'film',
          {
            name: ['ann', 'ben'],
            groups: [
              ['person', {}],
              ['person', {}],
            ],
          },
        ],
      ],
    },
  ]);
});

it('a path begins at any place that has its first group', () => {
  const move = { do: 'move', of: 'field', name: 'name', from: ['person'], to: ['cast', 'names'] } as const;
  expect(reshaped(film, move).outline).toEqual([
    {
      groups: [
        [
          'film',
          {
            groups: [
              ['person', {}],
              ['person', {}],
              ['cast', { groups: [['names', { name: ['ann', 'ben'] }]] }],
            ],
          },
        ],
      ],
    },
  ]);
});

it('a group moves with all in it, and an empty path is the first level alone', () => {
  const inFilm = { ...film, field: [field('name', 'top')] };
  const moves = [
    { do: 'move', of: 'group', name: 'person', from: ['film'], to: [] },
    { do: 'move', of: 'field', name: 'name', from: [], to: ['film'] },
  ] as const;
  expect(reshaped(inFilm, ...moves).outline).toEqual([
    {
      groups: [
        ['film', { name: ['top'] }],
        ['person', { name: ['ann'] }],
        ['person', { name: ['ben', 'ann'] }],
      ],
    },
  ]);
});

it('a field keeps its place among others, and joins one that has its new name', () => {
  const given = { field: [field('a', '1'), field('b', '2'), field('c', '1', '3')] };
  const renames = [
    { do: 'rename', of: 'field', name: 'a', to: 'x' },
    { do: 'rename', of: 'field', name: 'c', to: 'x' },
  ] as const;
  const { outline: after } = reshaped(given, ...renames);
  expect(after.map((each) => Object.entries(each))).toEqual([
    [
      ['x', ['1', '3']],
      ['b', ['2']],
    ],
  ]);
});

it('a timespan of which nothing is left goes, and steps about other names change nothing', () => {
  const given = { start: '0', end: '25', field: [field('a', '1')] };
  expect(reshaped(given, { do: 'delete', of: 'field', name: 'a' })).toEqual({ changed: true, outline: [] });
  expect(reshaped(given, { do: 'delete', of: 'field', name: 'a', from: ['film'] }).changed).toBe(false);
  expect(reshaped(given, { do: 'rename', of: 'group', name: 'a', to: 'b' }).changed).toBe(false);
});
