import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { findTag, tagMustExist } from './store.ts';

/** Shape tags as entities, with the name as id. */
export const shapeTagKind = (reader: Reader): EntityKind => ({
  type: 'shape-tag',
  noun: 'shape-tag',
  async find(name) {
    return (await findTag(reader, { name })) && { id: name };
  },
  mustExist: tagMustExist,
});
