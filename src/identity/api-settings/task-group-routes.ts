import type { CoreSettings } from '../../core/settings/core.ts';
import type { Statement } from '../../core/store/contract.ts';
import { baseOf } from '../../http/address.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { optional } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { keyValuesFrom, simpleMetadata } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf, setKeyValues } from '../../room/entities/key-values/store.ts';
import type { Entity } from '../../room/entity.ts';
import { type TaskGroup, taskGroupDocument, taskGroupListDocument } from './documents.ts';
import type { ConfigurationParts } from './parts.ts';
import { forgetTaskGroups, storedTaskGroups, taskGroupsName, taskGroupThere } from './store.ts';
import { changeStored } from './stored-rules.ts';
import {
  addTranscoder,
  noSuchTaskGroup,
  putTaskGroup,
  removeTranscoder,
  type StoredTaskGroup,
  taskGroupName,
  taskGroupNamed,
} from './task-group-rules.ts';

const place = '/TaskGroupDocument/metadata/field/key';
const read = role('_resource_read');
const write = role('_resource_write');

/** Wakes the work that starts jobs: another limit may leave a place. */
const jobsMayBegin = { kind: 'job', id: '', aspect: 'due' } as const;

type Parts = Pick<ConfigurationParts, 'store'> & {
  readonly settings: Pick<CoreSettings, 'maxMetadataBytes'>;
};

/** Task groups: which jobs run on which transcoders. */
export function taskGroupRoutes(parts: Parts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/task-group';
  const one = `${path}/:name`;
  const transcoder = `${one}/transcoder/:transcoder`;

  const stored = () => storedTaskGroups(store);

  /** Decides again after a concurrent change of a group. */
  async function change(
    call: Call,
    decide: (groups: readonly StoredTaskGroup[]) => readonly StoredTaskGroup[],
    also: (groups: readonly StoredTaskGroup[]) => readonly Statement[] = () => [],
  ): Promise<void> {
    await call.change(async () => {
      const { revision, groups } = await stored();
      const work = changeStored(taskGroupsName, revision, { group: decide(groups) });
      return { ...work, changes: [...work.changes, ...also(groups)], touches: [jobsMayBegin] };
    });
  }

  const onOne = (call: Call, name: string, turn: (group: StoredTaskGroup) => StoredTaskGroup): Promise<void> =>
    change(call, (groups) => {
      const changed = turn(taskGroupNamed(groups, name));
      return groups.map((each) => (each.name === name ? changed : each));
    });

  async function documentsOf(call: Call, groups: readonly StoredTaskGroup[]): Promise<readonly TaskGroup[]> {
    const names = groups.map(({ name }) => name);
    const metadata = names.length > 0 ? await keyValuesOf(store, taskGroupName.type, names) : undefined;
    return groups.map((group) => {
      const pairs = metadata?.get(group.name) ?? [];
      const loc = `${baseOf(call)}${path}/${encodeURIComponent(group.name)}`;
      return { ...group, loc, ...(pairs.length > 0 && { metadata: simpleMetadata(pairs) }) };
    });
  }

  async function shown(call: Call, name: string): Promise<TaskGroup> {
    const group = taskGroupNamed((await stored()).groups, name);
    return (await documentsOf(call, [group]))[0]!;
  }

  const group: PathEntity<Entity> = {
    kind: taskGroupName.type,
    find: async (name) => ({ id: taskGroupNamed((await stored()).groups, name).name }),
    stays: ({ id }) => taskGroupThere({ name: id }, noSuchTaskGroup(id)),
  };

  return [
    route({
      method: 'GET',
      path,
      says: 'The task groups, which assign jobs to transcoders.',
      answers: taskGroupListDocument,
      access: read,
      handle: async (call) => ({ group: await documentsOf(call, (await stored()).groups) }),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes all task groups.',
      access: write,
      acting: 'refused',
      handle: (call) =>
        change(
          call,
          () => [],
          (groups) => [forgetTaskGroups({ names: groups.map(({ name }) => name) })],
        ),
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One task group.',
      answers: taskGroupDocument,
      access: read,
      handle: (call, { name }) => shown(call, name),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Creates a task group, or replaces its description. Its metadata is set key by key.',
      reads: optional(taskGroupDocument),
      answers: taskGroupDocument,
      access: write,
      acting: 'refused',
      async handle(call, { name }) {
        const document = call.body ?? {};
        const pairs = document.metadata && keyValuesFrom(document.metadata, place, settings.maxMetadataBytes);
        await change(
          call,
          (groups) => putTaskGroup(groups, name, document),
          () => (pairs ? setKeyValues(taskGroupName.type, name, pairs, false) : []),
        );
        return shown(call, name);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a task group.',
      access: write,
      acting: 'refused',
      handle: (call, { name }) =>
        change(
          call,
          (groups) => {
            const gone = taskGroupNamed(groups, name);
            return groups.filter((each) => each !== gone);
          },
          () => [forgetTaskGroups({ names: [name] })],
        ),
    }),
    route({
      method: 'PUT',
      path: transcoder,
      says: 'Adds a transcoder to a task group.',
      reads: raw(['nothing', taskGroupDocument]),
      access: write,
      acting: 'refused',
      handle: (call, { name, transcoder }) => onOne(call, name, (group) => addTranscoder(group, transcoder)),
    }),
    route({
      method: 'DELETE',
      path: transcoder,
      says: 'Takes a transcoder out of a task group.',
      access: write,
      acting: 'refused',
      handle: (call, { name, transcoder }) => onOne(call, name, (group) => removeTranscoder(group, transcoder)),
    }),
    ...keyValueRoutes(parts, {
      path: one,
      kind: taskGroupName,
      read,
      write,
      acting: 'refused',
      entities: () => ({ name: group }),
    }),
  ];
}
