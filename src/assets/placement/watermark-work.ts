import { isChangedOrGone } from '../../core/lib/retry-when-changed.ts';
import { systemActor } from '../../core/store/contract.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { type RuledStorage, ruledAmong, ruledPage } from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import type { ItemsContext } from '../items/public.ts';
import { removalOf } from './copies.ts';
import { loadPlaced, type PlacedFile } from './load.ts';
import { canSpare, type Storages } from './rules.ts';
import { filesBehind, watermarksDue } from './store.ts';

/** Files per read. */
const limit = 50;
/** Milliseconds between rounds, between pages, and until a retry for a storage that stays full. */
const [looksEvery, soon, rest] = [10_000, 200, 600_000];

/** Bytes left after all pending deletions. */
const staying = ({ used, going }: RuledStorage): number => used - going;

const isTooFull = (storage: RuledStorage): boolean =>
  storage.canRead && staying(storage) >= storage.high && staying(storage) > storage.low;

/** Removes spare copies from storages above the high watermark, until the low watermark is reached. */
export function watermarkKind(parts: ItemsContext): WorkKind {
  const { store, clock } = parts;
  let due = Number.NEGATIVE_INFINITY;
  /** Cursor: serial of the last storage checked. */
  let after = -1;
  /** Full storages in the last round, and so far in this one. */
  let [full, fullNow] = [0, 0];
  /** Time of the next attempt for storages where nothing more could be removed. */
  const rests = new Map<string, number>();
  /** Cursor in each storage: serial of the last file checked. */
  const cursors = new Map<string, number>();

  /** Full storages on the next page. A single page per poll: there may be thousands of storages. */
  async function nextFull(now: number): Promise<readonly RuledStorage[]> {
    const { storages, next } = await ruledPage(store, after);
    const tooFull = storages.filter(isTooFull);
    fullNow += tooFull.length;
    after = next ?? -1;
    due = now + (next === undefined ? looksEvery : soon);
    if (next === undefined) [full, fullNow] = [fullNow, 0];
    return tooFull;
  }

  /** Removes spare copies of a page. Returns the freed bytes. */
  async function removeSome(ids: readonly string[], over: number, context: PieceContext): Promise<number> {
    const uses = await usesOf(store, { ids });
    const placed = await loadPlaced(
      store,
      uses.map(({ componentId }) => componentId),
      clock.now(),
    );
    const storages = await ruledAmong(store, placed.flatMap(placesAskedFor));
    let removed = 0;
    for (const fileId of ids) {
      if (removed >= over || !context.mayGoOn()) break;
      const size = sparedSize(placed, fileId, storages);
      // The removal reads again, since the page may be outdated by earlier removals.
      const work = size > 0 ? await removalOf(parts, fileId, storages, 'surplus') : undefined;
      if (!work) continue;
      await store.commit(work, systemActor);
      removed += size;
      context.done();
    }
    return removed;
  }

  async function relieve(id: string, context: PieceContext): Promise<void> {
    const storage = (await ruledAmong(store, [id])).get(id);
    if (!storage || !isTooFull(storage)) return;
    let over = staying(storage) - storage.low;
    while (over > 0 && context.mayGoOn()) {
      const page = await filesBehind(store, { storageId: id, after: cursors.get(id) ?? 0, limit });
      if (page.length === 0) {
        cursors.delete(id);
        rests.set(id, clock.now() + rest);
        return;
      }
      cursors.set(id, page.at(-1)!.serial);
      over -= await removeSome(
        page.map((row) => row.id),
        over,
        context,
      );
    }
  }

  return workKind<Piece>({
    name: 'watermarks',
    says: 'Removes copies that no storage rule needs from storages at their high watermark',
    priority: 69,
    concurrency: 1,
    wokenBy: [],
    due: () => watermarksDue,
    dueHere: (next) => Math.max(next, due),
    async claim(free, now, isHeld) {
      const tooFull = await nextFull(now);
      const waiting = tooFull.filter(({ id }) => !isHeld(id) && (rests.get(id) ?? 0) <= now);
      // The relatively fullest storages first.
      const next = waiting.toSorted((one, other) => other.used / other.high - one.used / one.high).slice(0, free);
      return next.map(({ id }) => ({ key: id }));
    },
    async do({ key }, context) {
      try {
        await relieve(key, context);
      } catch (error) {
        if (!isChangedOrGone(error)) throw error;
      }
    },
    // Metric of the last round: counting now would block the event loop with thousands of storages.
    measure: async () => ({ waiting: full }),
  });
}

/** Storages needed to decide whether a copy is spare: those of all copies, and those of the rule. */
const placesAskedFor = ({ copies, rule }: PlacedFile): readonly string[] => [
  ...copies.map(({ storageId }) => storageId),
  ...(rule?.storage ?? []),
];

/** Size of a file if all its components can spare it, as far as the page shows. Otherwise 0. */
function sparedSize(placed: readonly PlacedFile[], fileId: string, storages: Storages): number {
  const having = placed.flatMap((each) => {
    const copy = each.copies.find((one) => one.fileId === fileId);
    return copy ? [{ ...each, copy }] : [];
  });
  const isSpared = having.every(
    ({ rule, copies, copy }) => rule !== undefined && !copy.isHeld && canSpare(rule, copies, storages, copy),
  );
  return isSpared ? (having[0]?.copy.size ?? 0) : 0;
}
