import type { Call } from '../../http/call.ts';
import { type HeldJob, JobFails } from '../../jobs/job-type.ts';
import { Subject } from '../../security/subject.ts';
import type { LibraryParts } from './parts.ts';
import { userWithId } from './store.ts';

/** A user beside its requests, as rights are asked for. Undefined: the user is gone or disabled. */
export async function callerNamed(
  { offices }: Pick<LibraryParts, 'offices'>,
  name: string | undefined,
): Promise<Call | undefined> {
  if (name === undefined) return undefined;
  const users = offices.directory.open({});
  const user = await users.find(name);
  // Rights depend on the subject of a call, and on nothing else of it.
  return user?.enabled ? ({ subject: new Subject({ name: user.name }, user, users) } as Call) : undefined;
}

/** Who started a job. Each step asks again, so rights that were taken away meanwhile count. */
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
