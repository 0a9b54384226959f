import type { Fact, SearchKind } from './ast.ts';

type Line = readonly [Fact['type'], readonly string[]];

const item: readonly Line[] = [
  [
    'text',
    ['__collection', '__ancestor_collection', '__shape', '__storage', '__shape_last_added', '__deletion_lock_id'],
  ],
  ['whole', ['__collection_size', '__ancestor_collection_size', '__shape_size', '__placeholder_shape_size']],
  ['whole', ['__storage_size', '__version', '__version_count', '__sequence_size']],
  ['date', ['__metadata_last_modified', '__deletion_lock_expiry']],
];
const collection: readonly Line[] = [
  ['text', ['__parent_collection', '__ancestor_collection', '__deletion_lock_id']],
  ['whole', ['__parent_collection_size', '__ancestor_collection_size', '__items_size', '__child_collection_size']],
  ['date', ['__metadata_last_modified', '__deletion_lock_expiry']],
];
const shape: readonly Line[] = [
  ['text', ['shapeId', 'id', 'tag', 'shapeTag', 'mimeType', 'format', 'codec', 'itemId']],
  ['whole', ['essenceVersion']],
  ['date', ['created']],
];
const file: readonly Line[] = [
  ['text', ['fileId', 'id', 'storage', 'path', 'filename', 'extension', 'state', 'hash']],
  ['whole', ['size']],
  ['date', ['timestamp']],
];

const facts = (of: Fact['of'], lines: readonly Line[]): ReadonlyMap<string, Fact> =>
  new Map(lines.flatMap(([type, names]) => names.map((name) => [name, { of, name, type }])));

const factsByLevel = {
  item: facts('item', item),
  collection: facts('collection', collection),
  shape: facts('shape', shape),
  file: facts('file', file),
};

/** Resolves names outside the metadata fields. */
export function factOf(level: SearchKind, given: string): Fact | undefined {
  if (level === 'both') return undefined;
  const name =
    level === 'file' ? given.replace(/^file\./, '') : level === 'shape' ? given.replace(/^shape\./, '') : given;
  const fact = factsByLevel[level].get(name);
  if (fact) return fact;
  if (level === 'shape' || level === 'file') return { of: level, name: 'key', key: name, type: 'text' };
  if (level !== 'item') return undefined;
  const hash = /^__shapetag_(.+)_hash$/.exec(name)?.[1];
  if (hash !== undefined) return { of: 'item', name: 'hashOfTag', key: hash, type: 'text' };
  const tag = /^__storage_(?!size$)(.+)$/.exec(name)?.[1];
  return tag === undefined ? undefined : { of: 'item', name: 'storageOfTag', key: tag, type: 'text' };
}
