const both = (...areas: readonly string[]): readonly string[] =>
  areas.flatMap((area) => [`${area}_read`, `${area}_write`]);

/** Bundles by what people do, with their roles without underscore. A role is in one bundle, or among the rest. */
const rolesOf = {
  look: [
    ...['user', 'item_read', 'item_id_read', 'item_search', 'item_uri', 'item_shape_read', 'shape_read'],
    ...['metadata_read', 'metadata_field_read', 'metadata_field_group_read', 'metadata_global_read'],
    ...['metadata_dataset_read', 'collection_read', 'library_read', 'thumbnail_read', 'shape_tag_read'],
    ...['document_read', 'sequence_read', 'deletion_lock_read', 'metadata_lock_read'],
  ],
  comment: ['annotation_write'],
  approve: ['approval_write'],
  share: both('share'),
  upload: ['import'],
  describe: [
    'item_write',
    'metadata_write',
    'metadata_lock_write',
    'document_write',

    'projection_read',
  ],
  collect: ['collection_write', 'library_write', 'sequence_write'],
  formats: ['item_shape_write', 'shape_write', 'thumbnail_write'],
  export: ['export'],
  access: [...both('accesscontrol'), 'usage_write'],
  fields: [
    ...['metadata_field_write', 'metadata_field_group_write', 'metadata_global_write', 'metadata_dataset_write'],
    ...['shape_tag_write', 'projection_write', 'deletion_lock_write', ...both('auto_projection', 'site_rule')],
  ],
  run: [
    ...both('storage', 'storage_group', 'storage_rule', 'file', 'job', 'resource', 'quota'),
    ...[...both('taskdefinition', 'vxa'), 'configuration_read', 'event_read'],
  ],
  people: ['user_read', ...both('group')],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Bundle = keyof typeof rolesOf;

export const bundles: readonly (readonly [name: Bundle, roles: readonly string[]])[] = Object.entries(rolesOf).map(
  ([name, roles]) => [name as Bundle, roles.map((role) => `_${role}`)],
);

export interface BundleState {
  readonly name: Bundle;
  readonly roles: readonly string[];
  readonly has: number;
  /** Whether other groups give all of it. */
  readonly isFixed: boolean;
}

/** Bundles by the roles of the service. `own`: those of the group, `inherited`: those of groups that it is in. */
export const statesOf = (
  offered: readonly string[],
  own: ReadonlySet<string>,
  inherited: ReadonlySet<string>,
): readonly BundleState[] =>
  bundles
    .map(([name, all]) => {
      const roles = all.filter((role) => offered.includes(role));
      const has = roles.filter((role) => own.has(role) || inherited.has(role)).length;
      return { name, roles, has, isFixed: roles.every((role) => inherited.has(role)) };
    })
    .filter(({ roles }) => roles.length > 0);

/** Own roles with what was chosen since: `true` gives a role, `false` takes it. */
export const chosen = (before: ReadonlySet<string>, choices: ReadonlyMap<string, boolean>): ReadonlySet<string> =>
  new Set([...before, ...choices.keys()].filter((role) => choices.get(role) ?? before.has(role)));

export interface RoleChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const changeOf = (before: ReadonlySet<string>, after: ReadonlySet<string>): RoleChange => ({
  add: [...after].filter((role) => !before.has(role)),
  remove: [...before].filter((role) => !after.has(role)),
});

/** Bundles of which a change touches all that it names, and the roles in none of those. */
export function namesOf(change: readonly string[], states: readonly BundleState[]): readonly (Bundle | string)[] {
  const touched = states.filter(({ roles }) => roles.some((role) => change.includes(role)));
  const whole = touched.filter(({ roles, has }) => has === 0 || has === roles.length);
  const named = whole.flatMap(({ roles }) => roles);
  return [...whole.map(({ name }) => name), ...change.filter((role) => !named.includes(role))];
}
