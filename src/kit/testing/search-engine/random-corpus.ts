import type {
  EngineCondition,
  EngineDocument,
  EngineDocumentValue,
  EngineEnd,
  EngineFacet,
  EngineField,
  EngineQuery,
  EngineSort,
  EngineSpans,
  EngineTest,
  EngineTexts,
  EngineToken,
  EngineValue,
} from '../../../spi/index.ts';
import { seededRandom } from '../clock.ts';

/** Fields of the documents of the suite. Titles sort by folded texts. */
export const fields = {
  title: { key: 'title0', name: 'title', type: 'text' },
  note: { key: 'note0', name: 'note', type: 'text' },
  size: { key: 'size0', name: 'size', type: 'integer' },
  ratio: { key: 'ratio0', name: 'ratio', type: 'decimal' },
  never: { key: 'never0', name: 'never', type: 'integer' },
} as const satisfies Readonly<Record<string, EngineField>>;

const words = ['red', 'reed', 'rede', 'rod', 'blue', 'bluebird', 'glue', 'a', 'ab', '日本', 'straße', '_0abc', 'x2'];
const texts: Readonly<Record<'title' | 'note', readonly string[]>> = {
  title: ['Red Reed', 'red reed', 'Blue', 'blue bird', 'Ärger', 'Zoo', '', '10%', 'a*b', 'a?b', 'a\\b', '"q"'],
  note: ['red', 'Red', 'é', 'e\u0301', '\uffee', '\u{1f600}', '\u{10ffff}', 'x'.repeat(1000), 'ab\ncd', ' ', '日本'],
};
const wholes: readonly EngineValue[] = [
  0,
  1,
  -1,
  7,
  42,
  1_700_000_000_000,
  2n ** 53n + 1n,
  2n ** 53n + 2n,
  -(2n ** 62n) - 1n,
];
const decimals: readonly EngineValue[] = [0, 0.1, -0.5, 1e300, -1e300, 2.5, 25, 1 / 3];
const collections = ['VX-1', 'VX-2', 'VX-9'];
const libraries = ['VX-1', 'VX-3'];

type Chance = ReturnType<typeof chanceOf>;

/** Choices that a seed repeats. */
export function chanceOf(seed: number) {
  const random = seededRandom(seed);
  /** Whole number below the limit. */
  const below = (limit: number): number => {
    const [high = 0, low = 0] = random.bytes(2);
    return Math.floor(((high * 256 + low) / 65_536) * limit);
  };
  return {
    below,
    isIn: (among: number) => below(among) === 0,
    one: <T>(list: readonly T[]): T => list[below(list.length)]!,
    some: <T>(list: readonly T[], max: number): T[] =>
      Array.from({ length: below(max + 1) }, () => list[below(list.length)]!),
  };
}

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

const valuesFor = (field: EngineField): readonly EngineValue[] =>
  field.type === 'integer' ? wholes : field.type === 'decimal' ? decimals : texts[field.name as 'title' | 'note'];

/** A document with random content. */
export function randomDocument(chance: Chance, id: number, position: number): EngineDocument {
  const isTimed = chance.isIn(3);
  const values = new Map<string, EngineDocumentValue>();
  for (const field of [fields.title, fields.note, fields.size, fields.ratio]) {
    for (const value of chance.some(valuesFor(field), 3)) {
      const spans = isTimed ? chance.one(['untimed', 'timed', 'both'] as const) : 'untimed';
      const folded = field === fields.title ? { folded: fold(String(value)) } : {};
      values.set(`${field.key} ${value}`, { field, value, spans, ...folded });
    }
  }
  return {
    ...{ id, entityId: `VX-${id % 1_000}`, kind: chance.isIn(4) ? 'collection' : 'item', position },
    created: 1_700_000_000_000 + chance.below(20) * 1_000,
    timed: isTimed,
    context: chance.isIn(6) ? null : chance.below(4),
    collections: [...new Set(chance.some(collections, 2))],
    libraries: [...new Set(chance.some(libraries, 1))],
    untimed: randomTexts(chance),
    inTime: isTimed ? randomTexts(chance) : { words: '', fieldWords: '', keys: '' },
    values: [...values.values()],
  };
}

function randomTexts(chance: Chance): EngineTexts {
  const [all, byField]: [string[], string[]] = [[], []];
  for (let value = chance.below(4); value > 0; value--) {
    const tokens = chance.some(words, 5);
    const { key } = chance.one([fields.title, fields.note]);
    all.push(...tokens, '_gap');
    byField.push(...tokens.map((token) => key + token), '_gap');
  }
  const keys = ['all', ...new Set(chance.some(['k1', 'k2', 'k3', 'e0'], 3))];
  return { words: all.join(' '), fieldWords: byField.join(' '), keys: keys.join(' ') };
}

const spansOf = (chance: Chance): EngineSpans => chance.one(['untimed', 'timed', 'all']);

