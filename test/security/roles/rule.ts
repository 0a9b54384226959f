import { newGroup, newUser } from '../../support/cast.ts';
import type { Sent, World } from '../../support/matrix.ts';

/** Role that a route needs, with a request that a permitted caller gets 200 for, or the status in `allowed`. */
export interface Rule {
  readonly route: string;
  readonly needs: 'nothing' | 'any caller' | `_${string}`;
  /** Role that the route needs in addition. */
  readonly also?: `_${string}` | undefined;
  /** Role that is enough instead, for other requests of the route. */
  readonly or?: `_${string}` | undefined;
  readonly allowed?: 201 | 401 | 403 | 404 | 501;
  /** Requests that prepare what the route needs. */
  readonly given?: (who: string) => readonly Sent[];
  /**
   * The same where no request could make it: rows whose names are made of `numberOf(who)` of assets.ts. `caller`: the
   * user whose they are. Its default is `admin`, who asks where a suite leaves it out.
   */
  readonly rows?: (world: World, who: string, caller?: string) => Promise<unknown>;
  /** `who`: a name that differs for each caller. Names in the path are made of `numberOf(who)`, as in `rows`. */
  readonly request: (who: string) => Omit<Sent, 'as'>;
}

export const get = (target: string) => () => ({ request: `GET ${target}` });

/** Users of a matrix: `other` has every role of `gated` but the last one that is needed. */
export function castFor(role: readonly string[], gated: readonly string[], or?: string): readonly Sent[] {
  const others = gated.filter((name) => name !== role.at(-1) && name !== or && name !== '_administrator');
  const above = { parentGroupList: { group: role.map((groupName) => ({ groupName })) } };
  return [
    newGroup('crew'),
    newGroup('outer', above),
    newGroup('inner', { parentGroupList: { group: [{ groupName: 'outer' }] } }),
    newUser(['plain', 'p']),
    newUser(['other', 'p'], others),
    newUser(['holder', 'p'], role),
    newUser(['member', 'p'], ['inner']),
  ];
}
