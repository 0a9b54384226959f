import { tableConcern } from '../../../core/store/contract.ts';

/** Tables whose changes may change what a rule counts, through the triggers of the migrations. A test compares them. */
export const countedTables = [
  'access_entry',
  'collection_member',
  'file',
  'file_use',
  'group',
  'group_group',
  'group_user',
  'item',
  'library_item',
  'quota_counting',
  'quota_counting_file',
  'quota_rule',
  'shape_tagged',
  'storage_group_member',
] as const;

/** Concerns of the rules' participant. Commits without these tables have no overhead. */
export const countedConcerns: readonly string[] = countedTables.map(tableConcern);
