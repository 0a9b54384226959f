import type { Clock } from '../../../core/lib/clock.ts';
import { inTime } from '../../../core/lib/clock.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Actor, systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { type Piece, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import type { RoomContext } from '../../../room/context.ts';
import { uploadImportsHook } from '../../contract.ts';
import type { StorageDrivers } from '../../drivers.ts';
import { alsoImports } from '../transfers/rules.ts';
import { findTransfer } from '../transfers/store.ts';
import { type Publisher, type Publishing, publishingLease } from './publish.ts';
import { isRequested } from './rules.ts';
import {
  countPublications,
  duePublications,
  endPublishingLeases,
  extendPublishing,
  findMethod,
  type Publication,
  publicationLeaseHolds,
  publicationsDue,
  takePublication,
} from './store.ts';
import type { Sweep } from './sweep.ts';

interface RecoveryParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: StorageDrivers;
  readonly instanceId: string;
  readonly publishing: Publishing;
  readonly sweep: Sweep;
  readonly hooks: RoomContext['hooks'];
  readonly settings: { readonly transferIdleHours: number };
}

interface Due extends Piece {
  readonly publication: Publication;
}

const concurrency = 4;
const hour = 3_600_000;
const batch = 100;
/** Milliseconds that a start waits for storages. Slower recoveries continue in the background. */
const patience = 10_000;
const lost = changedMeanwhile('Publication', 'lease');

/** Finishes or undoes what an instance began that no longer runs: bytes that are staged or published, and no rows yet. */
export function recoveryKind(parts: RecoveryParts): WorkKind {
  const { store, clock, places, instanceId, publishing, settings } = parts;
  // Owner of a recovery. Differs from that of the request, which could otherwise publish bytes that are being removed.
  const holderOf = ({ mode }: Publication) => (isRequested(mode) ? `${instanceId} recovers` : instanceId);
  const renew = ({ publication: { id, instance } }: Due, until: number) =>
    store.commit(
      changing(publicationLeaseHolds({ id, instance }, lost), extendPublishing({ id, instance, leaseUntil: until })),
      systemActor,
    );

  async function claim(max: number, now: number, isHeld: (key: string) => boolean): Promise<Due[]> {
    const due: Due[] = [];
    for (const row of await duePublications(store, { now, limit: max })) {
      if (isHeld(row.id)) continue;
      const [until, instance] = [now + publishingLease, holderOf(row)];
      try {
        await store.commit({ changes: takePublication(row, instance, until, lost), events: [] }, systemActor);
        due.push({ key: row.id, publication: { ...row, instance, leaseUntil: until } });
      } catch (error) {
        if (error !== lost) throw error;
      }
    }
    return due;
  }

  async function recover({ publication }: Due): Promise<void> {
    const method = await findMethod(store, { id: publication.methodId });
    // Without its method the storage cannot be reached any more.
    if (!method) return publishing.undo(publication, undefined);
    const actor = JSON.parse(publication.actor) as Actor;
    const { transferId } = publication;
    const row = transferId === null ? undefined : await findTransfer(store, { id: transferId });
    const also = alsoImports(parts.hooks.need(uploadImportsHook), row, actor);
    const by: Publisher = { actor, commit: (work) => store.commit(work, actor), ...also };
    try {
      await publishing.recover(publication, await places.of(method), by);
    } catch (error) {
      // After the time limit the outcome stays unknown. The next scan finds the bytes if they are at the path.
      const isOver = clock.now() - publication.at > settings.transferIdleHours * hour;
      if (isOver) await publishing.undo(publication, undefined).catch(() => undefined);
      throw error;
    }
  }

  /** Recovers all publications at start, before the first request. For setups without other instances. */
  async function recoverAll(): Promise<void> {
    for (;;) {
      const due = await claim(batch, clock.now(), () => false);
      if (due.length === 0) break;
      for (const piece of due) await recover(piece).catch((error) => tell(parts, piece.key, error));
    }
    await parts.sweep.all(clock.now());
  }

  return workKind<Due>({
    name: 'publications',
    says: 'Finishes or undoes uploads that a stopped instance was publishing',
    hosts: ['loop', 'edge'],
    priority: 20,
    concurrency,
    wokenBy: [],
    lease: { milliseconds: publishingLease, renew, lost },
    due: () => publicationsDue,
    claim,
    async do(piece, context) {
      await recover(piece);
      context.done();
    },
    async measure() {
      const { count, oldest } = (await countPublications(store, {}))!;
      return { waiting: count, oldest: oldest ?? undefined };
    },
    async takeBack() {
      const [ended = []] = await store.commit(changing(endPublishingLeases({})), systemActor);
      const late = () => new Error(`Expected storages to answer within ${patience} ms`);
      await inTime(recoverAll(), clock, patience, late).catch((error) => tell(parts, 'start', error));
      return ended.length;
    },
  });
}

const tell = ({ log }: RecoveryParts, piece: string, error: unknown): void =>
  log.write('warn', 'work-failed', { kind: 'publications', piece, ...describeError(error) });
