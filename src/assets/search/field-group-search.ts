import { yieldTurn } from '../../core/lib/turn.ts';
import type { LimitedReader } from '../../core/store/statement.ts';
import { bytesOfOne, tooHeavy } from '../../room/entities/page-weight.ts';
import type { Viewer } from '../access/public-reading.ts';
import { type FieldReader, fieldRights, level, loadFields } from '../definitions/public-reading.ts';
import {
  emptyState,
  generic,
  loadAll,
  type MetadataState,
  namesIn,
  type OwnerKind,
  type Span,
  type StoredGroup,
} from '../metadata/public-reading.ts';
import type { ItemSearch } from './documents.ts';
import { type Node, partsOf } from './query/ast.ts';
import { EvaluatedEntity } from './query/evaluate.ts';
import { loadNames, namesOf } from './query/names.ts';
import { CriteriaReader } from './query/read.ts';
import { badSearch } from './query/refusals.ts';
import { groupNames, ownersWithGroups } from './store.ts';

/** Maximum entities whose metadata one search reads. */
export const maxOwners = 10_000;
/** Entities per tick of the event loop. */
const slice = 50;

interface GroupSearch {
  readonly viewer: Viewer;
  readonly asker: FieldReader;
  readonly document: ItemSearch;
  /** Undefined: all groups. */
  readonly names: readonly string[] | undefined;
  readonly sources: readonly OwnerKind[];
  readonly offset: number;
  readonly limit: number;
  /** Values that the groups of a page may have. */
  readonly max: number;
  /** Value of `NOW` in dates. */
  readonly now: number;
}

/** Group with its location. */
export interface GroupHit {
  readonly kind: OwnerKind;
  readonly id: string;
  readonly span: Span;
  readonly group: StoredGroup;
}

export interface GroupHits {
  readonly hits: number;
  readonly page: readonly GroupHit[];
  /** Metadata of the entities on the page. */
  readonly states: ReadonlyMap<OwnerKind, ReadonlyMap<string, MetadataState>>;
}

/** Readable groups that match, those of the newest entities first. */
export async function findGroups(reader: LimitedReader, groupSearch: GroupSearch): Promise<GroupHits> {
  const { viewer, asker, offset, limit, max } = groupSearch;
  const node = await criteriaOf(reader, groupSearch);
  const wanted = groupSearch.names ?? (await groupNames(reader, {})).map(({ name }) => name);
  const rights = await fieldRights(reader, asker, { groups: wanted });
  const names = new Set(wanted.filter((name) => rights.group(name) >= level.read));
  const page: GroupHit[] = [];
  const states = new Map<OwnerKind, Map<string, MetadataState>>();
  let [hits, owners, groupCount, toldCount] = [0, 0, 0, 0];
  for (const kind of groupSearch.sources) {
    const shown = new Map<string, MetadataState>();
    states.set(kind, shown);
    for await (const ids of ownersWithGroups(reader, viewer, kind, [...names], slice)) {
      owners += ids.length;
      if (owners > maxOwners) {
        throw badSearch('group', `Expected groups that at most ${maxOwners} entities have: name them with "group"`);
      }
      const loaded = await loadAll(reader, kind, ids);
      const isMatch = await matcherFor(reader, node, [...loaded.values()]);
      for (const id of ids) {
        const { state, size } = loaded.get(id)!;
        for (const { span, group } of instancesIn(state, names)) {
          if (!isMatch(group)) continue;
          if (hits >= offset && page.length < limit) {
            page.push({ kind, id, span, group });
            if (!shown.has(id)) groupCount += size;
            shown.set(id, state);
            toldCount += charactersOf(group);
            if (page.length > 1 && Math.max(groupCount, toldCount) / bytesOfOne > max) throw tooHeavy(limit, max);
          }
          hits++;
        }
      }
      await yieldTurn();
    }
  }
  return { hits, page, states };
}

async function criteriaOf(reader: LimitedReader, { viewer, document, now }: GroupSearch): Promise<Node> {
  const names = await loadNames(reader, viewer, namesOf(document), now);
  const node = new CriteriaReader(names, 'item').criteria(document);
  for (const { is } of partsOf(node)) {
    if (is !== 'linked' && is !== 'fact') continue;
    throw badSearch('field', 'Expected criteria of the metadata in a group, and of nothing else');
  }
  return node;
}

async function matcherFor(
  reader: LimitedReader,
  node: Node,
  loaded: readonly { readonly state: MetadataState }[],
): Promise<(group: StoredGroup) => boolean> {
  if (node.is === 'all') return () => true;
  const fields = await loadFields(reader, [...new Set(loaded.flatMap(({ state }) => [...namesIn(state)]))]);
  const deciding = { fields, mergesGroups: false, facts: new Map() };
  return ({ contents }) => {
    const alone: MetadataState = emptyState();
    alone.spans.set(generic, { start: '-INF', end: '+INF', contents });
    return new EvaluatedEntity(0, alone, deciding).isGenericMatch(node);
  };
}

function* instancesIn(
  { spans }: MetadataState,
  names: ReadonlySet<string>,
): Generator<{ readonly span: Span; readonly group: StoredGroup }> {
  for (const span of spans.values()) {
    for (const group of within(span.contents.groups, names)) yield { span, group };
  }
}

/** Characters of the values of a group and of all groups in it. */
function charactersOf({ contents }: StoredGroup): number {
  const values = [...contents.fields.values()].flatMap((field) => field.values);
  return (
    values.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) +
    contents.groups.reduce((sum, group) => sum + charactersOf(group), 0)
  );
}

/** Matching groups on all levels. */
function* within(groups: readonly StoredGroup[], names: ReadonlySet<string>): Generator<StoredGroup> {
  for (const group of groups) {
    if (names.has(group.name)) yield group;
    yield* within(group.contents.groups, names);
  }
}
