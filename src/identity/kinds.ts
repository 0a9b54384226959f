import type { Store } from '../core/store/store.ts';
import type { EntityKind } from '../room/entity.ts';
import { findGroup, type GroupRow, groupMustExist } from './groups/store.ts';
import { findUser, type UserRow, userMustExist } from './users/store.ts';

/** The kinds of entities of this room. Events call a user and a group by name. */

export const userKind = (store: Store): EntityKind<UserRow> => ({
  type: 'user',
  noun: 'User',
  find: (name) => findUser(store, { name }),
  mustExist: userMustExist,
  nameInEvents: ({ name }) => name,
});

export const groupKind = (store: Store): EntityKind<GroupRow> => ({
  type: 'group',
  noun: 'Group',
  find: (name) => findGroup(store, { name }),
  mustExist: groupMustExist,
  nameInEvents: ({ name }) => name,
});
