import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Entity, EntityKind } from '../../../room/entity.ts';
import { noSuchTag } from '../rules.ts';
import { findTag, knownTags, type TagRow, tagMustExist } from './store.ts';

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
