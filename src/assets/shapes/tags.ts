import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import type { Entity, EntityKind } from '../../room/entity.ts';
import { noSuchTag, original } from './rules.ts';
import { findTag, knownTags, putTag, removeTagRow, type TagRow, tagMustExist } from './store.ts';

/** Original form of a preset. */
interface StoredPreset {
  readonly form: 'xml' | 'json';
  readonly text: string;
}

/** Paths below `/shape-tag` that are not tags. */
const reserved = new Set(['storage-rule', 'notification']);

/** Refuses invalid names. The tag need not exist: shapes may use one without a preset. */
export function checkTagName(name: string): void {
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(name) && !reserved.has(name)) return;
  throw refused(name, 'Expected 1 to 64 letters, digits, hyphens, dots and underlines');
}

/** Creates a tag, or replaces its preset. */
export function setTag(name: string, { form, text }: StoredPreset): CommitPlan {
  checkTagName(name);
  requireOwn(name);
  return changing(putTag({ name, form, document: text }));
}

/** Deletes a tag. Shapes keep its name. */
export function deleteTag(name: string): CommitPlan {
  requireOwn(name);
  if (name === original) throw refused(name, 'Expected another tag than that of the first shapes of items');
  return changing(tagMustExist(name, noSuchTag(name)), removeTagRow({ name }), ...forgetEntity('shape-tag', name));
}

/** Refuses names with two leading underlines, which are predefined. */
function requireOwn(name: string): void {
  if (name.startsWith('__')) throw refused(name, 'Expected a name that does not begin with two underlines');
}

const refused = (name: string, explanation: string): ServiceError =>
  new ServiceError('bad-value', { context: 'path', explanation, value: name.slice(0, 80) });

/** Shape tags as entities, with the name as id. */
export const shapeTagKind = (reader: Reader): EntityKind<Entity & TagRow> => ({
  type: 'shape-tag',
  noun: 'shape-tag',
  async find(name) {
    const row = await findTag(reader, { name });
    return row && { ...row, id: name };
  },
  mustExist: tagMustExist,
});

/** Refuses unknown tags. Returns guards that they still exist in the commit. */
export async function requireTags(reader: Reader, tags: readonly string[]): Promise<readonly Statement[]> {
  if (tags.length === 0) return [];
  const existing = new Set((await knownTags(reader, { names: tags })).map(({ name }) => name));
  const missing = tags.find((tag) => !existing.has(tag));
  if (missing !== undefined) throw noSuchTag(missing);
  return tags.map((tag) => tagMustExist(tag, noSuchTag(tag)));
}
