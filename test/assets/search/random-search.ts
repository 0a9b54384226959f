import { fieldsOf } from '../../support/assets.ts';
import { type Dice, dice } from '../../support/random.ts';
import type { Asked, Kind, ModelAnnotation, ModelGroup, ModelItem, ModelSearch, ModelSpan } from './model.ts';

const kinds: Readonly<Record<string, Kind>> = {
  x_words: 'words',
  x_note: 'words',
  x_tag: 'exact',
  x_count: 'number',
};
export const names = Object.keys(kinds);
/** Kinds with those of a field that has one value at most in each entity. */
export const onceKinds = { ...kinds, x_once: 'number' } as const;
/** Types of fields by their kind. */
export const typesOf = { words: 'string', exact: 'string-exact-sortable', number: 'integer-sortable' } as const;
const vocabulary = ['harbour', 'Häfen', 'night', 'old', 'sea', 'seal', 'x1', 'nights', 'o'];

/** Random items and searches from few words: most searches find something. */
export class Random {
  readonly #roll: Dice;
  /** Whether items have timed values. Where nothing has, many searches have one criterion alone. */
  readonly isTimed: boolean;

  constructor(seed: number, isTimed: boolean) {
    this.#roll = dice(seed);
    this.isTimed = isTimed;
  }

