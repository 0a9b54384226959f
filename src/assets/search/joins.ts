import type { RoomContext } from '../../room/context.ts';
import { hook } from '../../room/hook.ts';
import type { ItemSearch } from './documents.ts';
import { type JoinedKind, type JoinedRows, type Joins, joinedKinds } from './query/joined.ts';
import { contentsOf } from './query/names.ts';

/** Extensions that join rows to items, by the criterion that asks about the rows. */
export const joinHooks: Readonly<Record<JoinedKind, ReturnType<typeof hook<JoinedRows>>>> = {
  annotation: hook<JoinedRows>('review'),
  approval: hook<JoinedRows>('review'),
};

/** Rows of extensions that a search asks about. Throws 501 for those of an extension that is left out. */
export function joinsFor({ hooks }: Pick<RoomContext, 'hooks'>, search: ItemSearch): { readonly joins?: Joins } {
  const contents = [...contentsOf(search)];
  const kinds = joinedKinds.filter((kind) =>
    contents.some((content) => content[kind] !== undefined || content.field?.some(({ target }) => target === kind)),
  );
  if (kinds.length === 0) return {};
  return { joins: Object.fromEntries(kinds.map((kind) => [kind, hooks.need(joinHooks[kind])])) };
}
