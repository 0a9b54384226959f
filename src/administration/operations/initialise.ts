import { insertReleaseField } from '../../assets/definitions/public-reading.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type Actor, type CommitPlan, systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import { createUser, putGroupIn, putNothing } from '../../identity/public.ts';
import { findGroup } from '../../identity/public-reading.ts';
import { defaultTagRows } from '../../production/transcoding/public.ts';
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
  await store.commit(changing(...roleRows, ...fieldRows, ...defaultTagRows()), actor);
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

interface ReadyMadeGroup {
  readonly name: string;
  readonly description: string;
  /** The group whose rights it has, too. */
  readonly within?: string;
  /** Without the underline at their beginning. */
  readonly roles: readonly string[];
}

const both = (...areas: readonly string[]): readonly string[] =>
  areas.flatMap((area) => [`${area}_read`, `${area}_write`]);

/**
 * Groups by what people do. None has `_administrator`, `_runas` or a role that gives rights to others, and only
 * operators read files past the access entries of items.
 */
export const readyMadeGroups: readonly ReadyMadeGroup[] = [
  {
    name: 'viewer',
    description: 'Finds, watches and reads items, collections and libraries',
    roles: [
      ...['user', 'item_read', 'item_id_read', 'item_search', 'item_uri', 'item_shape_read', 'shape_read'],
      ...['metadata_read', 'metadata_field_read', 'metadata_field_group_read', 'metadata_global_read'],
      ...['metadata_dataset_read', 'collection_read', 'library_read', 'thumbnail_read', 'shape_tag_read'],
      ...['document_read', 'sequence_read', 'deletion_lock_read', 'metadata_lock_read'],
    ],
  },
  {
    name: 'reviewer',
    description: 'Watches, comments, and approves versions',
    within: 'viewer',
    roles: ['annotation_write', 'approval_write'],
  },
  {
    name: 'editor',
    description: 'Imports, describes, cuts and exports, and shares by links',
    within: 'viewer',
    roles: [
      ...['import', 'export', 'item_write', 'item_shape_write', 'shape_write', 'metadata_write', 'thumbnail_write'],
      ...['collection_write', 'library_write', 'sequence_write', 'document_write', 'metadata_lock_write'],
      ...['annotation_write', 'projection_read', ...both('accesscontrol', 'share')],
    ],
  },
  {
    name: 'librarian',
    description: 'Defines fields, groups, presets, projections and what may be deleted, and approves versions',
    within: 'editor',
    roles: [
      ...['metadata_field_write', 'metadata_field_group_write', 'metadata_global_write', 'metadata_dataset_write'],
      ...[
        'shape_tag_write',
        'projection_write',
        'deletion_lock_write',
        'usage_write',
        'approval_write',
        ...both('auto_projection', 'site_rule'),
      ],
      ...['user_read', 'group_read', 'storage_read', 'storage_rule_read'],
    ],
  },
  {
    name: 'operator',
    description: 'Keeps storages, files, jobs and quotas, and looks at the configuration',
    within: 'viewer',
    roles: [
      ...both('storage', 'storage_group', 'storage_rule', 'file', 'job', 'resource', 'quota'),
      ...['taskdefinition_read', 'vxa_read', 'configuration_read', 'event_read', 'user_read', 'group_read'],
    ],
  },
];

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  /** Roles of this release: those of an extension that is left out are missing. */
  readonly roles: readonly string[];
}

/**
 * Creates missing groups. An existing group with the name stays as it is, since a user may have made it. Returns the
 * created ones.
 */
export async function makeReadyMadeGroups(
  { store, clock, roles: known }: Parts,
  commit: (work: CommitPlan) => Promise<unknown>,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name, description, within, roles } of readyMadeGroups) {
    if (await findGroup(store, { name })) continue;
    const add = [
      ...(within === undefined ? [] : [within]),
      ...roles.map((role) => `_${role}`).filter((role) => known.includes(role)),
    ];
    const command = { ...putNothing(name), description, parents: { add, remove: [] } };
    const by = { administers: true, onlyActs: false };
    await putGroupIn(store, { command, expected: 'either', by, now: () => clock.now() }, { commit });
    names.push(name);
  }
  return names;
}
