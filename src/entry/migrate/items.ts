import type {
  ExternalIdentifierType,
  ItemType,
  MetadataDocument,
  MetadataFieldGroupListDocument,
  MetadataFieldListDocument,
  MetadataListDocument,
  ShapeType,
} from '../../types.ts';
import { TooLarge } from '../answer-text.ts';
import { accessParts, putAccess, putOwner } from './access.ts';
import { Refused, Unanswered } from './calls.ts';
import {
  carry,
  type Difference,
  hereByOldId,
  listIfTold,
  type Migration,
  namesIn,
  notTold,
  type Parts,
} from './carry.ts';
import {
  differenceThere,
  metadataOf,
  metadataParts,
  putMetadata,
  sendMetadata,
  valuesIn,
  type Writable,
} from './metadata.ts';
import { entriesOf, many, type Page } from './original.ts';
import { pictureParts, putPictures, putRepresentative, representativeParts } from './pictures.ts';
import { at, type Path } from './places.ts';
import { expectedIn, type OldShape, putShapes, shapeParts } from './shapes.ts';

const pageOfItems = 50;

/** The oldest first: what is added meanwhile comes at the end, and new ids are in the order of the old ones. */
export const oldestFirst = { sort: [{ field: 'created', order: 'ascending' }] };

/** Fields and groups that callers may write at the target. */
export async function writableAt({ target }: Pick<Migration, 'target'>): Promise<Writable> {
  const fields = many((await target.read<MetadataFieldListDocument>(at`/metadata-field`)).field);
  const groups = many((await target.read<MetadataFieldGroupListDocument>(at`/metadata-field/field-group`)).group);
  const namesOf = (isSystem: boolean) =>
    new Set(fields.flatMap(({ name, system }) => ((String(system) === 'true') === isSystem ? (name ?? []) : [])));
  return {
    fields: namesOf(false),
    system: namesOf(true),
    groups: new Set(groups.flatMap(({ name }) => name ?? [])),
  };
}

/** Items at the original, with all that a page tells of them. */
export function itemsOf({ original, report, options }: Migration, seen?: Set<string>): AsyncGenerator<ItemType> {
  const pictures = options.without.has('thumbnails') ? [] : ['thumbnail', 'poster'];
  const content = ['metadata', 'shape', ...pictures, 'external'];
  const query = `content=${content.join()}&conflict=no`;
  return entriesOf<ItemType>({
    size: pageOfItems,
    hasCursors: original.hasCursors,
    idOf: ({ id = '' }) => id,
    ...(seen && { seen }),
    broken: (position, error) => report.unread('item', position, error),
    short: (expected, found) => report.short('item', expected, found),
    async read(page): Promise<Page<ItemType>> {
      return original.list<ItemType>(original.pagePath(at`/item`, page, query), 'item', oldestFirst);
    },
  });
}

/** Shapes of an item. A page has those of the latest version. */
async function allShapes(migration: Migration, { id = '', shape, metadata }: ItemType): Promise<readonly OldShape[]> {
  const { original } = migration;
  const shapes = [...many(shape)];
  const path = at`/item/${id}/shape`;
  const shapeIds = new Set(shapes.map((each) => each.id));
  // An item of one version has no others, placeholders aside.
  const versions = Number(valuesIn(metadata, '__version_count')[0] ?? 2);
  const others =
    versions > 1
      ? namesIn(
          migration,
          'shape',
          (await original.list<string>(original.pathWith(path, { version: 'all' }), 'uri')).entries,
        )
      : valuesIn(metadata, '__shape');
  for (const other of others) {
    if (shapeIds.has(other)) continue;
    const missing = await original.api.find<ShapeType>(at`${path}/${other}`);
    if (missing) shapes.push(missing);
  }
  if (Number(valuesIn(metadata, '__placeholder_shape_size')[0] ?? 0) === 0) return shapes;
  return Promise.all(
    shapes.map(async (each): Promise<OldShape> => {
      const parameters = { includePlaceholder: 'true' };
      const whole = await original.api.find<ShapeType>(original.pathWith(at`${path}/${each.id ?? ''}`, parameters));
      const expected = whole ? expectedIn(each, whole) : [];
      return expected.length === 0 ? each : { ...each, expected };
    }),
  );
}

/** External ids of an entity. Lists of some releases tell none, so that it is asked itself until one list does. */
export async function externalIdParts(
  migration: Migration,
  path: Path,
  old: string,
  given: readonly Partial<ExternalIdentifierType>[] | undefined,
): Promise<Parts> {
  const { journal, report } = migration;
  let ids: readonly Partial<ExternalIdentifierType>[] | undefined = many(given);
  const kind = path.text.split('/')[1]!;
  if (ids.length > 0) report.tellsIds.add(kind);
  const hasNamespaces = journal.oldIds('external-id-namespace')[Symbol.iterator]().next().done === false;
  if (!report.tellsIds.has(kind) && hasNamespaces)
    ids = await listIfTold<ExternalIdentifierType>(migration, 'external ids', old, at`${path}/external-id`, 'id');
  if (!ids) return { 'id/': notTold };
  return Object.fromEntries(ids.flatMap(({ externalId }) => (externalId ? [[`id/${externalId}`, true]] : [])));
}

