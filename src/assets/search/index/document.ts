import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { type Comparable, type FieldDefinition, isText } from '../../definitions/public-reading.ts';
import {
  type Contents,
  displayName,
  generic,
  type MetadataState,
  nameInStates,
} from '../../metadata/public-reading.ts';
import {
  everything,
  exactKey,
  existsKey,
  fieldKey,
  fieldKeyLength,
  fieldNumber,
  referenceKey,
  wordGap,
} from './keys.ts';
import { canonical, comparableOf, type FieldForm, foldedFor, formOf, jsonOf, maxValueLength } from './values.ts';
import { decoded, encoded, tokensOfText } from './words.ts';

/** Words and keys of one part of an entity, as texts separated by blanks. */
export interface IndexTexts {
  readonly words: string;
  /** Words prefixed with the key of their field. */
  readonly fieldWords: string;
  /** Keys of exact values, and of fields with a value. */
  readonly keys: string;
}

export interface IndexedValue {
  readonly field: number;
  /** Value as JSON: a text, or a number with all its digits. */
  readonly json: string;
  /** 1: not timed. 2: timed. 3: both. */
  readonly spans: number;
  /** Sort key that replaces the value. */
  readonly folded?: string;
}

/** Document of an entity in the embedded index. */
export interface EmbeddedDoc {
  /**
   * Numeric id: for items the number in their id, for collections a number behind all items. The highest is the newest.
   */
  readonly id: number;
  readonly entityId: string;
  readonly timed: boolean;
  readonly generic: IndexTexts;
  readonly inTime: IndexTexts;
  readonly values: readonly IndexedValue[];
  /** Definitions of the fields of this document, and of others. */
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  /** Words missing in `values`, from values that are too long. */
  readonly words: ReadonlySet<string>;
  /** True for long documents: `words` contains all words. */
  readonly hasAllWords: boolean;
  /** Numbers of the fields to be written. Undefined: all. */
  readonly changed: ReadonlySet<number> | undefined;
}

/** Index in the database of the service: statements run in the transaction of the change. */
export interface EmbeddedIndex {
  /** `lacking`: words of the batch that the dictionary may lack. Without it, all words are written. */
  apply(
    batch: readonly EmbeddedDoc[],
    lacking?: (words: ReadonlySet<string>) => readonly string[],
  ): readonly Statement[];
}

/** Maximum indexed words per entity: a state has up to millions of characters. */
const maxWords = 200_000;
/** Values per tick of the event loop. */
const slice = 500;

/** Bits of `IndexedValue.spans`. */
const inGeneric = 1;
const inTimed = 2;

interface DocOptions {
  /** True: tokenises in slices, yielding to the event loop. */
  readonly isLong?: boolean;
  /** Names of fields with possibly changed values. Undefined: all. */
  readonly changed?: ReadonlySet<string> | undefined;
  /** Fields that name entities. */
  readonly naming?: readonly string[];
}

/** Form of display names, which only sort: no text of an entity has them as a field. */
export const nameForm: FieldForm = { name: displayName, base: 'string-exact', foldsCase: true };
const nameNumber = fieldNumber(displayName);

/** Index document of an entity, without unsearchable fields. */
export async function indexDocOf(
  id: number,
  entityId: string,
  state: MetadataState,
  fields: ReadonlyMap<string, FieldDefinition>,
  { isLong = false, changed, naming = [] }: DocOptions = {},
): Promise<EmbeddedDoc> {
  const builder = new Builder(fields, isLong);
  for (const [key, span] of state.spans) await builder.contents(span.contents, key === generic ? inGeneric : inTimed);
  const name = nameInStates([state], naming);
  const isRenamed = changed !== undefined && naming.some((field) => changed.has(field));
  return {
    id,
    entityId,
    timed: [...state.spans.keys()].some((key) => key !== generic),
    generic: builder.texts(inGeneric),
    inTime: builder.texts(inTimed),
    values: [...builder.values.values(), ...(name === undefined ? [] : [indexedName(name)])],
    definitions: fields,
    words: builder.words,
    hasAllWords: isLong,
    changed: changed && new Set([...Array.from(changed, fieldNumber), ...(isRenamed ? [nameNumber] : [])]),
  };
}

const indexedName = (name: string): IndexedValue => ({
  field: nameNumber,
  json: jsonOf(name),
  spans: inGeneric,
  folded: foldedFor(nameForm, name)!,
});

interface Parts {
  readonly spans: number;
  readonly words: string[];
  readonly fieldWords: string[];
  readonly keys: Set<string>;
}

const emptyParts = (spans: number, ...keys: readonly string[]): Parts => ({
  spans,
  words: [],
  fieldWords: [],
  keys: new Set(keys),
});

/** Properties shared by all values of a field. */
interface Field {
  readonly definition: FieldDefinition;
  readonly form: FieldForm;
  readonly number: number;
  readonly key: string;
  readonly exists: string;
}

