import { readableAmong } from '../../../assets/access/public.ts';
import { accessOf } from '../../../assets/access/public-reading.ts';
import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { collectionName, itemName, readCollections } from '../../../assets/items/contract/entities.ts';
import { membersNamed, membersOfCollection } from '../../../assets/items/public.ts';
import { displayNamesOf, itemNamesFor } from '../../../assets/metadata/public.ts';
import { readShapes, requireTags } from '../../../assets/shapes/public.ts';
import { mediaOfShape, useOfMedia } from '../../../assets/usage/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { roleMissing } from '../../../http/route.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { Subject } from '../../../security/subject.ts';
import { download } from '../../../storage/public.ts';
import type { ExportParts } from '../parts.ts';
import { MissingFile } from './archive.ts';
import { type ArchiveContent, type ArchiveFile, filesNow, maxArchiveFiles } from './files.ts';

/** Names of items, or of collections, in one request, and tags of shapes. */
export const [maxNames, maxTags] = [1_000, 20];
/** Members of all collections of one archive, and levels of their folders. */
const [maxMembers, maxLevels] = [50_000, 50];
/** Items whose files are found at once. */
const lot = 100;

/** Items and collections of an archive by their ids, and tags of the shapes. */
export interface Chosen {
  readonly item: readonly string[];
  readonly collection: readonly string[];
  readonly tag: readonly string[];
}

const rolesFor = ({ collection }: Pick<Chosen, 'collection'>): readonly string[] => [
  readShapes.needs.role,
  ...(collection.length > 0 ? [readCollections.needs.role] : []),
];

/** First role that a subject lacks for an archive. */
async function lackOf(subject: Subject, chosen: Pick<Chosen, 'collection'>): Promise<string | undefined> {
  for (const role of rolesFor(chosen)) if (!(await subject.has(role))) return role;
  return undefined;
}

/** Ids of all that a caller names, also by external ids. Throws: the caller lacks a role or a right. */
export async function chosenBy(
  { store }: Pick<ExportParts, 'store'>,
  caller: Caller,
  { item, collection, tag }: Chosen,
): Promise<Chosen> {
  const lack = await lackOf(subjectOf(caller), { collection });
  if (lack !== undefined) throw roleMissing(lack);
  await requireTags(store, tag);
  const named = (type: string, names: readonly string[]) =>
    membersNamed(
      store,
      caller,
      [...new Set(names)].map((id) => ({ type, id })),
    );
  return {
    item: await named(itemName.type, item),
    collection: await named(collectionName.type, collection),
    tag: tag.length > 0 ? tag : ['original'],
  };
}

const tooMuch = (max: number, noun: string): ServiceError =>
  new ServiceError('bad-value', { context: 'archive', explanation: `Expected at most ${max} ${noun} in one archive` });

interface Folder {
  readonly id: string;
  readonly path: string;
  readonly level: number;
}

/**
 * Adds to an archive all that the caller may have by now. A collection is a folder, with the collections in it. Each of
 * them, and each item, is there once: at the first of its places.
 */
export async function addChosen(
  { store }: Pick<ExportParts, 'store'>,
  caller: Caller,
  content: ArchiveContent,
  { item, collection, tag }: Chosen,
): Promise<void> {
  const viewer = await accessOf(store, caller);
  const asker = await askerOf(caller);
  const [seenItems, seenCollections] = [new Set<string>(), new Set<string>()];
  let members = 0;

  async function readable(type: 'item' | 'collection', ids: readonly string[]): Promise<readonly string[]> {
    const seen = type === 'item' ? seenItems : seenCollections;
    const fresh = ids.filter((id) => !seen.has(id));
    const allowed = await readableAmong(store, viewer, type, fresh);
    const added = fresh.filter((id) => allowed.has(id) && !seen.has(id));
    for (const id of added) seen.add(id);
    return added;
  }

  async function addItems(all: readonly string[], folder: string): Promise<void> {
    for (let at = 0; at < all.length; at += lot) {
      const ids = all.slice(at, at + lot);
      const names = await itemNamesFor(store, caller, ids);
      const items = ids.map((id) => ({ id, name: names.get(id) }));
      if (!(await content.add(caller, tag, items, { keepsOwn: true, folder }))) throw tooMuch(maxArchiveFiles, 'files');
    }
  }

  async function folders(all: readonly string[], parent: Pick<Folder, 'path' | 'level'>): Promise<readonly Folder[]> {
    const ids = await readable('collection', all);
    const level = parent.level + 1;
    if (ids.length > 0 && level > maxLevels) throw tooMuch(maxLevels, 'levels of collections');
    const owners = ids.map((id) => ({ kind: 'collection', id }) as const);
    const names = await displayNamesOf(store, owners, asker);
    return ids.map((id) => ({ id, path: content.folder(parent.path, names.get(id)), level }));
  }

  for (const id of item) seenItems.add(id);
  // A named item that is closed by now is in the list of what is missing, without its name.
  await addItems(item, '');
  // The next folder is the last one.
  const waiting = (await folders(collection, { path: '', level: 0 })).toReversed();
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const inner: string[] = [];
    for await (const some of membersOfCollection(caller.reader, folder.id)) {
      members += some.length;
      if (members > maxMembers) throw tooMuch(maxMembers, 'members of collections');
      const ofType = (type: string) => some.filter((member) => member.type === type).map(({ id }) => id);
      await addItems(await readable('item', ofType('item')), folder.path);
      inner.push(...ofType('collection'));
    }
    waiting.push(...(await folders(inner, folder)).toReversed());
  }
}

/** The caller with the rights of now. Undefined: the login has ended, or a role is gone. */
export async function callerNow(
  { store }: Pick<ExportParts, 'store'>,
  caller: Caller,
  chosen: Chosen,
  subject: Subject | { readonly ended: string },
): Promise<Caller | undefined> {
  if ('ended' in subject || (await lackOf(subject, chosen)) !== undefined) return undefined;
  return { ...caller, subject, reader: store.reader(subject.name) };
}

/** The bytes of a file from a position on, for a caller who may still have it. */
export async function openFile(
  parts: ExportParts,
  {
    caller,
    tags,
    requestId,
  }: { readonly caller: Caller; readonly tags: readonly string[]; readonly requestId: string },
  file: ArchiveFile,
  from: number,
): Promise<ReadableStream<Uint8Array>> {
  const { files } = await filesNow(parts, caller, tags, [file.itemId]);
  const now = files.find((each) => each.row.id === file.fileId && each.component.id === file.componentId)?.row;
  if (!now || now.content !== file.content) throw new Error('Expected a file to stay, and the right to it');
  const headers = new Headers(from > 0 ? { range: `bytes=${from}-` } : {});
  const media = mediaOfShape({ id: file.shapeId, itemId: file.itemId });
  const use = await useOfMedia(parts.store, caller, media, parts.clock);
  const reply = await download(parts, { requestId, method: 'GET', headers }, now, { use }).catch((error) => {
    throw error instanceof ServiceError && error.code === 'no-such-entity' ? new MissingFile() : error;
  });
  return new Response(reply.body as BodyInit).body!;
}
