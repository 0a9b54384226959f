/** Read and write come in pairs for these. */
const readAndWrite = [
  'accesscontrol',
  'auto_projection',
  'collection',
  'deletion_lock',
  'document',
  'file',
  'group',
  'item_shape',
  'job',
  'library',
  'metadata',
  'metadata_field',
  'metadata_field_group',
  'metadata_global',
  'metadata_lock',
  'quota',
  'resource',
  'sequence',
  'shape',
  'shape_tag',
  'site_rule',
  'storage',
  'storage_group',
  'storage_rule',
  'taskdefinition',
  'thumbnail',
  'vxa',
];

/** Kinds of notification, each with its own pair. */
const notified = [
  'collection',
  'deletion_lock',
  'document',
  'file',
  'group',
  'item',
  'job',
  'placeholder',
  'quota',
  'storage',
];

const pair = (area: string): string[] => [`_${area}_read`, `_${area}_write`];

/** Every role of this release, as data: initialisation creates those that are missing. */
export const releaseRoles: readonly string[] = [
  '_administrator',
  '_runas',
  '_user',
  '_user_read',
  '_user_metadata_write',
  '_configuration_read',
  '_event_read',
  '_export',
  '_import',
  '_item_id_read',
  '_item_read',
  '_item_search',
  '_item_uri',
  '_item_write',
  ...readAndWrite.flatMap(pair),
  ...notified.map((kind) => `${kind}_notification`).flatMap(pair),
].sort();
