import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { findItem, type ItemRow, itemMustExist } from './store.ts';

export const itemKind = (reader: Reader): EntityKind<ItemRow> => ({
  type: 'item',
  noun: 'Item',
  find: (id) => findItem(reader, { id }),
  mustExist: itemMustExist,
});
