import type { EngineCondition, EngineQuery, EngineSpans, EngineTest, EngineToken } from '../../../spi/index.ts';
import { fields } from './random-corpus.ts';

type Rows = Readonly<Record<string, Partial<EngineQuery>>>;

const where = (condition: EngineCondition): Partial<EngineQuery> => ({ where: condition });

const word = (text: string): EngineToken => ({ kind: 'word', text });
const phrase = (tokens: readonly EngineToken[], slop?: number, spans: EngineSpans = 'all'): Partial<EngineQuery> =>
  where({ is: 'phrase', in: 'words', spans, tokens, ...(slop !== undefined && { slop }) });
const value = (field: keyof typeof fields, test: EngineTest, spans: EngineSpans = 'all'): Partial<EngineQuery> =>
  where({ is: 'value', field: fields[field], spans, test });
const end = (bound: string | number | bigint, open = false) => ({ value: bound, open });

/** A query of each kind of condition. */
export const kindsOfConditions: Rows = {
  all: where({ is: 'all' }),
  none: where({ is: 'none' }),
  'an AND of nothing': where({ is: 'and', of: [] }),
  'an OR of nothing': where({ is: 'or', of: [] }),
  'NOT, and NOT of NOT': where({
    is: 'and',
    of: [
      { is: 'not', of: { is: 'timed' } },
      { is: 'not', of: { is: 'not', of: { is: 'kind', kind: 'item' } } },
    ],
  }),
  'a word': phrase([word('red')]),
  'a word outside of timespans': phrase([word('red')], undefined, 'untimed'),
  'a word inside of timespans': phrase([word('red')], undefined, 'timed'),
  'words in order': phrase([word('red'), word('reed')]),
  'a word of another script': phrase([word('日本')]),
  'the same word twice': phrase([word('red'), word('red')]),
  'the same word twice in any order': phrase([word('red'), word('red')], 1),
  'words in any order': phrase([word('reed'), word('red')], 0),
  'words in any order with others between': phrase([word('blue'), word('red'), word('a')], 2),
  'a start and a word that it fits, in any order': phrase([{ kind: 'start', text: 're' }, word('red')], 2),
  'a start': phrase([{ kind: 'start', text: 'blu' }]),
  'a start in the middle': phrase([word('red'), { kind: 'start', text: 'r' }, word('a')]),
  'a pattern': phrase([{ kind: 'pattern', text: '*e?d' }]),
  'a pattern beside a word': phrase([{ kind: 'pattern', text: 'r*d' }, word('a')]),
  'a near word': phrase([{ kind: 'near', text: 'red', distance: 1 }]),
  'a near word with a fixed start': phrase([{ kind: 'near', text: 'red', distance: 2, fixed: 1 }]),
  'a near word in the middle': phrase([word('a'), { kind: 'near', text: 'lue', distance: 1 }]),
  'a transposition, which is two edits': phrase([{ kind: 'near', text: 'rde', distance: 1 }]),
  'no token': phrase([]),
  'a word of a field': where({ is: 'phrase', in: 'fieldWords', spans: 'all', tokens: [word('title0red')] }),
  'a key': where({ is: 'key', key: 'k1', spans: 'all' }),
  'a key inside of timespans': where({ is: 'key', key: 'k1', spans: 'timed' }),
  'any text': value('title', { is: 'some' }),
  'a text outside of timespans': value('title', { is: 'among', values: ['Red Reed', 'Zoo'] }, 'untimed'),
  'a text inside of timespans': value('title', { is: 'among', values: ['Red Reed', 'Zoo', ''] }, 'timed'),
  'a text with wildcards as they are': value('title', { is: 'among', values: ['a*b', 'a?b', 'a\\b'] }),
  'a text like a pattern': value('title', { is: 'like', pattern: '?ed*' }),
  'a pattern with a backslash': value('title', { is: 'like', pattern: 'a\\*' }),
  'a pattern for one character above 16 bits': value('note', { is: 'like', pattern: '?' }),
  'a pattern over lines': value('note', { is: 'like', pattern: 'ab*cd' }),
  'texts between bytes': value('note', { is: 'between', from: end('\uffee'), to: end('\u{1f600}') }),
  'whole numbers of 64 bits': value('size', { is: 'among', values: [2n ** 53n + 1n] }),
  'whole numbers between': value('size', { is: 'between', from: end(-1), to: end(42, true) }),
  'whole numbers from 64 bits on': value('size', { is: 'between', from: end(2n ** 53n + 1n, true) }),
  'whole numbers beyond all': value('size', { is: 'between', from: end(-(2n ** 70n)), to: end(2n ** 70n) }),
  'no value among none': value('size', { is: 'among', values: [] }),
  'decimals between': value('ratio', { is: 'between', from: end(0.1), to: end(2.5, true) }, 'untimed'),
  'a field that nobody has': value('never', { is: 'some' }),
  'no field that nobody has': where({
    is: 'not',
    of: { is: 'value', field: fields.never, spans: 'all', test: { is: 'some' } },
  }),
  numbers: where({ is: 'number', of: 'id', among: [3, 1, 99] }),
  contexts: where({ is: 'number', of: 'context', among: [0, 2] }),
  'fifty thousand contexts': where({
    is: 'number',
    of: 'context',
    among: Array.from({ length: 50_000 }, (_, id) => id + 1),
  }),
  ids: where({ is: 'name', of: 'entityId', among: ['VX-3', 'VX-4'] }),
  collections: where({ is: 'name', of: 'collections', among: ['VX-2', 'VX-9'] }),
  libraries: where({ is: 'name', of: 'libraries', among: ['VX-1'] }),
  'a kind': where({ is: 'kind', kind: 'collection' }),
  'what is timed': where({ is: 'timed' }),
};

