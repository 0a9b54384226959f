import { askerOf } from '../definitions/public-reading.ts';
import { changeInTurn } from '../entities/turns.ts';
import type { Params } from '../http/route.ts';
import { unlockedFor } from '../items/contract/lock/rules.ts';
import type { RoomContext } from '../room/context.ts';
import { type Caller, subjectOf } from '../security/caller.ts';
import type { CommitPlan } from '../store/contract.ts';
import { expectUnlocked } from './locks/rules.ts';
import type { MetadataState } from './merge/state.ts';
import type { Wish } from './merge/wish.ts';
import type { MetadataResource } from './places.ts';
import type { MetadataOwner } from './store.ts';
import { type MetadataParts, type PreparedMetadata, prepareWishes } from './write.ts';

type ChangeParts = MetadataParts & Pick<RoomContext, 'sharesWork'>;

export interface ChangedMetadata {
  readonly owner: MetadataOwner;
  readonly prepared: PreparedMetadata;
}

/** Callback before the commit of a change. An error that it throws refuses the change. */
export type BeforeCommit = (changed: ChangedMetadata) => Promise<void>;

/** Changes the metadata named by the path, as one change set in one commit. */
export async function changeMetadata(
  parts: ChangeParts,
  place: MetadataResource,
  call: Caller,
  params: Params,
  wish: Wish | ((state: MetadataState) => Wish),
  skipForbidden = false,
  before?: BeforeCommit,
): Promise<ChangedMetadata> {
  const rights = { asker: await askerOf(call), skipForbidden };
  return inTurnOf(parts, place, call, params, async (owner) => {
    const prepared = await prepareWishes(parts, owner, [{ by: subjectOf(call).name, wish }], rights);
    const changed = { owner, prepared };
    await before?.(changed);
    await commitChange(parts, place, call, owner, prepared);
    return changed;
  });
}

/** Serialises changes of one entity. Rights are checked again after waiting. */
export async function inTurnOf<T>(
  parts: Pick<ChangeParts, 'store' | 'sharesWork'>,
  place: MetadataResource,
  call: Caller,
  params: Params,
  decide: (owner: MetadataOwner) => Promise<T>,
): Promise<T> {
  const find = () => place.find(call, params, 'WRITE');
  const found = await find();
  return changeInTurn(parts, found, async (waited) => decide(waited ? await find() : found));
}

/** Commits with guards: the entity exists, and no other user holds a lock on it or on the fields. */
export async function commitChange(
  { clock }: ChangeParts,
  place: MetadataResource,
  call: Caller,
  owner: MetadataOwner,
  work: CommitPlan & { readonly fields: readonly string[] },
): Promise<void> {
  if (work.changes.length === 0) return;
  const { fields, touches = [] } = work;
  const now = clock.now();
  const guards = [
    ...place.mustExist(owner),
    ...(owner.kind === 'item' ? [unlockedFor(call, owner.id, now)] : []),
    expectUnlocked(owner, subjectOf(call).name, fields, now),
  ];
  await call.commit({ changes: [...guards, ...work.changes], events: work.events, touches });
}
