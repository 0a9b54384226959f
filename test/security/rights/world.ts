import type { Statement } from '../../../src/core/store/contract.ts';
import { newUser } from '../../support/cast.ts';
import { type Answer, openBehind, type World } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import type { Rule } from '../roles/rule.ts';
import { type Case, canary, type Level, type Named, type Narrow } from './case.ts';
import { writesOf } from './writes.ts';

const owner: Credentials = ['owner', 'p'];
/** A user with every role but that of administrators. */
export const viewer: Credentials = ['viewer', 'p'];
/** The same without the role that sees all jobs. */
const stranger: Credentials = ['stranger', 'p'];
const users = { owner, viewer, stranger };

export type Tried = Pick<Case, 'name' | 'named'> & { readonly rule: Pick<Rule, 'given' | 'rows' | 'request'> };

export interface RightsWorld extends World {
  /** Makes what a case asks about, all of it somebody else's, without an entry for the viewer. */
  hide(tried: Tried): Promise<Hidden>;
  /** The same, where the caller made what belongs to users: locks, jobs, uploads. */
  hideEntities(tried: Tried): Promise<Hidden>;
}

export interface Hidden {
  readonly who: string;
  readonly named: readonly Named[];
  /** Gives the viewer that level on an entity instead of what it had there. Undefined: none. */
  give(entity: Named, level: Level | undefined, narrow?: Narrow | readonly Narrow[]): Promise<void>;
  /** As the viewer, where nobody else is named. */
  ask(as?: keyof typeof users): Promise<Asked>;
}

export interface Asked extends Answer {
  /** Writes to the database during the request. */
  readonly wrote: readonly string[];
  readonly request: string;
}

/** A service whose writes are told, with two users who have every role but that of administrators. */
export async function openRightsWorld(atEnd: (end: () => Promise<void>) => unknown): Promise<RightsWorld> {
  const database = await migratedDatabase();
  const writes = writesOf(database);
  const world = await openBehind('fetch', { database }, atEnd);
  const { store } = world.service;
  const groups = await store.read(`SELECT name FROM "group" WHERE role = 1 AND name <> '_administrator'`);
  const roles = groups.map(([name]) => String(name));
  await prepare(world, [newUser(owner, roles), newUser(viewer, roles)]);
  await prepare(world, [
    newUser(
      stranger,
      roles.filter((role) => role !== '_job_read'),
    ),
  ]);
  const run = (...changes: Statement[]): Promise<unknown> => store.commit({ changes, events: [] }, { user: 'test' });

  let made = 0;
  async function hidden(tried: Tried, caller: Credentials): Promise<Hidden> {
    const who = `${caller[0]}-${++made}-${tried.name}`;
    await prepare(world, tried.rule.given?.(who));
    await tried.rule.rows?.(world, who, caller[0]);
    const named = tried.named(who);
    await run(...takenAway, ...named.flatMap(marks));
    return {
      who,
      named,
      give: (entity, level, narrow) => run(...entryOn(entity, level, narrow)).then(() => undefined),
      async ask(as = 'viewer') {
        const sent = { as: users[as], ...tried.rule.request(who) };
        const { request } = sent;
        const { result, wrote } = await writes.during(() => world.send(sent));
        return { ...result, request, wrote };
      },
    };
  }

  return { ...world, hide: (tried) => hidden(tried, owner), hideEntities: (tried) => hidden(tried, viewer) };
}

/** The owner has all of it, and no right on it reaches what is in it. */
const takenAway: readonly Statement[] = [
  {
    sql: `UPDATE access_entry SET reach = 1, user_id = (SELECT id FROM user WHERE name = 'owner')
      WHERE user_id = (SELECT id FROM user WHERE name = 'viewer')`,
    args: [],
  },
];

/** The canary in what is told of an entity. */
function marks({ type, id }: Named): readonly Statement[] {
  if (type === 'library') return [];
  const doc = JSON.stringify({
    c: [['VX-9', 'ann', 0]],
    s: [[0, [['title', 0, [canary]]]]],
  });
  const state = `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
    VALUES (?, ?, 1, 0, 0, ?) ON CONFLICT DO NOTHING`;
  return [{ sql: state, args: [type, id, doc] }];
}

function entryOn(
  { type, id: place }: Named,
  level: Level | undefined,
  narrow: Narrow | readonly Narrow[] = [],
): readonly Statement[] {
  const gone = {
    sql: `DELETE FROM access_entry WHERE entity_type = ? AND entity_id = ? AND id LIKE 'G-%'`,
    args: [type, place],
  };
  if (level === undefined) return [gone];
  if (level === 'OWNER') {
    const sql = `UPDATE access_entry SET user_id = (SELECT id FROM user WHERE name = 'viewer')
      WHERE entity_type = ? AND entity_id = ? AND permission = 'OWNER'`;
    return [gone, { sql, args: [type, place] }];
  }
  const entry = (id: string, permission: string, operation: string | null, extradata: string | null): Statement => ({
    sql: `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority,
        applies_to, reach, operation, extradata)
      SELECT ?1, ?2, ?3 || ?2, 0, user.id, ?4, 0, '["self"]', 1, ?5, ?6 FROM user WHERE name = 'viewer'`,
    args: [type, place, id, permission, operation, extradata],
  });
  const parts = [narrow]
    .flat()
    .map((each, number) => entry(`G-${number}-`, each.level, each.operation, each.extradata));
  return [gone, ...parts, entry('G-', level, null, null)];
}