function randomToken(chance: Chance, prefix: string): EngineToken {
  const word = chance.one(words);
  switch (chance.below(7)) {
    case 0:
      return { kind: 'start', text: prefix + word.slice(0, 1 + chance.below(3)) };
    case 1:
      return {
        kind: 'pattern',
        text: prefix + chance.one(['r*d', '*e*', 're?d', '?', 'b*e', '日?', '*', 'a\\', '[a]*']),
      };
    case 2:
      return { kind: 'near', text: prefix + word, distance: chance.below(3), fixed: prefix.length + chance.below(2) };
    default:
      return { kind: 'word', text: prefix + word };
  }
}

function randomPhrase(chance: Chance): EngineCondition {
  const isOfField = chance.isIn(2);
  const prefix = isOfField ? chance.one([fields.title, fields.note]).key : '';
  const tokens = Array.from({ length: chance.one([1, 1, 2, 2, 3]) }, () => randomToken(chance, prefix));
  const slop = tokens.length > 1 && chance.isIn(2) ? { slop: chance.below(4) } : {};
  return { is: 'phrase', in: isOfField ? 'fieldWords' : 'words', spans: spansOf(chance), tokens, ...slop };
}

const randomField = (chance: Chance): EngineField =>
  chance.isIn(12) ? fields.never : chance.one([fields.title, fields.note, fields.size, fields.ratio]);

function randomTest(chance: Chance, field: EngineField): EngineTest {
  const kind = chance.below(field.type === 'text' ? 4 : 3);
  if (kind === 0) return { is: 'some' };
  if (kind === 1) return { is: 'among', values: chance.some(valuesFor(field), 3) };
  if (kind === 2) return { is: 'between', ...randomRange(chance, field) };
  return {
    is: 'like',
    pattern: chance.one(['*', 'r*', '*ed', 'R?d*', 'a\\*', '??', '*\\b', '*"*', 'a*b', '*\n*', '?']),
  };
}

function randomRange(chance: Chance, field: EngineField): { readonly from?: EngineEnd; readonly to?: EngineEnd } {
  const end = () => ({ value: chance.one(valuesFor(field)), open: chance.isIn(2) });
  return { ...(!chance.isIn(4) && { from: end() }), ...(!chance.isIn(4) && { to: end() }) };
}

/** A random condition of at most so many levels. */
function randomCondition(chance: Chance, levels = 3): EngineCondition {
  if (levels > 0 && chance.isIn(2)) {
    if (chance.isIn(3)) return { is: 'not', of: randomCondition(chance, levels - 1) };
    const of = Array.from({ length: chance.below(4) }, () => randomCondition(chance, levels - 1));
    return { is: chance.one(['and', 'or']), of };
  }
  switch (chance.below(12)) {
    case 0:
      return { is: 'all' };
    case 1:
      return chance.isIn(4) ? { is: 'none' } : { is: 'timed' };
    case 2:
      return { is: 'kind', kind: chance.one(['item', 'collection']) };
    case 3:
      return chance.isIn(2)
        ? { is: 'number', of: 'context', among: chance.some([0, 1, 2, 3, 99], 3) }
        : { is: 'number', of: 'id', among: Array.from({ length: 20 }, () => chance.below(60)) };
    case 4: {
      const of = chance.one(['entityId', 'collections', 'libraries'] as const);
      return { is: 'name', of, among: chance.some(['VX-1', 'VX-2', 'VX-3', 'VX-9'], 3) };
    }
    case 5:
      return { is: 'key', key: chance.one(['all', 'k1', 'k2', 'k3', 'e0', 'none']), spans: spansOf(chance) };
    case 6:
    case 7:
    case 8: {
      const field = randomField(chance);
      return { is: 'value', field, spans: spansOf(chance), test: randomTest(chance, field) };
    }
    default:
      return randomPhrase(chance);
  }
}

const randomFacet = (chance: Chance): EngineFacet => {
  const field = randomField(chance);
  const own = chance.isIn(3) ? { where: randomCondition(chance, 1) } : {};
  return chance.isIn(3)
    ? { is: 'ranges', field, ranges: Array.from({ length: chance.below(3) }, () => randomRange(chance, field)), ...own }
    : { is: 'values', field, least: chance.below(3), max: chance.below(8), ...own };
};

/** A random query. One by relevance has all hits on one page. */
export function randomQuery(chance: Chance): EngineQuery {
  const isByRelevance = chance.isIn(6);
  const id: EngineSort = { by: 'id', descending: chance.isIn(2) };
  const by = (): EngineSort => ({
    by: chance.isIn(4) ? 'created' : randomField(chance),
    descending: chance.isIn(2),
  });
  const sort = isByRelevance
    ? [{ by: 'relevance', descending: true } as const, id]
    : [...Array.from({ length: chance.below(3) }, by), id];
  return {
    where: randomCondition(chance),
    boosts: isByRelevance && chance.isIn(2) ? [{ where: randomCondition(chance, 1), by: 2.5 }] : [],
    sort,
    offset: isByRelevance ? 0 : chance.one([0, 0, 3]),
    limit: isByRelevance ? 1_000 : chance.one([0, 5, 100]),
    counts: chance.isIn(2),
    facets: Array.from({ length: chance.one([0, 0, 1, 2]) }, () => randomFacet(chance)),
  };
}
