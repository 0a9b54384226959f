import type { NewHasher } from '../../core/lib/bytes.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type EventRecord, type Statement, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import type { StorageDriver } from '../../spi/index.ts';
import { kindOfFailure, type StorageDrivers } from '../drivers.ts';
import { type FileUses, fileEvent, noUses } from '../files/rules.ts';
import type { FileRow } from '../files/store.ts';
import type { StorageSettings } from '../settings.ts';
import { methodsOf } from '../storages/store.ts';
import { type Hashed, hashFiles } from './hash-files.ts';
import {
  countToHash,
  filesToHash,
  forgetDue,
  hashesDue,
  moveHashDue,
  releaseLostHashes,
  storagesToHash,
  takeFiles,
  writeHashes,
} from './hashing-sql.ts';
import { lookAt, lookError, type ReachableMethod } from './look.ts';
import { usesOfFiles } from './merging/commit.ts';
import { filesUnchanged, versionsNow } from './merging/store.ts';
import { optionsOf } from './options.ts';

/** States of files whose bytes rest. */
const resting: ReadonlySet<string> = new Set(['CLOSED', 'BEING_READ']);

const mayBeHashed = ({ state }: Pick<FileRow, 'state'>): boolean => resting.has(state);

/** Whether size and time of the row are those of the hashed file. Otherwise a scan must read it first. */
const isAsKnown = ({ size, modified }: FileRow, { file }: Hashed): boolean =>
  (size === null || size === file.size) &&
  (modified === null || file.modified === undefined || modified === file.modified);

/** A hash to write into the row of its file, with its events. */
interface HashDecision {
  readonly row: FileRow;
  readonly to: Pick<FileRow, 'size' | 'modified' | 'content' | 'identity' | 'hash' | 'digest' | 'timestamp'>;
  readonly events: readonly EventRecord[];
}

/** Without a change of the hash no event is sent. */
function decideHash(row: FileRow, { file, hash, digest }: Hashed, uses: FileUses, now: number): HashDecision {
  const isOther = row.hash !== null && row.hash !== hash;
  return {
    row,
    to: {
      ...{ content: file.version, identity: file.identity ?? null, size: file.size, hash, digest },
      modified: file.modified ?? row.modified,
      timestamp: row.hash === hash ? row.timestamp : now,
    },
    events: [
      ...(isOther ? [fileEvent('file/change', row, uses)] : []),
      ...(row.hash === hash ? [] : [fileEvent('file/hash', row, uses)]),
    ],
  };
}

interface HashParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: StorageDrivers;
  readonly hasher: NewHasher;
  readonly settings: Pick<StorageSettings, 'mediaHashes' | 'closeLimit'>;
}

/** Files in one batch. */
const batch = 100;
/** Files that a driver hashes at once, and bytes of them, unless they are few: its threads share them. */
const [minGroup, maxGroupBytes] = [4, 32 * 1024 * 1024];
/** Milliseconds of the lease, and until an offline storage is retried. */
const leaseTime = 60_000;
/** Milliseconds until a changed file is retried: a scan has to read it first. */
const pause = 5 * 60_000;
/** Milliseconds after which the hashes so far are written. */
const maxLength = 2000;
/** Waiting files of a storage that are counted. */
const maxCounted = 10_000;

/** The claimed files of a storage that are not hashed yet. */
interface Line extends Piece {
  left: readonly FileRow[];
}

const lost = changedMeanwhile('File', 'hash');

/** Files that are hashed at once: one by one where the service reads them. */
function* groupsOf({ hash }: StorageDriver, rows: readonly FileRow[]): Generator<readonly FileRow[]> {
  let [group, bytes] = [[] as FileRow[], 0];
  for (const row of rows) {
    group.push(row);
    bytes += row.size ?? maxGroupBytes;
    if (hash && (group.length < minGroup || bytes < maxGroupBytes)) continue;
    yield group;
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) yield group;
}

