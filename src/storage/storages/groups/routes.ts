import { groupBy } from '../../../core/lib/group-by.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { answer } from '../../../http/answers.ts';
import { badParameter, page, pageOf } from '../../../http/parameters/index.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { storageGroupDocument, storageGroupListDocument } from '../../documents/storage.ts';
import type { MediaParts } from '../../parts.ts';
import { storageFrom } from '../documents.ts';
import { readGroup, storageNamed, writeGroup } from '../kinds.ts';
import { checkStoragePage } from '../list/store.ts';
import { loadStorages } from '../load.ts';
import {
  createStorageGroup,
  deleteStorageGroup,
  joinStorageGroup,
  leaveStorageGroup,
  noSuchStorageGroup,
} from './rules.ts';
import { findStorageGroup, listStorageGroups, membersOfAll, storagesOfGroup } from './store.ts';

export function storageGroupRoutes(parts: MediaParts): readonly Route[] {
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
        const most = settings.maxPageValues;
        const members = await membersOfAll(reader, { names, limit: most + 1 });
        if (members.length > most) {
          throw badParameter('number', `Expected a smaller page: its groups have more than ${most} storages`);
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
