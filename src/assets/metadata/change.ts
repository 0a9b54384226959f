import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { RoomContext } from '../../room/context.ts';
import { changeInTurn } from '../../room/entities/changes.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { unlockedFor } from '../items/contract/item-locks.ts';
import { type InheritableNames, inheritableNames } from './inherited/inherit.ts';
import { expectUnlocked } from './locks/rules.ts';
import type { MetadataRequest } from './merge/request.ts';
import type { MetadataState } from './merge/state.ts';
import type { MetadataResource } from './places.ts';
import type { MetadataOwner } from './store.ts';
import { type MetadataParts, type PreparedMetadata, prepareRequests } from './write.ts';

type ChangeParts = MetadataParts & Pick<RoomContext, 'sharesWork'>;

export interface ChangedMetadata {
  readonly owner: MetadataOwner;
  readonly prepared: PreparedMetadata;
  readonly inheritable?: InheritableNames;
}

export interface ChangeOptions {
  /** True: leaves out fields that the caller may not write, instead of refusing the change. */
  readonly skipForbidden?: boolean;
  /** Called before the commit. An error that it throws refuses the change. */
  readonly before?: ((changed: ChangedMetadata) => Promise<void>) | undefined;
}

/** The request, or how it follows from the state. */
export type RequestOrMaker = MetadataRequest | ((state: MetadataState) => MetadataRequest);

/** Changes the metadata of an entity, as one change set in one commit. The caller has the level on the entity. */
export async function changeMetadata(
  parts: ChangeParts,
  resource: MetadataResource,
  call: Caller,
  owner: MetadataOwner,
  request: RequestOrMaker,
  { skipForbidden = false, before }: ChangeOptions = {},
): Promise<ChangedMetadata> {
  const rights = { asker: await askerOf(call), skipForbidden };
  return inTurnOf(parts, resource, call, owner, async () => {
    // The answer needs the names, and a change of the metadata does not change them.
    const [prepared, inheritable] = await Promise.all([
      prepareRequests(parts, owner, [{ by: subjectOf(call).name, request }], rights),
      owner.kind === 'item' ? inheritableNames(parts.store) : [],
    ]);
    const changed = { owner, prepared, inheritable };
    await before?.(changed);
    await commitChange(parts, call, owner, prepared);
    return changed;
  });
}

/** Serialises changes of one entity. Rights are checked again after waiting. */
export const inTurnOf = <T>(
  parts: Pick<ChangeParts, 'store' | 'sharesWork'>,
  resource: MetadataResource,
  call: Caller,
  owner: MetadataOwner,
  decide: () => Promise<T>,
): Promise<T> =>
  changeInTurn(parts, owner, async (waited) => {
    if (waited) await resource.entity?.('WRITE').find(owner.id, call, {});
    return decide();
  });

/** Commits with guards: no other user holds a lock on the entity or on the fields. */
export async function commitChange(
  { clock }: ChangeParts,
  call: Caller,
  owner: MetadataOwner,
  work: CommitPlan & { readonly fields: readonly string[] },
  guards: readonly Statement[] = [],
): Promise<void> {
  if (work.changes.length === 0) return;
  const { fields, touches = [] } = work;
  const now = clock.now();
  const unlocked = [
    ...(owner.kind === 'item' ? [unlockedFor(call, owner.id, now)] : []),
    expectUnlocked(owner, subjectOf(call).name, fields, now),
  ];
  await call.commit({ changes: [...guards, ...unlocked, ...work.changes], events: work.events, touches });
}
