import type { Call } from '../../http/call.ts';
import { type HeldJob, JobFails } from '../../jobs/job-type.ts';
import { Subject } from '../../security/subject.ts';
import type { LibraryParts } from './parts.ts';
import { userWithId } from './store.ts';

/** Caller for checking rights outside of a request. Undefined: the user was deleted or disabled. */
export async function callerNamed(
  { offices }: Pick<LibraryParts, 'offices'>,
  name: string | undefined,
): Promise<Call | undefined> {
  if (name === undefined) return undefined;
  const users = offices.directory.open({});
  const user = await users.find(name);
  // Rights depend only on the subject of a call.
  return user?.enabled ? ({ subject: new Subject({ name: user.name }, user, users) } as Call) : undefined;
}

/** User who started a job. Each step reads the user again, so that revoked rights take effect. */
export async function callOfUser(parts: Pick<LibraryParts, 'offices'>, { user }: Pick<HeldJob, 'user'>): Promise<Call> {
  const call = await callerNamed(parts, user);
  if (call) return call;
  throw new JobFails(`Expected a user that is enabled: "${user ?? ''}"`);
}

export async function callerWithId(
  parts: Pick<LibraryParts, 'store' | 'offices'>,
  userId: string | null,
): Promise<Call | undefined> {
  const [named] = userId === null ? [] : await userWithId(parts.store, { id: userId });
  return callerNamed(parts, named?.name);
}
