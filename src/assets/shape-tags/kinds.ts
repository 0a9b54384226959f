import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { findTag, tagMustExist } from './store.ts';

/** Its name is its id. */
export const shapeTagKind = (reader: Reader): EntityKind => ({
  type: 'shape-tag',
  noun: 'shape-tag',
  async find(name) {
    return (await findTag(reader, { name })) && { id: name };
  },
  mustExist: tagMustExist,
});
