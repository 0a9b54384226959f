import type { FieldReader } from '../../../assets/definitions/public-reading.ts';
import { type MetadataView, metadataOf, storedView, terseOf } from '../../../assets/metadata/public.ts';
import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import { nextTurn } from '../../../core/lib/turn.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { oneLine } from '../../../http/reply.ts';
import type { Source } from './clips.ts';

/** Items per read. */
const slice = 50;
/** Maximum characters of a name, which is repeated for each part of a sequence. */
const longest = 250;
export const shortName = (name: string): string => oneLine(name.slice(0, longest).toWellFormed());

/** Fields for names, in order of preference. */
const naming = ['title', 'originalFilename'];
const view: MetadataView = {
  ...storedView,
  fields: { only: new Map(naming.map((name) => [name, name])), except: new Set(), deep: new Set() },
};

/** Name of an item or collection, as far as the caller may read it. */
export async function titleOf(
  reader: Reader,
  owner: { readonly kind: 'item' | 'collection'; readonly id: string },
  asker: FieldReader,
): Promise<string> {
  const { id } = owner;
  return nameIn((await metadataOf(reader, [owner], view, { asker, inherits: false })).get(id), id);
}

function nameIn(metadata: MetadataDocumentValue | undefined, id: string): string {
  const terse = terseOf(metadata ?? {});
  return shortName(naming.flatMap((field) => terse.get(field)?.[0]?.value || [])[0] ?? id);
}

/** Items of a sequence by id. Unreadable names are replaced by the id. */
export async function clipSources(
  reader: Reader,
  items: readonly string[],
  paths: ReadonlyMap<string, string>,
  asker: FieldReader,
): Promise<ReadonlyMap<string, Source>> {
  const sources = new Map<string, Source>();
  for (let at = 0; at < items.length; at += slice) {
    const some = items.slice(at, at + slice);
    const owners = some.map((id) => ({ kind: 'item', id }) as const);
    const metadataById = await metadataOf(reader, owners, view, { asker, inherits: false });
    for (const id of some) {
      const path = paths.get(id);
      sources.set(id, { name: nameIn(metadataById.get(id), id), path: path === undefined ? undefined : oneLine(path) });
    }
    await nextTurn();
  }
  return sources;
}