const id = { by: 'id', descending: false } as const;
const sorted = (by: 'created' | keyof typeof fields, descending: boolean): Partial<EngineQuery> => ({
  sort: [{ by: by === 'created' ? by : fields[by], descending }, id],
});

/** A query of each kind of order. */
export const kindsOfSorts: Rows = {
  'by id': { sort: [id] },
  'by time': sorted('created', true),
  'by folded texts': sorted('title', false),
  'by folded texts, descending': sorted('title', true),
  'by texts': sorted('note', false),
  'by whole numbers': sorted('size', false),
  'by whole numbers, descending': sorted('size', true),
  'by decimals': sorted('ratio', false),
  'by decimals, descending': sorted('ratio', true),
  'by a field that nobody has': sorted('never', true),
  'a page': { offset: 7, limit: 5 },
  'no page': { limit: 0 },
};

/** A query of each kind of facet. */
export const kindsOfFacets: Rows = {
  'texts of all hits': { facets: [{ is: 'values', field: fields.title, least: 1, max: 100 }] },
  'whole numbers with all digits': { facets: [{ is: 'values', field: fields.size, least: 1, max: 100 }] },
  'frequent decimals': { facets: [{ is: 'values', field: fields.ratio, least: 5, max: 3 }] },
  'values of some hits': {
    where: { is: 'timed' },
    facets: [{ is: 'values', field: fields.note, least: 1, max: 5 }],
  },
  'values with other criteria': {
    where: { is: 'timed' },
    facets: [
      { is: 'values', field: fields.note, least: 1, max: 5, where: { is: 'all' } },
      { is: 'values', field: fields.title, least: 1, max: 5 },
      { is: 'values', field: fields.size, least: 1, max: 5, where: { is: 'none' } },
    ],
  },
  ranges: {
    facets: [
      {
        is: 'ranges',
        field: fields.size,
        ranges: [{ to: end(0, true) }, { from: end(0), to: end(42, true) }, { from: end(42) }, {}],
      },
    ],
  },
  conditions: {
    where: { is: 'kind', kind: 'item' },
    facets: [{ is: 'conditions', of: [{ is: 'all' }, { is: 'none' }, phrase([word('red')]).where!, { is: 'timed' }] }],
  },
  'no conditions': { facets: [{ is: 'conditions', of: [] }] },
  'values of a field that nobody has': { facets: [{ is: 'values', field: fields.never, least: 0, max: 5 }] },
};
