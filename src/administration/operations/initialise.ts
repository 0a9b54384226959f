import { insertReleaseField } from '../../assets/definitions/public-reading.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Actor, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { createUser } from '../../identity/public.ts';
import { usualTagRows } from '../../production/transcoding/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { noKeyValues } from '../../room/entities/key-values/store.ts';
import { insertRole, missingReleaseFields, missingRoles, nobodyYet } from './store.ts';

interface Initialised {
  readonly roles: readonly string[];
  readonly fields: readonly string[];
}

type Release = Pick<RoomContext, 'store' | 'clock' | 'roles' | 'fields'>;

/** Creates what this release brings and the database lacks. Running it again changes nothing. */
export async function initialise({ store, clock, ...release }: Release, actor: Actor): Promise<Initialised> {
  const roles = await missingRoles(store, release.roles);
  const absent = await missingReleaseFields(
    store,
    release.fields.map((field) => field.name),
  );
  const fields = release.fields.filter((field) => absent.has(field.name));
  const createdAt = clock.now();
  const roleRows = await Promise.all(
    roles.map(async (name) => insertRole({ id: await store.nextId('group'), name, createdAt })),
  );
  const fieldRows = fields.map(({ name, type, system }) => insertReleaseField(name, type, system));
  await store.commit(changing(...roleRows, ...fieldRows, ...usualTagRows()), actor);
  return { roles, fields: fields.map((field) => field.name) };
}

/** Creates the user `admin` if there are no users. False: a concurrent start has created it. */
export async function createFirstAdministrator(
  store: Store,
  clock: Clock,
  hash: () => Promise<string>,
): Promise<boolean> {
  const id = await store.nextId('user');
  const command = {
    name: 'admin',
    realName: 'Administrator',
    password: await hash(),
    aliases: [],
    groups: ['_administrator'],
    metadata: noKeyValues,
    // Clients log in as other users with this account.
    runAs: true,
  };
  const work = createUser(command, id, clock.now());
  const taken = new ServiceError('already-exists', { type: 'User', id: 'admin' });
  try {
    await store.commit({ ...work, changes: [nobodyYet({}, taken), ...work.changes] }, systemActor);
    return true;
  } catch (error) {
    // Conflict: a second instance started on the same database has made the administrator.
    if (error instanceof ServiceError && error.code === 'already-exists') return false;
    throw error;
  }
}