  below = (count: number): number => this.#roll(count);
  chance = (percent: number): boolean => this.#roll(100) < percent;
  one = <T>(list: readonly T[]): T => list[this.#roll(list.length)]!;
  many = <T>(max: number, make: () => T): T[] => Array.from({ length: this.#roll(max + 1) }, make);

  value(name: string): string {
    if (kinds[name] === 'number') return String(this.#roll(12) - 4);
    if (kinds[name] === 'exact') return this.one(['sea', 'Sea', 'old sea', 'a*b', 'é', 'sea[1]', '1234567890123456']);
    return [this.one(vocabulary), ...this.many(2, () => this.one(vocabulary))].join(' ');
  }

  fields(): Record<string, readonly string[]> {
    const chosen = names.filter(() => this.chance(45));
    return Object.fromEntries(
      chosen.map((name) => [name, [...new Set([this.value(name), ...this.many(1, () => this.value(name))])]]),
    );
  }

  item(serial: number, by: string): ModelItem {
    const groups = this.chance(35)
      ? this.many(2, (): ModelGroup => ({ name: this.one(['Film', 'Book']), fields: this.some() }))
      : [];
    const starts = this.isTimed && this.chance(35) ? ['10', '20', '30'].slice(0, this.below(4)) : [];
    const spans = starts.map((start): ModelSpan => ({ start, end: `${start}.5`, fields: this.some() }));
    const once: ModelItem['fields'] = this.chance(60) ? { x_once: [this.value('x_count')] } : {};
    const annotations = this.chance(40) ? [this.annotation(), ...this.many(1, () => this.annotation())] : [];
    return { serial, id: `VX-${serial}`, owner: by, fields: { ...this.fields(), ...once }, groups, spans, annotations };
  }

  annotation = (): ModelAnnotation => ({ text: this.value('x_note'), state: this.one(['open', 'done'] as const) });

  /** Never empty: an empty timespan is none. */
  some(): Record<string, readonly string[]> {
    const fields = this.fields();
    return Object.keys(fields).length > 0 ? fields : { x_tag: ['sea'] };
  }

  criteria(depth: number, inGroup = false): Asked {
    const asked: Record<string, unknown> = {};
    const count = 1 + this.below(2);
    for (let index = 0; index < count; index++) {
      const kind = this.below(inGroup ? 4 : 9);
      if (kind < 3) asked['field'] = [...((asked['field'] as []) ?? []), this.field()];
      else if (kind === 3) asked['text'] = [this.chance(15) ? this.spread() : { value: this.sought() }];
      else if (kind === 4 && depth > 0)
        asked['group'] = [
          { name: this.one(['Film', 'Book', 'None']), ...(this.chance(85) ? this.criteria(0, true) : {}) },
        ];
      else if (kind === 8) asked['annotation'] = this.annotated();
      else if (depth > 0) asked['operator'] = [...((asked['operator'] as []) ?? []), this.operator(depth - 1)];
      else asked['field'] = [...((asked['field'] as []) ?? []), this.field()];
    }
    return asked;
  }

  operator(depth: number) {
    return { operation: this.one(['AND', 'OR', 'OR', 'NOT'] as const), ...this.criteria(depth) };
  }

  /** Criteria of one annotation. Wildcards in front need words that its index has not. */
  annotated(): Asked['annotation'] {
    const word = this.one(vocabulary);
    const text = this.chance(20) ? `${word.slice(0, 2)}*` : this.chance(20) ? `${word} ${this.one(vocabulary)}` : word;
    const field = [{ name: 'state', value: [{ value: this.one(['open', 'done']) }] }] as const;
    return { ...(this.chance(70) && { text: [{ value: text }] }), ...(this.chance(50) && { field }) };
  }

  sought(): string {
    const word = this.one(vocabulary);
    if (this.chance(15)) return `${word.slice(0, 2)}*`;
    if (this.chance(10)) return `*${word.slice(1)}`;
    if (this.chance(10)) return `?${word.slice(1)}`;
    return this.chance(20) ? `${word} ${this.one(vocabulary)}` : word.toUpperCase();
  }

  /** Words near each other. */
  spread() {
    const words = [this.one(vocabulary), ...this.many(2, () => this.one(vocabulary))].join(' ');
    return { value: `"${words}"~${this.below(3)}`, noescape: true };
  }

  field() {
    const name = this.chance(4) ? 'x_none' : this.one(names);
    const kind = kinds[name];
    if (this.chance(10)) return { name };
    if (kind !== 'words' && this.chance(30)) {
      const ends = [this.chance(15) ? '' : this.value(name), this.chance(15) ? '' : this.value(name)];
      const range = {
        value: ends.map((value) => ({ value })),
        exclusiveMinimum: this.chance(30),
        exclusiveMaximum: this.chance(30),
      };
      return { name, range: [range] };
    }
    const one = () => ({
      value: this.chance(5)
        ? '*'
        : kind === 'words'
          ? this.sought()
          : kind === 'exact' && this.chance(25)
            ? this.one(['*sea', 's?a', 'o*'])
            : this.value(name),
    });
    return { name, value: [one(), ...this.many(1, one)] };
  }

  search(): ModelSearch {
    if (this.chance(3)) return {};
    if (this.isTimed || this.chance(30)) return this.anything();
    const sort = [
      { field: this.one(['x_tag', 'x_count', 'x_once']), order: this.one(['ascending', 'descending'] as const) },
    ];
    return { ...this.alone(), ...(this.chance(25) && { sort }) };
  }

  /** Query for a single word, value or range, each with a strategy of its own. */
  alone(): Asked {
    const word = this.chance(80) ? this.one(vocabulary) : this.sought();
    if (this.chance(40)) return { text: [{ value: word }] };
    if (this.chance(30)) return { field: [{ name: 'x_tag', value: [{ value: this.value('x_tag') }] }] };
    const [low, high] = [this.below(12) - 4, this.below(12) - 4].map((each) => (this.chance(10) ? '' : String(each)));
    const ends = { exclusiveMinimum: this.chance(30), exclusiveMaximum: this.chance(30) };
    const name = this.one(['x_count', 'x_once']);
    return { field: [{ name, range: [{ value: [{ value: low! }, { value: high! }], ...ends }] }] };
  }

  anything(): ModelSearch {
    const filters = this.chance(25) ? [{ name: this.one(['one', 'two']), ...this.operator(1) }] : [];
    const facetable = ['x_tag', 'x_count'];
    return {
      ...(this.chance(92) ? this.criteria(2) : {}),
      ...(filters.length > 0 && { filter: filters }),
      ...(this.chance(10) && { facetFilter: [{ field: 'x_tag', value: this.one(['sea', 'old sea']) }] }),
      ...(this.chance(30) && { facet: [{ field: this.one(facetable), ...(this.chance(50) && { exclude: ['one'] }) }] }),
      ...(this.chance(40) && {
        sort: [...new Set([this.one(facetable), ...this.many(1, () => this.one(facetable))])].map((each) => ({
          field: each,
          order: this.one(['ascending', 'descending'] as const),
        })),
      }),
      ...(this.chance(30) && { intervals: this.one(['generic', 'timed'] as const) }),
    };
  }
}

export const documentOf = ({ fields, groups, spans }: Pick<ModelItem, 'fields' | 'groups' | 'spans'>) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: fieldsOf(fields),
      group: groups.map((group) => ({ name: group.name, mode: 'add', field: fieldsOf(group.fields) })),
    },
    ...spans.map(({ start, end, fields: inTime }) => ({ start, end, field: fieldsOf(inTime) })),
  ],
});
