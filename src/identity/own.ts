import { caller } from '../http/call.ts';
import { type Access, roleMissing } from '../http/route.ts';
import type { Store } from '../store/store.ts';
import { findUser } from './users/store.ts';

/** The user whom the path names, by name or by alias, or whoever has the role. */
export const roleOrOwn =
  (role: string, store: Store): Access =>
  async (call, params) => {
    const subject = caller(call);
    const name = params['name']!;
    if (subject.name === name || (await subject.has(role))) return;
    const named = subject.user && (await findUser(store, { name }));
    if (!named || named.id !== subject.user?.id) throw roleMissing(role);
  };