const knownFields = new WeakMap<FieldDefinition, Field>();

function fieldOf(definition: FieldDefinition): Field {
  let field = knownFields.get(definition);
  if (field === undefined) {
    const key = fieldKey(definition.name);
    field = { definition, form: formOf(definition), number: fieldNumber(definition.name), key, exists: existsKey(key) };
    knownFields.set(definition, field);
  }
  return field;
}

class Builder {
  /** Values by their exact keys. */
  readonly values = new Map<string, IndexedValue>();
  readonly words = new Set<string>();
  readonly #fields: ReadonlyMap<string, FieldDefinition>;
  readonly #takesWords: boolean;
  readonly #generic = emptyParts(inGeneric, everything);
  readonly #timed = emptyParts(inTimed);
  #count = 0;
  #sinceTurn = 0;

  constructor(fields: ReadonlyMap<string, FieldDefinition>, takesWords: boolean) {
    this.#fields = fields;
    this.#takesWords = takesWords;
  }

  async contents({ fields, groups }: Contents, spans: number): Promise<void> {
    const parts = this.#partsOf(spans);
    for (const { name, values, reference } of fields.values()) {
      if (reference !== undefined) parts.keys.add(referenceKey(reference));
      const definition = this.#fields.get(name);
      if (!definition?.searchable) continue;
      const field = fieldOf(definition);
      for (const { text } of values) {
        const value = text === '' ? undefined : comparableOf(definition.base, text);
        if (value === undefined) continue;
        this.#value(field, text, value, parts);
        if (++this.#sinceTurn % slice === 0) await yieldTurn();
      }
    }
    for (const group of groups) {
      if (group.reference !== undefined) parts.keys.add(referenceKey(group.reference));
      await this.contents(group.contents, spans);
    }
  }

  texts(spans: number): IndexTexts {
    const { words, fieldWords, keys } = this.#partsOf(spans);
    return { words: words.join(' '), fieldWords: fieldWords.join(' '), keys: [...keys].join(' ') };
  }

  #partsOf(spans: number): Parts {
    return spans === inGeneric ? this.#generic : this.#timed;
  }

  #value(field: Field, text: string, value: Comparable, { spans, words, fieldWords, keys }: Parts): void {
    const { definition, key } = field;
    const exact = exactKey(key, canonical(value));
    keys.add(field.exists).add(exact);
    const isKnown = typeof value !== 'string' || value.length <= maxValueLength;
    if (isKnown) this.#known(field, exact, value, spans);
    if (!isText(definition.base)) return;
    const tokens = this.#count < maxWords ? tokensOfText(text) : [];
    this.#count += tokens.length;
    if (!isKnown || this.#takesWords) for (const token of tokens) this.words.add(token);
    if (tokens.length > 0) {
      const encodedWords = tokens.map(encoded);
      if (definition.fullText) words.push(encodedWords.join(' '));
      fieldWords.push(key + encodedWords.join(` ${key}`));
    }
    if (definition.fullText) words.push(wordGap);
    fieldWords.push(wordGap);
  }

  #known({ number, form }: Field, exact: string, value: Comparable, spans: number): void {
    const json = jsonOf(value);
    const exactValue = this.values.get(exact);
    // Hash collision of two values: keeps both.
    const id = exactValue === undefined || exactValue.json === json ? exact : `${exact} ${json}`;
    const knownSpans = (id === exact ? exactValue : this.values.get(id))?.spans ?? 0;
    if ((knownSpans & spans) !== 0) return;
    const folded = foldedFor(form, value);
    const indexed = { field: number, json, spans: knownSpans | spans };
    this.values.set(id, folded === undefined ? indexed : { ...indexed, folded });
  }
}

/** All words of an entity. */
export function everyWord({ generic, inTime, words, hasAllWords }: EmbeddedDoc): ReadonlySet<string> {
  if (hasAllWords) return words;
  const every = new Set<string>();
  for (const { fieldWords } of [generic, inTime]) {
    for (const token of fieldWords.split(' ')) {
      if (token !== '' && token !== wordGap) every.add(decoded(token.slice(fieldKeyLength)));
    }
  }
  return every;
}

/**
 * Words of new values. The dictionary already has those of other values, since it never loses any. `added`: new values
 * by document.
 */
export function wordsThatCome(
  docs: readonly EmbeddedDoc[],
  added: readonly (readonly IndexedValue[])[],
): ReadonlySet<string> {
  const come = new Set<string>();
  for (const [index, { words, hasAllWords }] of docs.entries()) {
    for (const word of words) come.add(word);
    if (hasAllWords) continue;
    for (const { json } of added[index]!) {
      if (!json.startsWith('"')) continue;
      for (const token of tokensOfText(JSON.parse(json) as string)) come.add(token);
    }
  }
  return come;
}
