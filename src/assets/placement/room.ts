import type { Reader } from '../../core/store/statement.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { type RuleSubjects, ruledByHook, wantedPathsHook } from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { type ItemsContext, pathsInFolder } from '../items/public.ts';
import { namesOfFile, tagsOfShapes } from '../shapes/public.ts';
import { placementKind } from './placement-work.ts';
import { placingRoutes } from './routes.ts';
import { collectionsOfItems, ruledLibraries } from './store.ts';
import * as tables from './tables.ts';
import { folderTriggers, placingTriggers, shapeRuleTriggers } from './triggers-sql.ts';
import { watermarkKind } from './watermark-work.ts';

const wantedPaths = hooked(wantedPathsHook, async (reader, file) => {
  const [named] = await namesOfFile(reader, file);
  return named ? [named.filename] : pathsInFolder(reader, file.fileId);
});

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** Entities with storage rules for a file or item. */
export async function ruledBy(
  reader: Reader,
  about: { readonly file: string } | { readonly item: string },
): Promise<RuleSubjects> {
  const uses = 'file' in about ? await usesOf(reader, { ids: [about.file] }) : [];
  const tags = await tagsOfShapes(reader, { ids: distinct(uses.map(({ shapeId }) => shapeId)) });
  const items = 'item' in about ? [about.item] : distinct(uses.map(({ itemId }) => itemId));
  const above = await collectionsOfItems(reader, { items: distinct(items) });
  return {
    items,
    collections: distinct(above.map(({ collectionId }) => collectionId)),
    libraries: distinct((await ruledLibraries(reader, { items: distinct(items) })).map(({ libraryId }) => libraryId)),
    tags: distinct(tags.map(({ tag }) => tag)),
  };
}

/** Storage rules of items, collections and libraries, and the copies, moves and deletions that carry them out. */
export const placement = defineRoom({
  name: 'placement',
  tables,
  schema: globalThis.isEdgeModule ? [] : [...placingTriggers(), ...shapeRuleTriggers(), ...folderTriggers()],
  roles: readAndWrite('site_rule'),
  open(context: ItemsContext) {
    return {
      routes: [below(['item', 'collection', 'library'], () => placingRoutes(context))],
      workers: [placementKind(context), watermarkKind(context)],
      hooks: [wantedPaths, hooked(ruledByHook, ruledBy)],
    };
  },
});
