import type { FieldDefinition } from '../../assets/definitions/known.ts';
import { generic, type Place, type State } from '../../assets/metadata/merge/state.ts';
import { nextTurn } from '../../lib/turn.ts';
import { encoded, wordsOf } from '../text/words.ts';
import { everything, exactKey, existsKey, fieldKey, fieldNumber, gap, referenceKey } from './keys.ts';
import type { IndexDoc, IndexedValue, Texts } from './port.ts';
import { type Comparable, canonical, comparableOf, foldedFor, formOf, isText, jsonOf, longestValue } from './values.ts';

/** Words of one entity that the index takes: a state has millions of characters at most. */
const mostWords = 200_000;
/** Values that are read in one turn of the loop. */
const slice = 500;

/** The bits of `IndexedValue.spans`. */
export const inGeneric = 1;
export const inTimed = 2;

/** What the index keeps of one entity. Fields that nobody may search leave nothing. */
export async function indexDocOf(
  id: number,
  entityId: string,
  state: State,
  fields: ReadonlyMap<string, FieldDefinition>,
): Promise<IndexDoc> {
  const builder = new Builder(fields);
  for (const [key, span] of state.spans) await builder.place(span.place, key === generic ? inGeneric : inTimed);
  return {
    id,
    entityId,
    timed: [...state.spans.keys()].some((key) => key !== generic),
    generic: builder.texts(inGeneric),
    inTime: builder.texts(inTimed),
    values: [...builder.values.values()],
    words: builder.words,
  };
}

interface Parts {
  readonly words: string[];
  readonly fieldWords: string[];
  readonly keys: Set<string>;
}

const emptyParts = (...keys: readonly string[]): Parts => ({ words: [], fieldWords: [], keys: new Set(keys) });

class Builder {
  readonly values = new Map<string, IndexedValue>();
  readonly words = new Set<string>();
  readonly #fields: ReadonlyMap<string, FieldDefinition>;
  readonly #parts = new Map([
    [inGeneric, emptyParts(everything)],
    [inTimed, emptyParts()],
  ]);
  #count = 0;
  #sinceTurn = 0;

  constructor(fields: ReadonlyMap<string, FieldDefinition>) {
    this.#fields = fields;
  }

  async place({ fields, groups }: Place, spans: number): Promise<void> {
    for (const { name, values, reference } of fields.values()) {
      if (reference !== undefined) this.#parts.get(spans)!.keys.add(referenceKey(reference));
      const definition = this.#fields.get(name);
      if (!definition?.searchable) continue;
      for (const { text } of values) {
        const value = text === '' ? undefined : comparableOf(definition.base, text);
        if (value === undefined) continue;
        this.#value(definition, text, value, spans);
        if (++this.#sinceTurn % slice === 0) await nextTurn();
      }
    }
    for (const group of groups) {
      if (group.reference !== undefined) this.#parts.get(spans)!.keys.add(referenceKey(group.reference));
      await this.place(group.place, spans);
    }
  }

  texts(spans: number): Texts {
    const { words, fieldWords, keys } = this.#parts.get(spans)!;
    return { words: words.join(' '), fieldWords: fieldWords.join(' '), keys: [...keys].join(' ') };
  }

  #value(definition: FieldDefinition, text: string, value: Comparable, spans: number): void {
    const { words, fieldWords, keys } = this.#parts.get(spans)!;
    const key = fieldKey(definition.name);
    keys.add(existsKey(key)).add(exactKey(key, canonical(value)));
    if (typeof value !== 'string' || value.length <= longestValue) this.#known(definition, value, spans);
    if (!isText(definition.base)) return;
    const tokens = this.#count < mostWords ? wordsOf(text).flat() : [];
    this.#count += tokens.length;
    const isFullText = definition.fullText;
    for (const token of tokens) {
      this.words.add(token);
      const word = encoded(token);
      if (isFullText) words.push(word);
      fieldWords.push(key + word);
    }
    if (isFullText) words.push(gap);
    fieldWords.push(gap);
  }

  #known(definition: FieldDefinition, value: Comparable, spans: number): void {
    const field = fieldNumber(definition.name);
    const json = jsonOf(value);
    const id = `${field} ${json}`;
    const known = this.values.get(id);
    const fold = foldedFor(formOf(definition), value);
    this.values.set(id, {
      field,
      json,
      spans: (known?.spans ?? 0) | spans,
      ...(fold !== undefined && { folded: fold }),
    });
  }
}
