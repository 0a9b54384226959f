import { type Call, caller } from '../../http/call.ts';
import type { Params } from '../../http/route.ts';
import type { House } from '../../room/house.ts';
import type { Work } from '../../store/contract.ts';
import { askerOf } from '../definitions/access/rights.ts';
import { unlockedFor } from '../items/lock/rules.ts';
import { changeInTurn } from '../turns.ts';
import { expectUnlocked } from './locks/rules.ts';
import type { State } from './merge/state.ts';
import type { Wish } from './merge/wish.ts';
import type { MetadataPlace } from './places.ts';
import type { Owner } from './store.ts';
import { type MetadataParts, type PreparedMetadata, prepareWishes } from './write.ts';

export type ChangeParts = MetadataParts & Pick<House, 'commit' | 'sharesWork'>;

export interface ChangedMetadata {
  readonly owner: Owner;
  readonly prepared: PreparedMetadata;
}

/** Is told of a change before its commit. What it throws refuses the change. */
export type BeforeCommit = (changed: ChangedMetadata) => Promise<void>;

/** What a caller wants of the metadata that a path names, as one change set and one commit. */
export async function changeMetadata(
  parts: ChangeParts,
  place: MetadataPlace,
  call: Call,
  params: Params,
  wish: Wish | ((state: State) => Wish),
  skipForbidden = false,
  before?: BeforeCommit,
): Promise<ChangedMetadata> {
  const rights = { asker: await askerOf(call), skipForbidden };
  return inTurnOf(parts, place, call, params, async (owner) => {
    const prepared = await prepareWishes(parts, owner, [{ by: caller(call).name, wish }], rights);
    const changed = { owner, prepared };
    await before?.(changed);
    await commitChange(parts, place, call, owner, prepared);
    return changed;
  });
}

/** Changes of one entity run one after the other. Those that waited look anew whether they may. */
export async function inTurnOf<T>(
  parts: Pick<ChangeParts, 'store' | 'sharesWork'>,
  place: MetadataPlace,
  call: Call,
  params: Params,
  decide: (owner: Owner) => Promise<T>,
): Promise<T> {
  const find = () => place.find(call, params, 'WRITE');
  const found = await find();
  return changeInTurn(parts, found, async (waited) => decide(waited ? await find() : found));
}

/** A commit that holds as long as the entity is there, and nobody else has locked it or holds its fields. */
export async function commitChange(
  { clock, commit }: ChangeParts,
  place: MetadataPlace,
  call: Call,
  owner: Owner,
  work: Work & { readonly fields: readonly string[] },
): Promise<void> {
  if (work.changes.length === 0) return;
  const { fields, touches = [] } = work;
  const now = clock.now();
  const guards = [
    ...place.mustExist(owner),
    ...(owner.kind === 'item' ? [unlockedFor(call, owner.id, now)] : []),
    expectUnlocked(owner, caller(call).name, fields, now),
  ];
  await commit({ changes: [...guards, ...work.changes], events: work.events, touches }, call);
}
