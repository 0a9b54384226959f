import { type Call, caller } from '../../http/call.ts';
import type { Params } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { House } from '../../room/house.ts';
import type { Work } from '../../store/contract.ts';
import { askerOf } from '../definitions/access/rights.ts';
import { expectUnlocked } from './locks/rules.ts';
import type { State } from './merge/state.ts';
import type { Wish } from './merge/wish.ts';
import type { MetadataPlace } from './places.ts';
import type { Owner } from './store.ts';
import { type MetadataParts, type PreparedMetadata, prepareWishes } from './write.ts';

type Parts = MetadataParts & Pick<House, 'commit'>;

export interface ChangedMetadata {
  readonly owner: Owner;
  readonly prepared: PreparedMetadata;
}

/** What a caller wants of the metadata that a path names, as one change set and one commit. */
export async function changeMetadata(
  parts: Parts,
  place: MetadataPlace,
  call: Call,
  params: Params,
  wish: Wish | ((state: State) => Wish),
  skipForbidden = false,
): Promise<ChangedMetadata> {
  const rights = { asker: await askerOf(call), skipForbidden };
  return retryWhenChanged(async () => {
    const owner = await place.find(call, params, 'WRITE');
    const prepared = await prepareWishes(parts, owner, [{ by: caller(call).name, wish }], rights);
    await commitChange(parts, place, call, owner, prepared);
    return { owner, prepared };
  });
}

/** A commit that holds as long as the entity is there, and nobody else holds its fields. */
export async function commitChange(
  { clock, commit }: Parts,
  place: MetadataPlace,
  call: Call,
  owner: Owner,
  work: Work & { readonly fields: readonly string[] },
): Promise<void> {
  if (work.changes.length === 0) return;
  const { fields, touches = [] } = work;
  const guards = [...place.mustExist(owner), expectUnlocked(owner, caller(call).name, fields, clock.now())];
  await commit({ changes: [...guards, ...work.changes], events: work.events, touches }, call);
}
