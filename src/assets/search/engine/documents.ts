import type {
  EngineDocument,
  EngineDocumentValue,
  EngineField,
  EngineTexts,
  EngineType,
  EngineValue,
  SearchEngine,
} from '../../../spi/index.ts';
import type { BaseType, FieldDefinition } from '../../definitions/public-reading.ts';
import { type EmbeddedDoc, type IndexTexts, nameForm } from '../index/document.ts';
import { fieldKey, fieldNumber, kindOf, wordGap } from '../index/keys.ts';
import { decoded } from '../index/words.ts';
import type { Fact } from '../query/ast.ts';

const types: Readonly<Record<BaseType, EngineType>> = {
  date: 'integer',
  float: 'decimal',
  integer: 'integer',
  long: 'integer',
  string: 'text',
  'string-exact': 'text',
  boolean: 'integer',
  timeCode: 'decimal',
};

/** Number of the form of documents: another one whenever documents of the same entities would differ. */
const documentForm = 3;

/** Key of the progress of an engine in the database. An index with documents of another form has none, so it is built again. */
export const feedNameOf = ({ name }: Pick<SearchEngine, 'name'>): string => `${name} form ${documentForm}`;

/** Field of an engine. Its key has the type, so that a changed type does not meet values of the old one. */
export function engineField({ name, base }: Pick<FieldDefinition, 'name' | 'base'>): EngineField {
  const type = types[base];
  return { key: fieldKey(name) + type[0], name, type };
}

/** Field with the time of the last change of metadata. No metadata field has a name with a blank. */
const changedField = engineField({ name: 'last modified', base: 'date' });

/** Field of documents with a fact. Undefined: documents do not have it. */
export const factField = ({ name }: Fact): EngineField | undefined =>
  name === '__metadata_last_modified' ? changedField : undefined;

/** Facts of an entity outside of its metadata. */
interface EntityFacts {
  readonly id: number;
  readonly entityId: string;
  readonly created: number;
  readonly context: number | null;
  readonly collections: readonly string[];
  readonly libraries: readonly string[];
}

/** Change with which an entity is sent. */
interface SentChange {
  readonly position: number;
  /** Time of the last change of the metadata in milliseconds. */
  readonly changedAt: number | undefined;
}

/** Document of an entity for an engine. */
export function engineDocument(
  doc: EmbeddedDoc,
  facts: EntityFacts,
  { position, changedAt }: SentChange,
): EngineDocument {
  const fields = fieldsByNumber(doc.definitions);
  const changed: readonly EngineDocumentValue[] =
    changedAt === undefined ? [] : [{ field: changedField, value: changedAt, spans: 'untimed' }];
  return {
    ...facts,
    position,
    kind: kindOf(doc.id),
    timed: doc.timed,
    untimed: textsOf(doc.generic),
    inTime: textsOf(doc.inTime),
    values: [
      ...changed,
      ...doc.values.map(
        ({ field, json, spans, folded }): EngineDocumentValue => ({
          field: fields.get(field)!,
          value: valueIn(json),
          spans: spans === 1 ? 'untimed' : spans === 2 ? 'timed' : 'both',
          ...(folded !== undefined && { folded }),
        }),
      ),
    ],
  };
}

const fieldsOfBatch = new WeakMap<ReadonlyMap<string, FieldDefinition>, ReadonlyMap<number, EngineField>>();

function fieldsByNumber(definitions: ReadonlyMap<string, FieldDefinition>): ReadonlyMap<number, EngineField> {
  let fields = fieldsOfBatch.get(definitions);
  if (!fields) {
    const forms = [...definitions.values(), nameForm];
    fields = new Map(forms.map((each) => [fieldNumber(each.name), engineField(each)]));
    fieldsOfBatch.set(definitions, fields);
  }
  return fields;
}

const textsOf = ({ words, fieldWords, keys }: IndexTexts): EngineTexts => ({
  words: decodedWords(words),
  fieldWords: decodedWords(fieldWords),
  keys,
});

const decodedWords = (text: string): string =>
  text.replaceAll(wordGap, '').includes('_')
    ? text
        .split(' ')
        .map((token) => (token === wordGap ? token : decoded(token)))
        .join(' ')
    : text;

function valueIn(json: string): EngineValue {
  if (json.startsWith('"')) return JSON.parse(json) as string;
  const number = Number(json);
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(json) ? BigInt(json) : number;
}
