import { existing } from '../../core/lib/checks.ts';
import type { Reader } from '../../core/store/statement.ts';
import { date, text } from '../../http/parameters/index.ts';
import { roleMissing } from '../../http/route.ts';
import { noSuchUser } from '../../identity/public.ts';
import { findUser } from '../../identity/public-reading.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';

/** Age and owner of an item or collection that comes from another system. */
export interface Origin {
  /** Undefined: created now. */
  readonly created?: number | undefined;
  /** Undefined: the caller. */
  readonly owner?: { readonly id: string; readonly name: string } | undefined;
}

export const originParameters = {
  created: date('When it was created, if it comes from another system. Only for administrators'),
  owner: text('The user who owns it, if it comes from another system. Only for administrators'),
};

export async function originFrom(
  reader: Reader,
  call: Caller,
  { created, owner }: { readonly created: number | undefined; readonly owner: string | undefined },
): Promise<Origin> {
  if (created === undefined && owner === undefined) return {};
  if (!(await subjectOf(call).has(administrator))) throw roleMissing(administrator);
  const user = owner === undefined ? undefined : existing(await findUser(reader, { name: owner }), noSuchUser, owner);
  return { created, owner: user };
}
