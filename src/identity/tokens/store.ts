import { and, asc, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, putInto } from '../../core/store/rows.ts';
import { query, statement, value, writes } from '../../core/store/statement.ts';
import { accessKey, loginPlace, token, user } from '../tables.ts';
import { loginColumns } from '../users/store.ts';

const actor = alias(user, 'actor');
const maker = alias(user, 'maker');

/** The token and the user behind it, for a login: one read, and what was revoked a moment ago is not in it. */
export const findTokenLogin = query((db) =>
  db
    .select({
      ...loginColumns,
      digest: token.digest,
      tokenId: token.id,
      kind: token.kind,
      issuedFor: token.passwordVersion,
      key: token.keyId,
      keyActive: accessKey.active,
      actorId: token.actorId,
      actorVersion: token.actorVersion,
      makerId: token.makerId,
      makerRevocations: maker.revocations,
      lifetime: token.lifetime,
      autoRefresh: token.autoRefresh,
      usedAt: token.usedAt,
      expiresAt: token.expiresAt,
      endsAt: token.endsAt,
      loginAt: token.loginAt,
      second: token.second,
      way: token.way,
      realm: token.realm,
    })
    .from(token)
    .innerJoin(user, eq(user.id, token.userId))
    .leftJoin(accessKey, eq(accessKey.id, token.keyId))
    .leftJoin(maker, eq(maker.id, token.makerId))
    .where(eq(token.digest, value('digest'))),
).first;
export type TokenLogin = NonNullable<Awaited<ReturnType<typeof findTokenLogin>>>;

/** The newest session or token of a user, with its beginning and what it began with. */
export const newestLogin = query((db) =>
  db
    .select({ at: token.createdAt, way: token.way, realm: token.realm })
    .from(token)
    .where(and(eq(token.userId, value('userId')), inArray(token.kind, ['session', 'token'])))
    .orderBy(desc(token.createdAt), desc(token.id))
    .limit(1),
);

/** When a token or session ends that is not used before. */
export const findTokenEnd = query((db) =>
  db
    .select({ expiresAt: token.expiresAt })
    .from(token)
    .where(eq(token.id, value('id'))),
).first;

/** A page of live tokens by id. Names the key only if it belongs to the user, and not to an acting user. */
export const tokensOfUser = query((db) =>
  db
    .select({
      id: token.id,
      key: accessKey.id,
      actor: actor.name,
      kind: token.kind,
      autoRefresh: token.autoRefresh,
      createdAt: token.createdAt,
      expiresAt: token.expiresAt,
      endsAt: token.endsAt,
      usedAt: token.usedAt,
      way: token.way,
      realm: token.realm,
      device: token.device,
      address: token.address,
    })
    .from(token)
    .leftJoin(accessKey, and(eq(accessKey.id, token.keyId), eq(accessKey.userId, token.userId)))
    .leftJoin(actor, eq(actor.id, token.actorId))
    .where(and(eq(token.userId, value('userId')), gt(token.expiresAt, value('now')), ne(token.kind, 'step')))
    .orderBy(asc(token.id))
    .limit(value('limit'))
    .offset(value('offset')),
);
export type TokenRow = Awaited<ReturnType<typeof tokensOfUser>>[number];

export const userEnabled = guard(sql`(SELECT enabled FROM user WHERE id = ${value('userId')}) = 1`);

export const keyActive = guard(sql`(SELECT active FROM access_key WHERE id = ${value('keyId')}) = 1`);

export const insertToken = insertInto(token);

/** New tokens and noted uses delete some expired ones: the table holds little more than live tokens. */
export const sweepTokens = statement(
  sql`DELETE FROM ${writes('token')} WHERE digest IN (SELECT digest FROM token WHERE expires_at < ${value('now')} LIMIT 8)`,
);

/** Only forward, and not again within the pause, however many requests of however many instances ask for it. */
export const noteUse = statement(
  sql`UPDATE ${writes('token')} SET used_at = ${value('now')},
      expires_at = iif(auto_refresh, min(${value('now')} + lifetime, coalesce(ends_at, ${value('now')} + lifetime)), expires_at)
    WHERE digest = ${value('digest')} AND used_at <= ${value('now')} - ${value('pause')}`,
);

/** A text that works once is not used yet: a second request at the same time is refused. */
export const tokenUnused = rowExists(token, 'digest');

/** Moves the end of a session, whose provider vouches for it again, and with it the expiry that the end cut off. */
export const vouchSession = statement<{ id: string; ends: number }>(
  sql`UPDATE ${writes('token')} SET ends_at = ${value('ends')},
      expires_at = min(${value('ends')}, used_at + lifetime)
    WHERE id = ${value('id')} AND kind = 'session'`,
);

export const useToken = deleteBy(token, 'digest');

/** Deletes the tokens that a token or session asked for, when it is revoked by itself. */
export const revokeTokensBy = deleteBy(token, 'login');

/** Guard: no login of the user was revoked since. */
export const loginsGoOn = guard<{ id: string; revocations: number }>(
  sql`(SELECT revocations FROM user WHERE id = ${value('id')}) = ${value('revocations')}`,
);

export const tokenThere = rowExists(token, 'userId', 'id');

export const revokeToken = deleteBy(token, 'userId', 'id');

/** Ends the session of a request, also of a caller who acts for another user. */
export const endSession = statement(sql`DELETE FROM ${writes('token')} WHERE id = ${value('id')} AND kind = 'session'`);

/** A session whose person has just shown the first second factor. */
export const strengthenSession = statement(
  sql`UPDATE ${writes('token')} SET second = 1 WHERE id = ${value('id')} AND kind = 'session'`,
);

/** Also those by which the user acts for others, and those that its tokens and sessions asked for. `kept`: id of one that goes on, or an empty text. */
export const revokeTokensOf = statement<{ userId: string; kept: string }>(
  sql`DELETE FROM ${writes('token')} WHERE (user_id = ${value('userId')} OR actor_id = ${value('userId')}
      OR maker_id = ${value('userId')})
    AND id <> ${value('kept')}`,
);

/** How many places a user has, and when the user last logged in from this one. */
export const findPlaces = query(
  sql`SELECT count(*) AS count, max(iif(digest = ${value('digest')}, at, NULL)) AS at FROM login_place
    WHERE user_id = ${value('userId')}`,
  { count: sql<number>`count`, at: sql<number | null>`at` },
).first;
export const putPlace = putInto(loginPlace, ['userId', 'digest']);
export const forgetPlaces = deleteBy(loginPlace, 'userId');

export const trimPlaces = statement<{ userId: string; max: number }>(
  sql`DELETE FROM ${writes('login_place')} WHERE user_id = ${value('userId')} AND digest IN
    (SELECT digest FROM login_place WHERE user_id = ${value('userId')} ORDER BY at DESC LIMIT -1 OFFSET ${value('max')})`,
);
