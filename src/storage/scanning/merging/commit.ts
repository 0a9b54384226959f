import { groupBy } from '../../../core/lib/group-by.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { type EventRecord, type Statement, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { type FileUses, fileEvent, noUses } from '../../files/rules.ts';
import { pathNames, usesOf } from '../../files/store.ts';
import type { MergeDecision } from './rules.ts';
import { filesUnchanged, insertFiles, pathsFree, pathsTaken, updateFiles, versionsNow, writeTimes } from './store.ts';

/** Files in one commit: each has an event, and other commits wait meanwhile. */
export const batchFiles = 100;
const attempts = 4;

interface Batch {
  readonly store: Store;
  readonly storage: string;
  readonly decisions: readonly MergeDecision[];
  /**
   * Further statements of the commit, such as the guard of the scan and its cursor. `written`: the decisions that hold.
   */
  with(written: readonly MergeDecision[]): readonly Statement[];
}

const changed = changedMeanwhile('File', 'scan');

/**
 * Writes files and their events in one commit. A file with a concurrent change is skipped until the next scan. Returns
 * the written decisions.
 */
export async function commitBatch(batch: Batch): Promise<readonly MergeDecision[]> {
  const { store, storage } = batch;
  let left = batch.decisions;
  for (let attempt = 1; ; attempt++) {
    const written = attempt === attempts ? [] : left;
    const { changes, events } = await workOf(store, storage, written);
    try {
      await store.commit({ changes: [...batch.with(written), ...changes], events }, systemActor);
      return written;
    } catch (error) {
      if (error !== changed) throw error;
      left = await unchanged(store, storage, left);
    }
  }
}

async function workOf(store: Store, storage: string, decisions: readonly MergeDecision[]) {
  const updates = decisions.flatMap(({ row, to, file }) =>
    row && to ? [{ ...to, id: row.id, version: row.version, times: timesOf(file) }] : [],
  );
  const inserts: (Record<string, unknown> & { readonly id: string })[] = [];
  const ids = new Map<MergeDecision, string>();
  for (const decision of decisions) {
    if (decision.row) continue;
    const { path, to, file } = decision;
    const id = await store.nextId('file');
    ids.set(decision, id);
    inserts.push({ ...to, id, serial: serialOf(id), path, ...pathNames(path), times: timesOf(file) });
  }
  const times = [...updates, ...inserts].filter((row) => row['times'] !== undefined);
  const changes = [
    ...(updates.length > 0 ? [filesUnchanged({ rows: updates, count: updates.length }, changed)] : []),
    ...(inserts.length > 0
      ? [pathsFree({ rows: inserts, id: storage }, changed), insertFiles({ rows: inserts, id: storage })]
      : []),
    ...(updates.length > 0 ? [updateFiles({ rows: updates })] : []),
    ...(times.length > 0 ? writeTimes.map((statement) => statement({ rows: times })) : []),
  ];
  const uses = await usesOfFiles(
    store,
    decisions.flatMap(({ row, events }) => (row && events.length > 0 ? [row.id] : [])),
  );
  const events: EventRecord[] = decisions.flatMap((decision) => {
    const id = decision.row?.id ?? ids.get(decision)!;
    return decision.events.map((event) => fileEvent(event, { id, storageId: storage }, uses.get(id) ?? noUses));
  });
  return { changes, events };
}

/** Users of the files, as in their events. */
export async function usesOfFiles(
  store: Pick<Store, 'read'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileUses>> {
  if (ids.length === 0) return new Map();
  const distinct = (values: readonly string[]) => [...new Set(values)];
  const rows = groupBy(await usesOf(store, { ids }), ({ fileId }) => fileId);
  return new Map(
    [...rows].map(([id, uses]) => [
      id,
      { shapeId: distinct(uses.map((use) => use.shapeId)), itemId: distinct(uses.map((use) => use.itemId)) },
    ]),
  );
}

function timesOf(file: MergeDecision['file']): Record<string, string> | undefined {
  if (!file) return undefined;
  const { created, modified } = file;
  const text = (microseconds: number) => String(Math.floor(microseconds / 1000));
  return {
    ...(created !== undefined && { created: text(created) }),
    ...(modified !== undefined && { mtime: text(modified) }),
  };
}

async function unchanged(store: Store, storage: string, decisions: readonly MergeDecision[]): Promise<MergeDecision[]> {
  const rows = decisions.flatMap(({ row }) => (row ? [{ id: row.id }] : []));
  const versions = new Map((await versionsNow(store, { rows })).map(({ id, version }) => [id, version]));
  const paths = decisions.flatMap(({ row, path }) => (row ? [] : [{ path }]));
  const taken = new Set((await pathsTaken(store, { rows: paths, id: storage })).map(({ path }) => path));
  return decisions.filter(({ row, path }) => (row ? versions.get(row.id) === row.version : !taken.has(path)));
}