/** Gives and takes external ids besides the old one. */
export async function putExternalIds(
  { target, report }: Migration,
  path: Path,
  old: string,
  { changed, gone }: Difference,
): Promise<void> {
  for (const [keys, method] of [[gone, 'DELETE'] as const, [changed, 'PUT'] as const]) {
    for (const key of keys) {
      if (!key.startsWith('id/')) continue;
      try {
        await target.write(method, at`${path}/external-id/${key.slice('id/'.length)}`);
      } catch (error) {
        if (!(error instanceof Refused) || error.status >= 500) throw error;
        report.remark('External ids that are refused', old, key);
      }
    }
  }
}

/** Query that gives a new entity its age, its owner and its old id. */
export function originQuery(
  { journal }: Migration,
  old: string,
  metadata: MetadataDocument | null | undefined,
  owner: string | undefined,
): URLSearchParams {
  const created = Date.parse(valuesIn(metadata, 'created')[0] ?? '');
  const name = owner ?? valuesIn(metadata, 'user')[0];
  const isHere = name === 'admin' || journal.find('user', name ?? '') !== undefined;
  return new URLSearchParams({
    externalId: old,
    ...(created >= 1e9 && { created: String(created) }),
    ...(isHere && name !== undefined && { owner: name }),
  });
}

/** Without metadata, all values of before would seem to be gone. */
export function mustHaveMetadata(document: MetadataDocument | null | undefined): void {
  if (typeof document !== 'object' || document === null)
    throw new Unanswered('Expected the metadata of the entity: found none');
}

/** Items with metadata, shapes and their files, access, external ids and pictures. Gives the ids that are there. */
export async function carryItems(migration: Migration): Promise<ReadonlySet<string>> {
  const { options } = migration;
  const writable = await writableAt(migration);
  const seen = new Set<string>();
  await carry<ItemType>(migration, {
    kind: 'item',
    entries: itemsOf(migration, seen),
    lanes: options.lanes,
    idOf: ({ id = '' }) => id,
    async partsOf(item) {
      const path = at`/item/${item.id ?? ''}`;
      mustHaveMetadata(item.metadata);
      const shapes = await allShapes(migration, item);
      Object.assign(item, { shape: shapes });
      return {
        ...metadataParts(migration, item.id ?? '', item.metadata, writable),
        ...shapeParts(shapes),
        ...(await accessParts(migration, path, item.id ?? '')),
        ...(await externalIdParts(migration, path, item.id ?? '', item.externalId)),
        ...pictureParts(migration, item.id ?? '', item),
        ...representativeParts(migration, item),
      };
    },
    put: (item, difference) => putItem(migration, item, difference, writable),
  });
  return seen;
}

async function putItem(
  migration: Migration,
  item: ItemType,
  difference: Difference,
  writable: Writable,
): Promise<string> {
  const { target } = migration;
  const { id: old = '', metadata } = item;
  const { id, isNew } =
    difference.id === undefined ? await createItem(migration, item, difference) : { id: difference.id, isNew: false };
  const path = at`/item/${id}`;
  let now = difference;
  if (difference.id === undefined && !isNew) {
    const list = await target.read<MetadataListDocument>(at`${path}/metadata`);
    now = { ...differenceThere(migration, difference, many(list.item)[0]?.metadata, writable), id };
  }
  if (!isNew) {
    await putMetadata(migration, path, old, now);
    await putOwner(migration, path, old, now);
  }
  const originalFilename = valuesIn(metadata, 'originalFilename')[0];
  await putShapes(migration, { path, old, shapes: many(item.shape), originalFilename }, now);
  await putAccess(migration, path, old, now);
  await putExternalIds(migration, path, old, now);
  await putPictures(migration, { path, old, lists: item }, now);
  await putRepresentative(migration, path, old, now);
  await keepHistory(migration, 'item', old);
  return id;
}

interface Created {
  readonly id: string;
  /** False: a killed run has made it. */
  readonly isNew: boolean;
}

async function createItem(migration: Migration, item: ItemType, { parts }: Difference): Promise<Created> {
  const { target } = migration;
  const { id: old = '', metadata } = item;
  const query = originQuery(migration, old, metadata, parts['owner'] as string | undefined);
  const [first = {}, ...others] = metadataOf(parts);
  let id = '';
  try {
    await sendMetadata(migration, old, first, async (document) => {
      id = (await target.write<ItemType>('POST', at`/import/placeholder?${query}`, document)).id!;
    });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    const earlier = await hereByOldId(migration, at`/item`, old);
    if (earlier === undefined) throw error;
    return { id: earlier, isNew: false };
  }
  for (const document of others)
    await sendMetadata(
      migration,
      old,
      document,
      async (each) => void (await target.write('PUT', at`/item/${id}/metadata`, each)),
    );
  return { id, isNew: true };
}

/** Keeps the change sets that the original tells, since the log of the target begins with the migration. */
export async function keepHistory(migration: Migration, kind: 'item' | 'collection', old: string): Promise<void> {
  const { folder, options, report } = migration;
  if (options.without.has('history')) return;
  const path = at`/${kind}/${old}/metadata/changes`;
  try {
    const changeSet = await listIfTold<object>(migration, 'log of metadata', old, path, 'changeSet');
    if (changeSet && changeSet.length > 0)
      await folder.append('history.jsonl', JSON.stringify({ kind, id: old, changeSet }));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.remark('Logs of metadata that are too large are not in history.jsonl', old);
  }
}
