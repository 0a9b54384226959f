import type { Reader } from '../../store/statement.ts';
import { contextsByStrength, grantsOfOthers, nearest } from './contexts-sql.ts';
import { type Level, levels, type Place, rankOf } from './levels.ts';
import type { Principals } from './precedence.ts';
import { accessTo } from './reading.ts';

/** Contexts by the level that a user has in them, as SQL takes them. */
export class Contexts {
  readonly #byStrength: ReadonlyMap<number, string>;

  /** `byStrength`: JSON arrays. */
  constructor(byStrength: ReadonlyMap<number, string>) {
    this.#byStrength = byStrength;
  }

  /** A JSON array of those in which the user has a level or more. */
  having(level: Level): string {
    const parts = levels.slice(rankOf(level)).flatMap((each) => this.#byStrength.get(rankOf(each))?.slice(1, -1) || []);
    return `[${parts.join(',')}]`;
  }
}

/** The work grows with the contexts and collections that entries of the user reach, not with items. */
export async function contextsOf(reader: Reader, user: Principals): Promise<Contexts> {
  const groups = [...user.groups].map(([id, distance]) => ['g:', id, nearest - 1 - Math.min(distance, nearest - 1)]);
  const principals = JSON.stringify([['u:', user.userId, nearest], ...groups]);
  const held = JSON.stringify(await heldGrants(reader, principals));
  const rows = await contextsByStrength(reader, { principals, held });
  return new Contexts(new Map(rows.map(({ strength, contexts }) => [strength, contexts])));
}

/** Of the grants that rest on other entries, those that are on. */
async function heldGrants(reader: Reader, principals: string): Promise<readonly string[]> {
  const grants = await grantsOfOthers(reader, { principals });
  if (grants.length === 0) return [];
  const places = new Map<string, Place>();
  for (const { type, id } of grants) if (id !== null) places.set(`${type} ${id}`, { type, id });
  const access = await accessTo(
    reader,
    [...places.values()],
    grants.map(({ grantorId }) => grantorId),
  );
  return grants.flatMap(({ grant, type, id, grantorId }) =>
    id !== null && access.grants.holds({ type, id }, grantorId) ? [grant] : [],
  );
}
