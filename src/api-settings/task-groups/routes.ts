import { fieldsOf, keyValuesFrom } from '../../entities/key-values/documents.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import { keyValuesOf, setKeyValues } from '../../entities/key-values/store.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, optionalDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Route, role, route, segment } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import type { CoreSettings } from '../../settings/core.ts';
import type { Statement } from '../../store/contract.ts';
import type { ConfigurationParts } from '../parts.ts';
import { findDocument } from '../store.ts';
import { changeStored } from '../stored/rules.ts';
import { type TaskGroup, taskGroupDocument, taskGroupListDocument } from './documents.ts';
import {
  addTranscoder,
  groupNamed,
  type Kept,
  noSuchGroup,
  putGroup,
  removeTranscoder,
  taskGroupName,
} from './rules.ts';
import { forgetTaskGroups, taskGroupThere } from './store.ts';

const documentName = 'task-group';
const place = '/TaskGroupDocument/metadata/field/key';
const read = role('_resource_read');
const write = role('_resource_write');

type Parts = Pick<ConfigurationParts, 'store' | 'limits' | 'render'> & {
  readonly settings: Pick<CoreSettings, 'maxMetadataBytes'>;
};

/** Task groups: which jobs run on which transcoders. */
export function taskGroupRoutes(parts: Parts): readonly Route[] {
  const { store, limits, render, settings } = parts;
  const path = '/task-group';
  const one = `${path}/:name`;
  const transcoder = `${one}/transcoder/:transcoder`;

  async function stored(): Promise<{ readonly revision: number; readonly groups: readonly Kept[] }> {
    const row = await findDocument(store, { name: documentName });
    const document = JSON.parse(row?.document ?? '{}') as { readonly group?: readonly Kept[] };
    return { revision: row?.revision ?? 0, groups: document.group ?? [] };
  }

  /** Decides again after a concurrent change of a group. */
  const change = (
    call: Call,
    decide: (groups: readonly Kept[]) => readonly Kept[],
    also: (groups: readonly Kept[]) => readonly Statement[] = () => [],
  ): Promise<void> =>
    retryWhenChanged(async () => {
      const { revision, groups } = await stored();
      const work = changeStored(documentName, revision, { group: decide(groups) });
      await call.commit({ ...work, changes: [...work.changes, ...also(groups)] });
    });

  const onOne = (call: Call, name: string, turn: (group: Kept) => Kept): Promise<void> =>
    change(call, (groups) => {
      const changed = turn(groupNamed(groups, name));
      return groups.map((each) => (each.name === name ? changed : each));
    });

  async function documentsOf(call: Call, groups: readonly Kept[]): Promise<readonly TaskGroup[]> {
    const names = groups.map(({ name }) => name);
    const metadata = names.length > 0 ? await keyValuesOf(store, taskGroupName.type, names) : undefined;
    return groups.map((group) => {
      const pairs = metadata?.get(group.name) ?? [];
      const loc = `${baseOf(call)}${path}/${encodeURIComponent(group.name)}`;
      return { ...group, loc, ...(pairs.length > 0 && { metadata: fieldsOf(pairs) }) };
    });
  }

  async function shown(call: Call, type: MediaType, name: string): Promise<Reply> {
    const group = groupNamed((await stored()).groups, name);
    const [document] = await documentsOf(call, [group]);
    return render(type, taskGroupDocument, document!);
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The task groups, which assign jobs to transcoders.',
      answers: taskGroupListDocument,
      access: read,
      produces: documentTypes,
      handle: async (call, type) =>
        render(type, taskGroupListDocument, { group: await documentsOf(call, (await stored()).groups) }),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes all task groups.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call) {
        await change(
          call,
          () => [],
          (groups) => [forgetTaskGroups({ names: JSON.stringify(groups.map(({ name }) => name)) })],
        );
        return done;
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One task group.',
      answers: taskGroupDocument,
      access: read,
      produces: documentTypes,
      handle: (call, type, params) => shown(call, type, params.name),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Creates a task group, or replaces its description. Its metadata is set key by key.',
      reads: ['nothing', taskGroupDocument],
      answers: taskGroupDocument,
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const name = params.name;
        const document = (await optionalDocument(call, taskGroupDocument, limits)) ?? {};
        const wanted = document.metadata && keyValuesFrom(document.metadata, place, settings.maxMetadataBytes);
        await change(
          call,
          (groups) => putGroup(groups, name, document),
          () => (wanted ? setKeyValues(taskGroupName.type, name, wanted, false) : []),
        );
        return shown(call, type, name);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a task group.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        const name = params.name;
        await change(
          call,
          (groups) => {
            const gone = groupNamed(groups, name);
            return groups.filter((each) => each !== gone);
          },
          () => [forgetTaskGroups({ names: JSON.stringify([name]) })],
        );
        return done;
      },
    }),
    route({
      method: 'PUT',
      path: transcoder,
      says: 'Adds a transcoder to a task group.',
      reads: ['nothing', taskGroupDocument],
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await onOne(call, params.name, (group) => addTranscoder(group, params.transcoder));
        return done;
      },
    }),
    route({
      method: 'DELETE',
      path: transcoder,
      says: 'Takes a transcoder out of a task group.',
      access: write,
      acting: 'refused',
      produces: [],
      async handle(call, _type, params) {
        await onOne(call, params.name, (group) => removeTranscoder(group, params.transcoder));
        return done;
      },
    }),
    ...keyValueRoutes(parts, {
      path: one,
      kind: taskGroupName,
      read,
      write,
      acting: 'refused',
      find: async (params) => ({ id: groupNamed((await stored()).groups, segment(params, 'name')).name }),
      changed: ({ id }, changes) => ({
        changes: [taskGroupThere({ name: id }, noSuchGroup(id)), ...changes],
        events: [],
      }),
    }),
  ];
}
