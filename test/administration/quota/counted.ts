import type { Store } from '../../../src/core/store/store.ts';

/**
 * Counts of a rule, by a plain look at all rows: nothing of it is shared with the service. One item or file after the
 * other is asked whether it satisfies all criteria.
 */

export interface PlainRule {
  readonly user?: string;
  readonly group?: string;
  readonly collection?: string;
  readonly library?: string;
  readonly tag?: string;
  readonly storage?: string;
  readonly storageGroup?: string;
}

type Pairs = readonly (readonly [string, string])[];

export async function plainState({ read }: Pick<Store, 'read'>) {
  const pairs = async (sql: string): Promise<Pairs> =>
    (await read(sql)).map(([one, other]) => [String(one), String(other)] as const);
  return {
    items: (await read('SELECT id FROM item')).map(([id]) => String(id)),
    files: (await read('SELECT id, storage_id, state, size FROM file')).map(([id, storage, state, size]) => ({
      id: String(id),
      storage: String(storage),
      state: String(state),
      size: Number(size ?? 0),
    })),
    uses: (await read('SELECT file_id, item_id, shape_id FROM file_use')).map((row) => row.map(String)),
    owners: await pairs(
      `SELECT entity_id, user_id FROM access_entry WHERE entity_type = 'item' AND permission = 'OWNER'`,
    ),
    inGroup: await pairs('SELECT user_id, group_id FROM group_user'),
    groupIn: await pairs('SELECT child_id, parent_id FROM group_group'),
    inCollection: await pairs(`SELECT member_type || member_id, collection_id FROM collection_member`),
    inLibrary: await pairs('SELECT item_id, library_id FROM library_item'),
    tagged: (await read('SELECT shape_id, tag, item_id FROM shape_tagged')).map((row) => row.map(String)),
    grouped: await pairs('SELECT storage_id, group_name FROM storage_group_member'),
  };
}

export type PlainState = Awaited<ReturnType<typeof plainState>>;

const has = (pairs: Pairs, one: string, other: string): boolean => pairs.some(([a, b]) => a === one && b === other);

/** Whether a way of any length leads there. */
function leads(from: string, to: string, next: (at: string) => readonly string[], seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return next(from).some((at) => leads(at, to, next, seen));
}

const behind = (pairs: Pairs, one: string): string[] => pairs.filter(([a]) => a === one).map(([, b]) => b);

function ofItem(state: PlainState, rule: PlainRule, item: string): boolean {
  const { user, group, collection, library } = rule;
  const owners = behind(state.owners, item);
  const above = (at: string) => behind(state.groupIn, at);
  const aboveCollection = (at: string) => behind(state.inCollection, `collection${at}`);
  return (
    (user === undefined || owners.includes(user)) &&
    (group === undefined ||
      owners.some((owner) => behind(state.inGroup, owner).some((at) => leads(at, group, above)))) &&
    (collection === undefined ||
      behind(state.inCollection, `item${item}`).some((at) => leads(at, collection, aboveCollection))) &&
    (library === undefined || has(state.inLibrary, item, library))
  );
}

type PlainFile = PlainState['files'][number];

const isThere = ({ state }: PlainFile): boolean => !['LOST', 'MISSING', 'TO_BE_DELETED'].includes(state);

const ofFile = (state: PlainState, { storage, storageGroup }: PlainRule, file: PlainFile): boolean =>
  isThere(file) &&
  (storage === undefined || file.storage === storage) &&
  (storageGroup === undefined || has(state.grouped, file.storage, storageGroup));

const ofShape = (state: PlainState, { tag }: PlainRule, shape: string): boolean =>
  tag === undefined || state.tagged.some(([one, name]) => one === shape && name === tag);

function itemCounts(state: PlainState, rule: PlainRule, item: string): boolean {
  if (!ofItem(state, rule, item)) return false;
  if (rule.storage === undefined && rule.storageGroup === undefined) {
    return rule.tag === undefined || state.tagged.some(([, name, one]) => one === item && name === rule.tag);
  }
  return state.uses.some(([fileId, one, shape]) => {
    const file = state.files.find(({ id }) => id === fileId);
    return one === item && file !== undefined && ofFile(state, rule, file) && ofShape(state, rule, shape!);
  });
}

function fileCounts(state: PlainState, rule: PlainRule, file: PlainFile): boolean {
  if (!ofFile(state, rule, file)) return false;
  const { user, group, collection, library, tag } = rule;
  if ([user, group, collection, library, tag].every((each) => each === undefined)) return true;
  return state.uses.some(
    ([fileId, item, shape]) => fileId === file.id && ofItem(state, rule, item!) && ofShape(state, rule, shape!),
  );
}

export const plainUsage = (state: PlainState, rule: PlainRule) => ({
  items: state.items.filter((item) => itemCounts(state, rule, item)).length,
  bytes: state.files.filter((file) => fileCounts(state, rule, file)).reduce((sum, { size }) => sum + size, 0),
});
