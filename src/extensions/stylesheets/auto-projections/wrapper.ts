import { bulkyKeys, bulkyMetadataDocument, pairOf, valuesOfKeys } from '../../../assets/items/public.ts';
import { documentsOf, statesOfSets, storedView } from '../../../assets/metadata/public.ts';
import {
  loadMetadata,
  type MetadataDocumentValue,
  type MetadataState,
  metadataDocument,
  metadataListDocument,
} from '../../../assets/metadata/public-reading.ts';
import { loadShapes, shapeDocuments } from '../../../assets/shapes/public.ts';
import { shapeDocument } from '../../../assets/shapes/public-reading.ts';
import { type DocumentLimits, readJson, simpleMetadataDocument, writeJson } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { type Json, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { simpleMetadata } from '../../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import type { AutoProjectionRule, MetadataWrapper } from './documents.ts';
import { type DueProjection, noChangeSet } from './store.ts';

/** Limits for one rule: scripts have little memory, and the result of a step has a maximum length. */
const maxKeys = 1000;
const maxValues = 5000;

/** Runs in the sandbox: the regular expression of a user may never end. */
const matching = 'const form = new RegExp("^(?:" + pattern + ")$"); keys = keys.filter((key) => form.test(key));';

/** Bulky metadata with matching keys. `target`: type and id of the owner. */
async function bulkyFor(reader: Reader, target: string, pattern: string | undefined) {
  const [type = '', id = ''] = target.split(' ');
  const rows = await bulkyKeys(reader, { type, id, limit: maxKeys + 1 });
  if (rows.length > maxKeys) throw tooMuch(`${maxKeys} keys`);
  const keys = await matchingKeys(
    rows.map(({ key }) => key),
    pattern,
  );
  const values = await valuesOfKeys(reader, { type, id, keys, limit: maxValues + 1 });
  if (values.length > maxValues) throw tooMuch(`${maxValues} values of the keys that bulkyMetadataKeysRegex matches`);
  return { field: values.map(pairOf), id };
}

async function matchingKeys(keys: readonly string[], pattern: string | undefined): Promise<readonly string[]> {
  if (pattern === undefined || pattern === '.*') return keys;
  try {
    return (await runScript(matching, { keys, pattern }, ['keys']))['keys'] as readonly string[];
  } catch (error) {
    if (error instanceof ScriptFails) throw new ScriptFails(`In bulkyMetadataKeysRegex: ${error.message}`);
    throw error;
  }
}

const tooMuch = (max: string): ScriptFails => new ScriptFails(`Expected bulky metadata of at most ${max}: found more`);

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Input of the first step of a rule. */
export interface Input {
  readonly metadata: MetadataDocumentValue;
  readonly wrapper: Readonly<Record<string, Json>>;
  /** The wrapper without the metadata, for stylesheets. */
  readonly told: Omit<MetadataWrapper, 'metadata'>;
}

/** Maximum of characters that a script may return. */
export const maxMetadataLength = 1024 * 1024;

/** Limits of a stored document: several requests can exceed the limit of one. */
export const ofItem = (limits: DocumentLimits): DocumentLimits => ({
  ...limits,
  bytes: Number.POSITIVE_INFINITY,
  elements: Number.POSITIVE_INFINITY,
  entries: Number.POSITIVE_INFINITY,
});

const jsonOf = <T>(text: T): Json => JSON.parse(String(text)) as Json;

/** Current metadata of the item, and the further documents that the rule needs. */
export async function inputFor(
  reader: Reader,
  { itemId, cause, targetId, since }: DueProjection,
  { inputFilters }: AutoProjectionRule,
  limits: DocumentLimits,
): Promise<Input> {
  const inputKinds = new Set(inputFilters?.inputFilter ?? []);
  const { state } = await loadMetadata(reader, { kind: 'item', id: itemId });
  const metadataText = String(writeJson(metadataDocument, await documentFor(reader, itemId, state)));
  // Parsed in the same way as the output of a script, so that both compare equal.
  if (metadataText.length > maxMetadataLength) {
    throw new ScriptFails(
      `Expected metadata of at most ${maxMetadataLength} characters of JSON: found ${metadataText.length}`,
    );
  }
  const metadata = readJson(metadataDocument, metadataText, ofItem(limits));
  const target = targetId.split(' ').at(-1) || itemId;
  const wrapper: Record<string, Json> = { metadata: jsonOf(metadataText), targetId: target };
  const rest: Writable<Omit<MetadataWrapper, 'metadata'>> = { targetId: target };
  if (cause === 'shapeMetadata') {
    const keys = (await keyValuesOf(reader, 'shape', [targetId])).get(targetId) ?? [];
    rest.shapeMetadata = simpleMetadata(keys);
    wrapper['shapeMetadata'] = jsonOf(writeJson(simpleMetadataDocument, rest.shapeMetadata));
  }
  if (cause === 'bulkyMetadata') {
    rest.bulkyMetadata = await bulkyFor(reader, targetId, inputFilters?.bulkyMetadataKeysRegex);
    wrapper['bulkyMetadata'] = jsonOf(writeJson(bulkyMetadataDocument, rest.bulkyMetadata));
  }
  if (inputKinds.has('oldMetadata')) {
    const before = since === noChangeSet ? state : await stateBefore(reader, itemId, since);
    const old = await documentFor(reader, itemId, before);
    rest.oldMetadata = { item: [{ metadata: old, id: itemId }] };
    wrapper['oldMetadata'] = jsonOf(writeJson(metadataListDocument, rest.oldMetadata));
  }
  if (inputKinds.has('shapeDocument')) {
    const shapes = await loadShapes(reader, itemId);
    const documents = await shapeDocuments(reader, shapes);
    rest.shape = documents;
    wrapper['shape'] = documents.map((each) => jsonOf(writeJson(shapeDocument, each)));
  }
  return { metadata, wrapper, told: rest };
}

async function documentFor(
  reader: Reader,
  id: string,
  state: MetadataState | undefined,
): Promise<MetadataDocumentValue> {
  if (state === undefined) return {};
  return (await documentsOf(reader, 'item', new Map([[id, { state }]]), storedView)).get(id) ?? {};
}

/** Metadata before a change set. Undefined: the change set was deleted from the log. */
async function stateBefore(reader: Reader, id: string, change: string): Promise<MetadataState | undefined> {
  try {
    return (await statesOfSets(reader, { kind: 'item', id }, change, undefined)).before;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no-such-entity') return undefined;
    throw error;
  }
}
