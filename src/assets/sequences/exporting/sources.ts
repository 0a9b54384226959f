import { nextTurn } from '../../../lib/turn.ts';
import type { Reader } from '../../../store/statement.ts';
import { readableAmong } from '../../access/access.ts';
import type { Viewer } from '../../access/viewer.ts';
import type { Asker } from '../../definitions/access/rights.ts';
import { type MetadataView, metadataOf, storedView, terseOf } from '../../metadata/read.ts';
import type { Source } from './project.ts';

/** Items whose names are read at once. */
const slice = 50;
/** The first that an item has is its name. */
const naming = ['title', 'originalFilename'];
const view: MetadataView = {
  ...storedView,
  fields: { only: new Map(naming.map((name) => [name, name])), except: new Set(), deep: new Set() },
};

export interface NamesFor {
  readonly viewer: Viewer;
  readonly asker: Asker;
}

/** The items of a sequence, by their ids. One that the caller may not read is called by its id. */
export async function sourcesOf(
  reader: Reader,
  items: readonly string[],
  paths: ReadonlyMap<string, string>,
  { viewer, asker }: NamesFor,
): Promise<ReadonlyMap<string, Source>> {
  const readable = await readableAmong(reader, viewer, 'item', items);
  const names = new Map<string, string>();
  for (let at = 0; at < items.length; at += slice) {
    const owners = items
      .slice(at, at + slice)
      .flatMap((id) => (readable.has(id) ? [{ kind: 'item', id } as const] : []));
    for (const [id, metadata] of await metadataOf(reader, owners, view, { asker, inherits: false })) {
      const terse = terseOf(metadata);
      const name = naming.flatMap((field) => terse.get(field)?.[0]?.value || [])[0];
      if (name !== undefined) names.set(id, name);
    }
    await nextTurn();
  }
  return new Map(items.map((item) => [item, { name: names.get(item) ?? item, path: paths.get(item) }]));
}
