import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach } from '../../../core/lib/maybe.ts';
import { costOf } from '../../../core/lib/search-pattern.ts';
import type { Database } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { SearchBounds } from '../../../room/entities/search-sql.ts';
import { knownGroups, storageNamed } from '../../storages/entity.ts';
import { anywhere, type FileOrder, type FileQuery } from './query.ts';
import {
  countIn,
  gather,
  type ListedFile,
  type ListSource,
  type Slice,
  type UsageRow,
  usageOfAll,
  usageOfSome,
  walkById,
  walkFiles,
} from './store.ts';

interface Finding {
  readonly reader: Reader;
  readonly kind: Database['kind'];
  readonly bounds: SearchBounds;
  /** The storages of the list, with the number of their files in each state. */
  readonly usage: readonly UsageRow[];
  readonly query: FileQuery;
  readonly slice: Slice;
  /** Whether the total number of files is wanted. */
  readonly counts: boolean;
  /** Limit of files that are sorted in memory. More files are walked in the order of the list. */
  readonly maxGathered?: number;
}

export interface FilePage {
  readonly page: readonly ListedFile[];
  readonly hits: number | undefined;
}

const usuallyGathered = 5_000;
/** Parts of a list that the database merges at once. A page by size can begin at two places of each part. */
const maxWalks = ({ field }: FileOrder): number => (field === 'size' ? 200 : 400);

/** The files of one page, by the plan that looks at the fewest rows. */
export async function findFiles(finding: Finding): Promise<FilePage> {
  const { reader, query, slice, maxGathered = usuallyGathered } = finding;
  const storages = [...new Set(finding.usage.flatMap(({ storageId, files }) => (files ? [storageId] : [])))];
  if (storages.length === 0) return { page: [], hits: 0 };
  if (query.ids) return gather(reader, storages, 'ids', query, slice);
  if (query.hashes?.algorithm === 'SHA-1') return gatherBounded(finding, storages, 'hashes');
  if (isPlain(query)) {
    const wanted = storagesWith(finding.usage, query);
    const source = query.states ? 'states' : 'storages';
    return { page: await walkAll(finding, wanted, source), hits: filesIn(finding.usage, query) };
  }
  const best = await bestSource(finding, storages, maxGathered);
  if (best.files <= maxGathered) return gather(reader, storages, best.source, query, slice);
  await checkWork(finding, storages, best.source);
  const isFolder = best.source === 'paths' && isInOrder(query);
  const page = await walkAll(finding, storages, isFolder ? 'paths' : 'storages');
  return { page, hits: await countAll(finding, storages, best.source) };
}

/** Whether the counts by storage and state tell the number of files. */
const isCounted = ({ ids, hashes, used, unqueued, places }: FileQuery): boolean =>
  ids === undefined && hashes === undefined && used === undefined && !unqueued && places === anywhere;

/** Whether, besides, an index has the files in the order of the list. */
export const isPlain = (query: FileQuery): boolean =>
  isCounted(query) && (query.states === undefined || query.order.field === 'fileId');

/** Whether the index already has the wanted order. Within one folder files are in the order of their ids. */
const isInOrder = ({ places: { within = [] }, order }: FileQuery): boolean =>
  order.field === 'fileId' && within.every(({ kind }) => kind === 'folder' || kind === 'path');

const matchesStates = ({ state }: UsageRow, { states }: FileQuery): boolean =>
  states === undefined || states.some((each) => each === state);

const filesIn = (usage: readonly UsageRow[], query: FileQuery): number =>
  usage.reduce((sum, row) => (matchesStates(row, query) ? sum + (row.files ?? 0) : sum), 0);

const storagesWith = (usage: readonly UsageRow[], query: FileQuery): readonly string[] => [
  ...new Set(usage.flatMap((row) => (row.files && matchesStates(row, query) ? [row.storageId] : []))),
];

interface Best {
  readonly source: 'paths' | 'states' | 'storages';
  /** Number of files; for paths at most one more than are gathered. */
  readonly files: number;
}

async function bestSource(
  { reader, usage, query }: Finding,
  storages: readonly string[],
  maxGathered: number,
): Promise<Best> {
  const { states, places } = query;
  const byState: Best = { source: states ? 'states' : 'storages', files: filesIn(usage, query) };
  // No index has the paths of files that wait for their deletion.
  if (byState.files <= maxGathered || !places.within || states?.includes('TO_BE_DELETED')) return byState;
  const every: FileQuery = {
    ...query,
    ids: undefined,
    states: undefined,
    hashes: undefined,
    used: undefined,
    unqueued: false,
  };
  const within = { ...every, places: { ...anywhere, within: places.within } };
  const { files } = await countIn(reader, storages, 'paths', within, maxGathered + 1);
  // The count ends at mostGathered + 1, so larger folders cannot be compared with the count by state.
  return { source: 'paths', files };
}

