import { forgetKept } from '../../assets/definitions/public.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { prepareRequests, type ReshapeStep } from '../../assets/metadata/public.ts';
import type { MetadataOwner } from '../../assets/metadata/public-reading.ts';
import { isRefusal } from '../../core/lib/errors.ts';
import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { inSlices, yieldTurn } from '../../core/lib/turn.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { Actor, Statement } from '../../core/store/contract.ts';
import { changeInTurn } from '../../room/entities/changes.ts';
import type { PlannedMigration } from './rules.ts';
import {
  advanceMigration,
  endRound,
  type MigrationRow,
  migrationStands,
  nextMigration,
  queriesBehind,
  queryIsStill,
  queryOf,
  replaceQuery,
  statesBehind,
} from './store.ts';

type Json = unknown;

/** Renames fields and groups everywhere in a search document. */
export function renamedIn(query: Json, steps: readonly ReshapeStep[]): Json {
  const renames = steps.flatMap((step) => (step.do === 'rename' ? [step] : []));
  const namesOf = (kind: 'field' | 'group') =>
    new Map(renames.filter(({ of }) => of === kind).map(({ name, to }) => [name, to]));
  const names = { field: namesOf('field'), group: namesOf('group') };

  const named = (kind: 'field' | 'group', entry: Json): Json => {
    if (typeof entry === 'string') return names[kind].get(entry) ?? entry;
    if (Array.isArray(entry)) return entry.map((each) => named(kind, each));
    const inside = walk(entry);
    if (!isObject(inside) || typeof inside['name'] !== 'string') return inside;
    return { ...inside, name: names[kind].get(inside['name']) ?? inside['name'] };
  };

  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, entry]) => [
      key,
      key === 'field' || key === 'group' ? named(key, entry) : walk(entry),
    ]);
    return Object.fromEntries(entries);
  };

  return walk(query);
}

const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Parts = Pick<ItemsContext, 'store' | 'clock' | 'settings' | 'sharesWork' | 'log'>;
type EntityState = Awaited<ReturnType<typeof statesBehind>>[number];

/** Entities read per slice. */
const slice = 100;
/** Entities changed concurrently: their commits share a sync of the disk. */
const atOnce = 10;

/** Runs a slice of the oldest migration. Repeated steps change nothing. False: no migration is left. */
export async function migrateSlice(parts: Parts): Promise<boolean> {
  const { store } = parts;
  const row = await nextMigration(store, {});
  if (!row) return false;
  const actor = actorOf(row);
  const steps = JSON.parse(row.steps) as readonly ReshapeStep[];
  const entities = await entitiesBehind(parts, row);
  const change = (those: readonly EntityState[]) =>
    Promise.all(those.map((each) => changeOne(parts, row, actor, steps, each)));
  const outcomes = await inSlices(
    entities.filter(({ mayBe }) => mayBe === 1),
    change,
    atOnce,
  );
  for (const each of entities.filter(({ mayBe }) => mayBe === 2)) {
    await yieldTurn();
    outcomes.push(...(await change([each])));
  }
  const changed = outcomes.filter(Boolean).length;
  const last = entities.at(-1);
  const { id, round, positionType: type, positionId: entity } = row;
  const stands = migrationStands({ id, round, type, entity }, changedMeanwhile('SchemaMigration', String(id)));
  const changes =
    last === undefined
      ? [endRound({ id }), ...(row.changed === 0 ? forgetsOf(row) : [])]
      : [advanceMigration({ id, type: last.type, entity: last.id, count: entities.length, changed })];
  try {
    await store.commit(changing(stands, ...changes), actor);
  } catch (error) {
    // Conflict: another instance was faster.
    if (!isChanged(error)) throw error;
  }
  return true;
}

const forgetsOf = ({ leaving }: MigrationRow): readonly Statement[] =>
  (JSON.parse(leaving) as PlannedMigration['leaving']).map(([kind, name]) => forgetKept({ kind, name }));

const actorOf = ({ user, runAs, requestId }: MigrationRow): Actor => ({
  user,
  requestId,
  ...(runAs !== null && { runAs }),
});

/** The next entities: all metadata first, then queries of libraries. */
async function entitiesBehind({ store }: Parts, row: MigrationRow): Promise<readonly EntityState[]> {
  const { words, positionType: type, positionId: entity } = row;
  const states = type === 'library' ? [] : await statesBehind(store, { type, entity, words, limit: slice });
  if (states.length > 0) return states;
  return queriesBehind(store, { entity: type === 'library' ? entity : '', words, limit: slice });
}

/** Migrates one entity. True: it changed. Refused changes are skipped, so that others go on. */
async function changeOne(
  parts: Parts,
  row: MigrationRow,
  actor: Actor,
  steps: readonly ReshapeStep[],
  { type, id }: EntityState,
): Promise<boolean> {
  try {
    if (type === 'library') return await changeQuery(parts, actor, steps, id);
    return await changeMetadata(parts, row, actor, steps, { kind: type, id } as MetadataOwner);
  } catch (error) {
    // Repeated conflicts: the next round tries again.
    if (isChanged(error)) return true;
    if (!isRefusal(error)) throw error;
    parts.log.write('warn', 'schema-migration', { id: row.id, entity: `${type} ${id}`, error: String(error) });
    return false;
  }
}

/** Changes metadata by an ordinary change set. */
const changeMetadata = (
  parts: Parts,
  { user }: MigrationRow,
  actor: Actor,
  steps: readonly ReshapeStep[],
  owner: MetadataOwner,
): Promise<boolean> =>
  changeInTurn(parts, owner, async () => {
    const request = { system: true, spans: [], reshape: steps } as const;
    const { changes, events, touches = [] } = await prepareRequests(parts, owner, [{ by: user, request }]);
    if (changes.length === 0) return false;
    await parts.store.commit({ changes, events, touches }, actor);
    return true;
  });

async function changeQuery(
  { store }: Parts,
  actor: Actor,
  steps: readonly ReshapeStep[],
  id: string,
): Promise<boolean> {
  const [row] = await queryOf(store, { id });
  if (!row) return false;
  const after = JSON.stringify(renamedIn(JSON.parse(row.query), steps));
  if (after === row.query) return false;
  const change = { id, before: row.query, after };
  await store.commit(changing(queryIsStill(change, changedMeanwhile('Library', id)), replaceQuery(change)), actor);
  return true;
}
