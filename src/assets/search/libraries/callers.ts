import type { Actor } from '../../../core/store/contract.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import { type Caller, changeAsCaller } from '../../../security/caller.ts';
import { Subject } from '../../../security/subject.ts';
import type { LibraryParts } from './parts.ts';
import { userWithId } from './store.ts';

type Parts = Pick<LibraryParts, 'store' | 'clock' | 'services'>;

/** User as a caller, outside of a request. Undefined: the user was deleted or disabled. */
export async function callerNamed(
  { store, clock, services }: Parts,
  name: string | undefined,
  actor?: Actor,
): Promise<Caller | undefined> {
  if (name === undefined) return undefined;
  const users = services.directory.open({});
  const user = await users.find(name);
  if (!user?.enabled) return undefined;
  const own = actor ?? { user: user.name };
  return {
    subject: new Subject({ name: user.name }, user, users),
    came: clock.now(),
    actor: () => own,
    commit: async (work) => void (await store.commit(work, own)),
    change: changeAsCaller,
    reader: store.reader(user.name),
  };
}

/** User who started a job. Each step reads the user again, so that revoked rights take effect. */
export async function callerOfJob(parts: Parts, { user, actor }: Pick<LeasedJob, 'user' | 'actor'>): Promise<Caller> {
  const caller = await callerNamed(parts, user, actor);
  if (caller) return caller;
  throw new JobFails(`Expected a user that is enabled: "${user ?? ''}"`);
}

/** Lets a step ask for the rights of the user of its job. A job of the service itself is not asked. */
export async function askUserOfJob(
  parts: Parts,
  job: Pick<LeasedJob, 'user' | 'actor'>,
  ask: (call: Caller) => Promise<void>,
): Promise<void> {
  if (job.user !== undefined) await ask(await callerOfJob(parts, job));
}

export async function callerWithId(parts: Parts, userId: string | null): Promise<Caller | undefined> {
  const [named] = userId === null ? [] : await userWithId(parts.store, { id: userId });
  return callerNamed(parts, named?.name);
}