/** Hashes closed files: one reader for each storage. */
export function hashKind(parts: HashParts): WorkKind {
  const { store, clock, hasher, settings } = parts;
  const restsUntil = new Map<string, number>();
  const system = (...changes: Statement[]) => store.commit({ changes, events: [] }, systemActor);
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  async function take(piece: Line): Promise<readonly FileRow[]> {
    const now = clock.now();
    const claimValues = { id: piece.key, now, until: now + leaseTime, limit: batch };
    const [taken = []] = await store.commit(changing(takeFiles(claimValues)), systemActor);
    const rows = await filesToHash(store, { ids: taken.map(([id]) => id) });
    piece.left = rows;
    return rows;
  }

  async function hashLine(piece: Line, context: PieceContext): Promise<void> {
    const { key: storage } = piece;
    const { hashes } = await optionsOf(store, storage, settings).catch((error: unknown) => {
      // An invalid exclude pattern does not affect hashing.
      if (error instanceof ServiceError && error.code === 'bad-value') return { hashes: true };
      throw error;
    });
    const reading = hashes ? await readingMethod(storage, context.signal) : undefined;
    if (hashes && !reading) return void restsUntil.set(storage, clock.now() + leaseTime);
    while (context.mayGoOn() && !context.signal.aborted) {
      const rows = await take(piece);
      if (rows.length === 0) return;
      const unfit = rows.filter((row) => !reading || !mayBeHashed(row));
      if (unfit.length > 0) await system(forgetDue({ ids: idsOf(unfit) }));
      piece.left = rows.filter((row) => reading && mayBeHashed(row));
      if (reading) await hashBatch(piece, reading, context);
    }
  }

  async function readingMethod(storage: string, signal: AbortSignal): Promise<ReachableMethod | undefined> {
    const methods = (await methodsOf(store, { id: storage })).filter(({ read }) => read === 1);
    return (await lookAt(parts, methods, { signal })).seen[0];
  }

  async function hashBatch(piece: Line, { driver }: ReachableMethod, context: PieceContext): Promise<void> {
    const uses = await usesOfFiles(
      store,
      piece.left.map(({ id }) => id),
    );
    let [decisions, since] = [[] as HashDecision[], clock.now()];
    const write = async () => {
      await commitAll(decisions);
      context.done(decisions.length);
      [decisions, since] = [[], clock.now()];
    };
    groups: for (const group of groupsOf(driver, piece.left)) {
      if (!context.mayGoOn() || context.signal.aborted) break;
      const paths = group.map(({ path }) => path);
      const outcomes = await hashFiles(driver, paths, hasher, context.signal);
      for (const [index, row] of group.entries()) {
        if (context.signal.aborted) break groups;
        const outcome = outcomes[index]!;
        if ('file' in outcome && isAsKnown(row, outcome)) {
          decisions.push(decideHash(row, outcome, uses.get(row.id) ?? noUses, clock.now()));
        } else await putOff(row);
        if ('file' in outcome) continue;
        context.failed(`${row.id}: ${lookError(outcome)}`);
        // The storage is offline, so its other files would fail, too.
        if (kindOfFailure(outcome) !== 'offline') continue;
        restsUntil.set(piece.key, clock.now() + leaseTime);
        break groups;
      }
      piece.left = piece.left.slice(group.length);
      if (clock.now() - since >= maxLength) await write();
    }
    await write();
    // Unfinished files are due at once: another instance may take them.
    if (piece.left.length > 0) await system(moveHashDue({ ids: idsOf(piece.left), due: clock.now() }));
    piece.left = [];
  }

  const putOff = (row: FileRow) => system(moveHashDue({ ids: idsOf([row]), due: clock.now() + pause }));

  /** Commits all hashes in one batch. Skips files that have changed since they were read. */
  async function commitAll(decisions: readonly HashDecision[]): Promise<void> {
    for (let left = decisions; left.length > 0; ) {
      const rows = left.map(({ row: { id, version }, to }) => ({ ...to, id, version }));
      const changes = [filesUnchanged({ rows, count: rows.length }, lost), writeHashes({ rows })];
      try {
        await store.commit({ changes, events: left.flatMap(({ events }) => events) }, systemActor);
        return;
      } catch (error) {
        if (error !== lost) throw error;
        const versions = new Map((await versionsNow(store, { rows })).map(({ id, version }) => [id, version]));
        left = left.filter(({ row }) => versions.get(row.id) === row.version);
      }
    }
  }

  return workKind<Line>({
    name: 'hashes',
    says: 'Computes the hashes of closed files',
    // An edge has no time to read a large file.
    hosts: ['loop'],
    priority: 75,
    concurrency: settings.mediaHashes,
    due: () => hashesDue,
    wokenBy: ['file/new', 'file/close', 'file/change'],
    gathers: 200,
    lease: {
      milliseconds: leaseTime,
      lost,
      renew: async ({ left }, until) => {
        if (left.length > 0) await system(moveHashDue({ ids: idsOf(left), due: until }));
      },
    },
    async claim(max, now, isHeld) {
      for (const [id, until] of restsUntil) if (until <= now) restsUntil.delete(id);
      const limit = max + settings.mediaHashes + restsUntil.size;
      const lines = await storagesToHash(store, { limit });
      const free = lines.filter(({ id }) => !isHeld(id) && !restsUntil.has(id));
      const pieces = free.filter(({ due }) => due <= now).map(({ id }): Line => ({ key: id, left: [] }));
      return pieces.slice(0, max);
    },
    do: hashLine,
    async measure() {
      const [row] = await countToHash(store, { limit: maxCounted });
      return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined };
    },
    async takeBack() {
      const [taken = []] = await store.commit(changing(releaseLostHashes({ now: clock.now() })), systemActor);
      return taken.length;
    },
  });
}
