import type { ItemType, SessionDocument } from 'portico/types';
import { me } from './api/session.ts';

/**
 * Actions of the page, each with the route that it needs. The role of a route is that of `x-role` in openapi.json: a test
 * compares them.
 */
export const rights = {
  'item.search': ['PUT /item', '_item_search'],
  'item.read': ['GET /item/{item}', '_item_read'],
  'item.metadata': ['GET /item/{item}/metadata', '_metadata_read'],
  'item.shapes': ['GET /item/{item}/shape', '_item_shape_read'],
  'item.pictures': ['GET /item/{item}/thumbnail/spritesheet', '_thumbnail_read'],
  'item.analyze': ['POST /item/{item}/analyze', '_job_write'],
  'item.grant': ['POST /item/{item}/access', '_accesscontrol_write'],
  'item.edit': ['PUT /item/{item}/metadata', '_metadata_write'],
  'item.delete': ['DELETE /item/{item}', '_item_write'],
  'item.transcode': ['POST /item/{item}/transcode', '_item_shape_write'],
  'item.export': ['POST /item/{item}/export', '_export'],
  'item.restore': ['PUT /item/{item}/restore', '_item_write'],
  'item.access': ['GET /item/{item}/access', '_accesscontrol_read'],
  'comment.read': ['GET /item/{item}/annotation', '_item_read'],
  'comment.write': ['POST /item/{item}/annotation', '_annotation_write'],
  'approval.read': ['GET /item/{item}/shape/version/{version}/approval', '_item_shape_read'],
  'approval.write': ['PUT /item/{item}/shape/version/{version}/approval', '_approval_write'],
  'tag.read': ['GET /shape-tag', '_shape_tag_read'],
  'field.read': ['GET /metadata-field', '_metadata_field_read'],
  'field.write': ['PUT /metadata-field/{field}', '_metadata_field_write'],
  'fieldgroup.read': ['GET /metadata-field/field-group', '_metadata_field_group_read'],
  'fieldgroup.write': ['PUT /metadata-field/field-group/{group}', '_metadata_field_group_write'],
  'tag.write': ['PUT /shape-tag/{tag}', '_shape_tag_write'],
  'rule.read': ['GET /shape-tag/storage-rule/{tag}', '_storage_rule_read'],
  'rule.write': ['PUT /shape-tag/storage-rule/{tag}', '_storage_rule_write'],
  'collection.read': ['GET /collection', '_collection_read'],
  'collection.write': ['POST /collection', '_collection_write'],
  'share.read': ['GET /item/{item}/share', '_share_read'],
  'share.write': ['POST /item/{item}/share', '_share_write'],
  'library.read': ['GET /library', '_library_read'],
  'library.write': ['POST /library', '_library_write'],
  upload: ['POST /import/raw', '_import'],
  'job.read': ['GET /job', 'any caller'],
  'job.write': ['POST /job/{job}/re-run', '_job_write'],
  'usage.write': ['PUT /item/{item}/usage', '_usage_write'],
  'embedded.write': ['PUT /import/embedded-metadata', '_administrator'],
  'storage.read': ['GET /storage', '_storage_read'],
  'storage.write': ['POST /storage', '_storage_write'],
  'notification.read': ['GET /storage/notification', '_storage_notification_read'],
  'quota.read': ['GET /quota', '_quota_read'],
  'quota.write': ['POST /quota', '_quota_write'],
  'export.write': ['PUT /export-location/{location}', '_administrator'],
  'settings.read': ['GET /configuration/properties', '_configuration_read'],
  'settings.write': ['PUT /configuration/properties', '_administrator'],
  'health.read': ['GET /work', '_administrator'],
  'runner.write': ['DELETE /runner/{runner}', '_administrator'],
  'runner.pause': ['POST /runner/{runner}/pause', '_administrator'],
  'user.read': ['GET /user', '_user_read'],
  'user.write': ['POST /user', '_administrator'],
  'group.read': ['GET /group', '_group_read'],
  'group.write': ['PUT /group/{name}', '_group_write'],
} as const satisfies Readonly<Record<string, readonly [route: string, role: string]>>;

export type Action = keyof typeof rights;

/** Whether the person has the role of an action. What one item allows is said by its level. */
export const may = (action: Action): boolean => has(rights[action][1]) && (action !== 'upload' || !lacks('storage'));

/** Whether the service does without something that a library needs. */
export const lacks = (what: NonNullable<SessionDocument['lacks']>[number] | 'access'): boolean =>
  what === 'access' ? me.value?.accessDecided === false : (me.value?.lacks?.includes(what) ?? false);

/** Command as it is typed on the machine of the service. */
export const typed = (words: string): string =>
  [me.value?.program ?? 'portico', words, me.value?.programOptions].filter(Boolean).join(' ');

export const has = (role: string): boolean =>
  role === 'any caller' ? me.value !== undefined : (me.value?.role?.includes(role) ?? false);

const levels = ['NONE', 'READ', 'WRITE', 'ALL', 'OWNER'];

/** Whether the caller has at least a level on an item, for its metadata, its shapes, or anything. */
export function reaches({ access = [] }: ItemType, level: string, type = 'GENERIC'): boolean {
  const entry = access.find((each) => each.type === type) ?? access.find((each) => each.type === 'GENERIC');
  return levels.indexOf(entry?.permission ?? 'NONE') >= levels.indexOf(level);
}
