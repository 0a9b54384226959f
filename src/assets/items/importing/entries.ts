import type { CommitPlan } from '../../../core/store/contract.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { addEntries, entryWish, type Grantor, grantorOf } from '../../access/public.ts';
import type { AccessTarget } from '../../access/public-reading.ts';
import { askerOf, type FieldReader } from '../../definitions/public-reading.ts';
import type { ItemsContext } from '../settings.ts';
import { everybody, newItemAccess } from './access/store.ts';
import { profileNamed, settingsOf, stillThere } from './settings/store.ts';

/** User or service that creates an item. */
export interface Creator {
  readonly name: string;
  /** Undefined: unknown to the service. */
  readonly userId: string | undefined;
  readonly grantor: Grantor;
  /** User whose rights in fields count. Undefined: the service itself creates the item. */
  readonly asker?: FieldReader;
}

export async function creatorOf(call: Caller): Promise<Creator> {
  const { name, user } = subjectOf(call);
  return { name, userId: user?.id, grantor: await grantorOf(call), asker: await askerOf(call) };
}

/** Entries of a new item besides OWNER: the defaults of its creator and of everybody, and those of a profile. */
export async function firstEntries(
  { store }: ItemsContext,
  { userId, grantor }: Creator,
  place: AccessTarget,
  settings: string | undefined,
): Promise<CommitPlan> {
  const groups = await newItemAccess(store, { userId: userId ?? everybody });
  const profile =
    settings === undefined ? [] : (settingsOf((await profileNamed(store, settings)).document).access ?? []);
  const ofGroups = groups.map(({ name, permission }) => ({ group: name, permission }));
  const documents = [...ofGroups, ...(await stillThere(store, profile))];
  const wishes = documents.map((each) => entryWish(each, '/ImportSettingsDocument/access'));
  return addEntries(store, place, wishes, grantor);
}
