import { groupDocument } from '../../documents/index.ts';
import { readDocument } from '../../http/body.ts';
import { type Call, caller } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { booleanParameter } from '../../http/parameter.ts';
import { done } from '../../http/reply.ts';
import { type Route, role } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Maybe } from '../../lib/maybe.ts';
import { administrator } from '../../security/subject.ts';
import type { Reader } from '../../store/statement.ts';
import type { IdentityParts } from '../parts.ts';
import { noSuchGroup } from '../users/rules.ts';
import { commandFrom, groupDocumentOf } from './documents.ts';
import { type GroupState, groupExists, type PutGroup, putGroup, type Wish } from './rules.ts';
import {
  childrenAmong,
  childrenOf,
  findGroup,
  type GroupRow,
  leadsToRoles,
  membersAmong,
  membersOf,
  parentsAmong,
  parentsOf,
} from './store.ts';

/** Roles that amount to every other one: they let their holder be, or act for, anybody. */
const powerful = [administrator, '_runas'];

/** How often a change is decided anew because the group had changed under it. */
const attempts = 4;

export function groupRoutes(parts: IdentityParts): readonly Route[] {
  const { store, settings } = parts;

  return [
    {
      method: 'GET',
      path: '/group/:name',
      access: role('_group_read'),
      produces: documentTypes,
      async handle(_call, type, params) {
        const row = await findGroup(store, { name: params['name']! });
        if (!row) throw noSuchGroup(params['name']!);
        const document = await groupDocumentOf(store, row, settings.site, settings.maxPage);
        return parts.render(type, groupDocument, document);
      },
    },
    {
      method: 'PUT',
      path: '/group/:name',
      access: role('_group_write'),
      produces: [],
      async handle(call, _type, params) {
        const name = params['name']!;
        const clear = booleanParameter(call.parameters, 'clear') ?? false;
        const document = await readDocument(call.request, groupDocument, parts.limits);
        // Without a body the group is to be made, so it must not be there; with one it is made or changed.
        await change(call, commandFrom(name, document ?? {}, clear), document === undefined);
        return done;
      },
    },
  ];

  async function change(call: Call, command: PutGroup, mustBeNew: boolean): Promise<void> {
    const byAdministrator = await caller(call).has(administrator);
    for (let attempt = 1; ; attempt++) {
      const state = await read(command);
      if (mustBeNew && state.row) throw groupExists(command.name);
      const id = state.row?.id ?? (await store.nextId('group'));
      try {
        return await parts.commit(putGroup(command, state, id, parts.clock.now(), byAdministrator), call);
      } catch (error) {
        if (!isStale(error, mustBeNew) || attempt === attempts) throw error;
      }
    }
  }

  /** Only what the command can touch: all of a relation when it is to be cleared, else the names it mentions. */
  async function read(command: PutGroup): Promise<GroupState> {
    const row = await findGroup(store, { name: command.name });
    const [power] = await leadsToRoles(store, {
      names: JSON.stringify([command.name, ...command.parents.add, ...command.parents.remove]),
      roles: JSON.stringify(powerful),
    });
    if (!row) {
      const none: ReadonlySet<string> = new Set();
      return { row, parents: none, children: none, users: none, power: leading(power) };
    }
    const [parents, children, users] = await Promise.all([
      relation(row, command.parents, parentsOf, parentsAmong),
      relation(row, command.children, childrenOf, childrenAmong),
      relation(row, command.users, membersOf, membersAmong),
    ]);
    return { row, parents, children, users, power: leading(power) };

    async function relation(of: GroupRow, wish: Wish, all: AllOf, among: Among): Promise<ReadonlySet<string>> {
      const names = JSON.stringify([...wish.add, ...wish.remove]);
      const rows = command.clear
        ? await all(store, { id: of.id, limit: -1 })
        : await among(store, { id: of.id, names });
      return new Set(rows.map((related) => related.name));
    }
  }
}

type Named = Maybe<readonly { readonly name: string }[]>;
type AllOf = (reader: Reader, values: { id: string; limit: number }) => Named;
type Among = (reader: Reader, values: { id: string; names: string }) => Named;

const leading = (row: { leads: number; revision: number } | undefined) => ({
  leads: row?.leads === 1,
  revision: row?.revision ?? 0,
});

/** Somebody was faster: with another version of the group, or by making it. */
function isStale(error: unknown, mustBeNew: boolean): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'changed-meanwhile' || (!mustBeNew && error.code === 'already-exists');
}
