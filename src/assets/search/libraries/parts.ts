import type { ServiceError } from '../../../core/lib/errors.ts';
import { constant, type SettingsOf, setting, whole } from '../../../core/settings/kinds.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { LimitedReader } from '../../../core/store/statement.ts';
import type { RoomContext } from '../../../room/context.ts';
import { hook } from '../../../room/hook.ts';
import type { Viewer } from '../../access/public-reading.ts';
import type { ItemSettings } from '../../items/public.ts';
import type { ItemSearch } from '../documents.ts';
import { createEngines, type Engines } from '../engine/engines.ts';
import { findIds } from '../find.ts';
import { joinsFor } from '../joins.ts';

/** Finds a page of items for a query, restricted to a viewer. */
export type FindItems = (
  reader: LimitedReader,
  viewer: Viewer,
  query: ItemSearch,
  /** `first` counts from 1. */
  page: { readonly first: number; readonly number: number; readonly now: number },
) => Promise<{ readonly ids: readonly string[] }>;

interface FinderContext extends Pick<RoomContext, 'hooks'> {
  readonly settings: LibrarySettings;
}

interface FinderParts extends FinderContext {
  readonly engines: Engines;
}

/** By offset. A search engine gives all of them with the first page. */
export const itemFinder =
  ({ engines, hooks, settings }: FinderParts): FindItems =>
  async (reader, viewer, { cursor: _, ...query }, page) => {
    const options = joinsFor({ hooks }, query);
    if (!engines.isAlone) return findIds(reader, viewer, 'item', query, { ...page, counts: false }, options);
    return {
      ids:
        page.first === 1
          ? await engines.find(reader, viewer, { document: query, options, max: settings.maxLibraryItems })
          : [],
    };
  };

/** Finder of a room, which asks the search engines that the room opens. */
export const openItemFinder = (context: Parameters<typeof createEngines>[0] & FinderContext): FindItems =>
  itemFinder({ ...context, engines: createEngines(context) });

export const librarySettings = {
  maxLibraryItems: constant(100_000, 'Maximum number of items of one library. A query that finds more is refused.'),
  libraryExpiry: setting(
    whole(0, 876_000),
    24,
    'Hours after which an unused library without dependents is deleted. 0: never.',
  ),
};

type LibraryGuard = (id: string, refusal: ServiceError) => Statement;

/** Guards for the commit that deletes an unused library: they fail with the refusal if a share or a quota rule names it. */
export const sharedLibraryHook = hook<LibraryGuard>('shares');
export const countedLibraryHook = hook<LibraryGuard>('quota');

export type LibrarySettings = ItemSettings & SettingsOf<typeof librarySettings>;

/** Context of the routes and background work of libraries. */
export interface LibraryParts extends RoomContext<LibrarySettings> {
  readonly findItems: FindItems;
}
