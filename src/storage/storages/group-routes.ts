import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { answer } from '../../http/answers.ts';
import { badParameter, page, pageOf } from '../../http/parameters/index.ts';
import { type Route, route, segment } from '../../http/route.ts';
import { checkName } from '../../identity/public-reading.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import { storageGroupDocument, storageGroupListDocument } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { loadStorages, storageFrom } from './documents.ts';
import { readGroup, storageNamed, writeGroup } from './entity.ts';
import {
  addStorageToGroup,
  findStorageGroup,
  groupMustExist,
  insertStorageGroup,
  listStorageGroups,
  membersOfAll,
  removeGroup,
  removeStorageFromGroup,
  storagesOfGroup,
} from './groups-sql.ts';
import { checkStoragePage } from './list-sql.ts';
import { noSuchStorage } from './rules.ts';
import { storageThere } from './store.ts';

/** Creates the group, unless it exists. */
function createStorageGroup(name: string, now: number): CommitPlan {
  checkName(name, 'path');
  // In lists of names a leading hyphen means "not", and a comma separates.
  if (name.startsWith('-') || name.includes(',')) throw badValue('path', 'no comma, and no hyphen in front', name);
  return changing(insertStorageGroup({ name, now }));
}

const deleteStorageGroup = (name: string): CommitPlan =>
  changing(
    groupMustExist(name, noSuchStorageGroup(name)),
    ...removeGroup.map((statement) => statement({ name })),
    ...forgetEntity('storage-group', name),
  );

const joinStorageGroup = (name: string, storageId: string): CommitPlan =>
  changing(...bothThere(name, storageId), addStorageToGroup({ name, storageId }));

const leaveStorageGroup = (name: string, storageId: string): CommitPlan =>
  changing(...bothThere(name, storageId), removeStorageFromGroup({ name, storageId }));

const bothThere = (name: string, storageId: string) => [
  groupMustExist(name, noSuchStorageGroup(name)),
  storageThere({ id: storageId }, noSuchStorage(storageId)),
];

export const noSuchStorageGroup = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-group', id: name.slice(0, 80) });

export function storageGroupRoutes(parts: StorageParts): readonly Route[] {
  const { store, clock, settings } = parts;
  const path = '/storage/storage-group';

  /** A route that changes what the path names, and answers nothing. */
  const writing = (
    row: { readonly method: 'PUT' | 'DELETE'; readonly path: string; readonly says: string },
    decide: (group: string, storage: string) => CommitPlan,
  ): Route =>
    route({
      ...row,
      access: writeGroup,
      acting: 'allowed',
      async handle(call, params) {
        const storage = params['storage'];
        const id = storage === undefined ? '' : (await storageNamed(store, storage)).id;
        await call.commit(decide(segment(params, 'group'), id));
      },
    });

  return [
    route({
      method: 'GET',
      path,
      says: 'The storage groups ordered by name, with the ids of their storages.',
      query: page(settings.maxPage),
      answers: answer(storageGroupListDocument, { list: 'group' }),
      access: readGroup,
      async handle(call) {
        const { reader } = call;
        const names = (await listStorageGroups(reader, { ...pageOf(call.query) })).map(({ name }) => name);
        const max = settings.maxPageValues;
        const members = await membersOfAll(reader, { names, limit: max + 1 });
        if (members.length > max) {
          throw badParameter('number', `Expected a smaller page: its groups have more than ${max} storages`);
        }
        const byGroup = groupBy(members, (member) => member.group);
        const group = names.map((name) => ({ name, storage: (byGroup.get(name) ?? []).map(({ id }) => ({ id })) }));
        return { group };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:group`,
      says: 'One storage group with its storages.',
      query: page(settings.maxPage),
      answers: answer(storageGroupDocument, { list: 'storage' }),
      access: readGroup,
      async handle(call, { group: name }) {
        const { reader } = call;
        if (!(await findStorageGroup(reader, { name }))) throw noSuchStorageGroup(name);
        const ids = (await storagesOfGroup(reader, { name, ...pageOf(call.query) })).map(({ id }) => id);
        await checkStoragePage(reader, ids, settings.maxPageValues);
        const storage = (await loadStorages(reader, ids)).map(storageFrom);
        const data = (await keyValuesOf(reader, 'storage-group', [name])).get(name) ?? [];
        return { name, data: data.map(({ key, value }) => ({ key, value })), storage };
      },
    }),
    writing(
      { method: 'PUT', path: `${path}/:group`, says: 'Creates a storage group. An existing group stays as it is.' },
      (name) => createStorageGroup(name, clock.now()),
    ),
    writing(
      { method: 'DELETE', path: `${path}/:group`, says: 'Removes a storage group. Its storages stay.' },
      deleteStorageGroup,
    ),
    writing(
      { method: 'PUT', path: `${path}/:group/:storage`, says: 'Adds a storage to a storage group.' },
      joinStorageGroup,
    ),
    writing(
      { method: 'DELETE', path: `${path}/:group/:storage`, says: 'Removes a storage from a storage group.' },
      leaveStorageGroup,
    ),
  ];
}
