import type { Store } from '../core/store/store.ts';
import { outlastsActing } from '../http/acting.ts';
import { type Access, type AccessCheck, access, type Params, roleMissing, segment } from '../http/route.ts';
import { type Caller, subjectOf } from '../security/caller.ts';
import { findUser } from './users/store.ts';

/** The user that the path names, by name or by alias, or a caller with the role. */
export const roleOrOwn = (role: string, store: Store): Access =>
  access({ role, orSelf: { param: 'name' } }, async (call, params) => {
    const subject = subjectOf(call);
    if (subject.name === params['name'] || (await subject.has(role))) return;
    if (!(await isOwn(store, call, params))) throw roleMissing(role);
  });

/** A caller that only acts for a user changes the account of that user, and no other account. */
export const onlyOwnAccount =
  (store: Store): AccessCheck =>
  async (call, params) => {
    if (!(await isOwn(store, call, params)))
      throw outlastsActing('the path names another account than that of the user');
  };

async function isOwn(store: Store, call: Caller, params: Params): Promise<boolean> {
  const { user } = subjectOf(call);
  if (!user) return false;
  return user.name === params['name'] || (await findUser(store, { name: segment(params, 'name') }))?.id === user.id;
}
