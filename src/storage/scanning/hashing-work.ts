import type { NewHasher } from '../../core/lib/bytes.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { yieldTurn } from '../../core/lib/turn.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import type { StorageDriver, StoredFile } from '../../spi/index.ts';
import { DriverError, kindOfFailure, type StorageDrivers } from '../drivers.ts';
import { newFileHasher } from '../files/hashes.ts';
import { type FileUses, fileEvent, noUses } from '../files/rules.ts';
import { type FileRow, updateFile } from '../files/store.ts';
import type { StorageSettings } from '../settings.ts';
import { methodsOf } from '../storages/store.ts';
import {
  countToHash,
  filesToHash,
  forgetDue,
  hashesDue,
  moveHashDue,
  releaseLostHashes,
  storagesToHash,
  takeFiles,
} from './hashing-sql.ts';
import { lookAt, lookError, type ReachableMethod } from './look.ts';
import { usesOfFiles } from './merging/commit.ts';
import { optionsOf } from './options.ts';

/** Bytes that are hashed in one turn of the loop: half a millisecond for each mebibyte. */
const sliceBytes = 8 * 1024 * 1024;
const pieceBytes = 1024 * 1024;

interface Hashed {
  readonly file: StoredFile;
  readonly hash: string;
  readonly digest: string | null;
}

/**
 * Hashes of the bytes of a file, read from its beginning. Throws `changed` unless all of them are of one version, the
 * one that the file has in the end.
 */
export async function hashFile(
  driver: StorageDriver,
  path: string,
  hasher: NewHasher,
  signal: AbortSignal,
): Promise<Hashed> {
  const { file, body } = await driver.read(path, { signal });
  const running = newFileHasher(hasher);
  const reader = body.getReader();
  let [size, turn] = [0, 0];
  try {
    for (;;) {
      if (signal.aborted) throw new DriverError('aborted', 'The work ends');
      const { done, value } = await reader.read();
      if (done) break;
      for (let at = 0; at < value.byteLength; at += pieceBytes) running.update(value.subarray(at, at + pieceBytes));
      size += value.byteLength;
      turn += value.byteLength;
      if (turn < sliceBytes) continue;
      turn = 0;
      await yieldTurn();
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const after = await driver.stat(path, signal);
  if (size === file.size && after?.version === file.version) {
    const { hash, digest } = running.read();
    return { file, hash: hash!, digest };
  }
  throw new DriverError('changed', 'Expected the file as it was: it has changed');
}

/** States of files whose bytes rest. */
const resting: ReadonlySet<string> = new Set(['CLOSED', 'BEING_READ']);

const mayBeHashed = ({ state }: Pick<FileRow, 'state'>): boolean => resting.has(state);

/** Whether size and time of the row are those of the hashed file. Otherwise a scan must read it first. */
const isAsKnown = ({ size, modified }: FileRow, { file }: Hashed): boolean =>
  (size === null || size === file.size) &&
  (modified === null || file.modified === undefined || modified === file.modified);

/** Sets the hash of a file. Without a change of the hash no event is sent. */
function setHash(row: FileRow, { file, hash, digest }: Hashed, uses: FileUses, now: number): CommitPlan {
  const facts = { content: file.version, identity: file.identity ?? null, size: file.size };
  const modified = file.modified ?? row.modified;
  const to = { ...facts, modified, hash, digest, hashDue: null, ...(row.hash !== hash && { timestamp: now }) };
  const changed = row.hash !== null && row.hash !== hash;
  return {
    changes: updateFile(row, to, changedMeanwhile('File', row.id)),
    events: [
      ...(changed ? [fileEvent('file/change', row, uses)] : []),
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
const batch = 50;
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

/** Hashes closed files: one reader for each storage, one file after the other. */
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
    let [works, since] = [[] as CommitPlan[], clock.now()];
    const write = async () => {
      await commitAll(works);
      context.done(works.length);
      [works, since] = [[], clock.now()];
    };
    for (const row of piece.left) {
      if (!context.mayGoOn() || context.signal.aborted) break;
      try {
        const hashed = await hashFile(driver, row.path, hasher, context.signal);
        if (isAsKnown(row, hashed)) works.push(setHash(row, hashed, uses.get(row.id) ?? noUses, clock.now()));
        else await putOff(row);
      } catch (error) {
        if (context.signal.aborted) break;
        const kind = kindOfFailure(error);
        context.failed(`${row.id}: ${lookError(error)}`);
        await putOff(row);
        // The storage is offline, so its other files would fail, too.
        if (kind === 'offline') {
          restsUntil.set(piece.key, clock.now() + leaseTime);
          break;
        }
      }
      piece.left = piece.left.slice(1);
      if (clock.now() - since >= maxLength) await write();
    }
    await write();
    // Unfinished files are due at once: another instance may take them.
    if (piece.left.length > 0) await system(moveHashDue({ ids: idsOf(piece.left), due: clock.now() }));
    piece.left = [];
  }

  const putOff = (row: FileRow) => system(moveHashDue({ ids: idsOf([row]), due: clock.now() + pause }));

  /** Commits all hashes together. If a file has changed meanwhile, commits them one by one. */
  async function commitAll(works: readonly CommitPlan[]): Promise<void> {
    if (works.length === 0) return;
    try {
      const changes = works.flatMap((work) => work.changes);
      await store.commit({ changes, events: works.flatMap(({ events }) => events) }, systemActor);
    } catch (error) {
      if (!isChanged(error)) throw error;
      if (works.length > 1) for (const work of works) await commitAll([work]);
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
