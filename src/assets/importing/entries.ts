import { type Call, caller } from '../../http/call.ts';
import type { Work } from '../../store/contract.ts';
import { addEntries, grantorOf } from '../access/entries/change.ts';
import { wishFrom } from '../access/entries/rules.ts';
import type { Place } from '../access/levels.ts';
import type { AssetParts } from '../parts.ts';
import { importAccessOf } from './access/store.ts';
import { profileNamed, stillThere } from './settings/store.ts';

/** What a new item gets beside its OWNER entry: the entries of its creator's choice, and those of a profile. */
export async function firstEntries(
  { store }: AssetParts,
  call: Call,
  place: Place,
  settings: string | undefined,
): Promise<Work> {
  const { user } = caller(call);
  const groups = user ? await importAccessOf(store, { userId: user.id }) : [];
  const profile = settings === undefined ? [] : ((await profileNamed(store, settings)).access ?? []);
  const given = groups.map(({ name, permission }) => ({ group: name, permission }));
  const documents = [...given, ...(await stillThere(store, profile))];
  const wishes = documents.map((each) => wishFrom(each, '/ImportSettingsDocument/access'));
  return addEntries(store, place, wishes, await grantorOf(call));
}