async function gatherBounded(finding: Finding, storages: readonly string[], source: ListSource): Promise<FilePage> {
  const { reader, query, slice, bounds } = finding;
  const { files } = await countIn(reader, storages, source, query, bounds.values + 1);
  if (files > bounds.values) throw tooWide(bounds.values);
  return gather(reader, storages, source, query, slice);
}

async function walkAll(
  { reader, query, slice }: Finding,
  storages: readonly string[],
  source: Best['source'],
): Promise<readonly ListedFile[]> {
  const each = source === 'storages' ? 1 : source === 'states' ? query.states!.length : query.places.within!.length;
  const max = maxWalks(query.order);
  if (storages.length * each <= max) return walkFiles(reader, storages, source, query, slice);
  if (query.order.field === 'fileId') return walkById(reader, storages, query, slice);
  const explanation = `Expected at most ${max} storages for this order: name some with "storage" or "storageGroup"`;
  throw new ServiceError('bad-parameter', { context: 'parameter', id: 'sort', explanation });
}

async function countAll(
  { reader, usage, query, counts }: Finding,
  storages: readonly string[],
  source: ListSource,
): Promise<number | undefined> {
  if (isCounted(query)) return filesIn(usage, query);
  return counts ? (await countIn(reader, storages, source, query)).files : undefined;
}

/** Refuses before it starts what would hold the database for longer than the bounds allow. */
async function checkWork(finding: Finding, storages: readonly string[], source: ListSource): Promise<void> {
  const { reader, kind, bounds, usage, query } = finding;
  const costs = query.places.matching.flatMap(({ any }) => any.map(costOf));
  // A database in memory has no other thread.
  if (kind === 'memory' && filesIn(usage, query) > bounds.values) throw tooWide(bounds.values);
  if (costs.length === 0) return;
  const reach = { ...query, hashes: undefined, used: undefined, unqueued: false };
  const within = { ...reach, places: { ...query.places, flatAfter: undefined, matching: [pathLength] } };
  const looked = await countIn(reader, storages, source, within, bounds.values + 1);
  if (looked.files > bounds.values) throw tooWide(bounds.values);
  const cost = costs.reduce((sum, each) => sum + Math.max(1, each), 0);
  if (looked.bytes * cost > bounds.steps) throw tooCostly(bounds.steps);
}

/** Matches every path: only its length is needed. */
const pathLength = { column: 'path', any: ['*'] } as const;

function tooWide(max: number): ServiceError {
  const explanation = `Expected a narrower list, such as a path that begins with a folder: more than ${max} files are in reach`;
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'path', explanation });
}

function tooCostly(max: number): ServiceError {
  const explanation = `Expected a narrower or a shorter path: bytes in reach times the length of what is searched in them are more than ${max}`;
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'path', explanation });
}

/** Storages whose files are listed. */
export interface ListScope {
  /** The storage named by the path of the route. */
  readonly storage: string | undefined;
  readonly storages: readonly string[] | undefined;
  readonly groups: readonly string[] | undefined;
  /** Only storages that show importable files. */
  readonly importables: boolean;
}

/** Storages of the scope with their number of files by state. 404 if a named storage or group is missing. */
export async function usageIn(reader: Reader, scope: ListScope): Promise<readonly UsageRow[]> {
  const groups = scope.groups === undefined ? null : JSON.stringify(await knownGroups(reader, scope.groups));
  const wanted = { groups, importables: scope.importables ? 1 : 0 };
  const ids = await idsOf(reader, scope);
  return ids === undefined ? usageOfAll(reader, wanted) : usageOfSome(reader, { ...wanted, ids });
}

async function idsOf(reader: Reader, { storage, storages }: ListScope): Promise<readonly string[] | undefined> {
  const named = storage === undefined ? undefined : (await storageNamed(reader, storage)).id;
  if (storages === undefined) return named === undefined ? undefined : [named];
  const rows = await askEach(storages, (name) => storageNamed(reader, name));
  return [...new Set(rows.map(({ id }) => id))].filter((id) => named === undefined || id === named);
}
