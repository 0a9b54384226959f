import { collectionAt, itemAt } from '../../assets/items/contract/entities.ts';
import { libraryAt } from '../../assets/items/public.ts';
import { deletionOfLibrary, type LibrarySettings, libraryOfItems } from '../../assets/search/public.ts';
import { requireTags } from '../../assets/shapes/public.ts';
import { mediaOfItem, mustAllBeUsable } from '../../assets/usage/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { isRefusal, ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import { askEach } from '../../core/lib/maybe.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import { Secret } from '../../core/lib/secret.ts';
import { serialOf } from '../../core/lib/serial.ts';
import { createVault, VaultError } from '../../core/lib/vault.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { nothing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Call } from '../../http/call.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, role, roleMissing, route } from '../../http/route.ts';
import { checkPassword, type IdentitySettings, usersWithIds } from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { keptCaller, resumeMaker } from '../../room/kept-caller-sql.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import {
  originFrom,
  type Share,
  shareDocument,
  shareFrom,
  shareListDocument,
  shareTokenDocument,
  shareUseListDocument,
  useFrom,
} from './documents.ts';
import { burntMedia, itemsWithoutMedia, makerOf, shareRole } from './maker.ts';
import { policyOf } from './policy.ts';
import {
  changeShare,
  createShare,
  deleteShare,
  expectMarks,
  expectPassword,
  expectSharing,
  moveShare,
  noSuchShare,
  noSuchToken,
  termsFrom,
} from './rules.ts';
import {
  allShares,
  filesOfUses,
  findShare,
  originOf,
  type ShareRow,
  shareMustExist,
  sharesOf,
  sharesOfLibrary,
  sharesOn,
  usesOf,
} from './store.ts';
import type { TargetType } from './tables.ts';

type ShareSettings = CoreSettings &
  Pick<IdentitySettings, 'minPasswordLength' | 'maxPasswordLength'> &
  Pick<LibrarySettings, 'maxLibraryItems'>;
export type ShareContext = RoomContext<ShareSettings>;

/** Files that a page of uses tells. */
const maxFiles = 1_000;
/** Bytes of the secret in an address. */
const secretBytes = 16;

/** Routes of those who make shares. Each user sees and changes the own ones, an administrator all. */
export function shareRoutes(parts: ShareContext): readonly Route[] {
  const { store, clock, random, settings, services, fingerprint, secretKey } = parts;
  const vault = secretKey && createVault(secretKey, random);
  const [read, write] = [role('_share_read'), role(shareRole)];
  const path = '/share/:share';
  /** Part of each route that makes a share. */
  const making = {
    method: 'POST',
    reads: shareDocument,
    answers: shareDocument,
    location: ({ id = '' }: Share) => ['share', id],
    noStore: true,
    access: write,
    acting: 'refused',
  } as const;
  const list = { ...page(settings.maxPage, 100), all: flag('Shares of all users, for administrators', false) };

  /** Id of the caller. Empty for a caller known only to a realm, who has no shares. */
  const idOf = (caller: Caller): string => subjectOf(caller).user?.id ?? '';

  const entities: { readonly share: PathEntity<ShareRow> } = {
    share: {
      kind: 'share',
      async find(name, caller) {
        const row = await findShare(store, { id: name });
        if (!row || (row.userId !== idOf(caller) && !(await subjectOf(caller).has(administrator))))
          throw noSuchShare(name);
        return row;
      },
      stays: ({ id }) => shareMustExist(id, noSuchShare(id)),
    },
  };

  async function mayAskAll(caller: Caller, everyone: boolean): Promise<void> {
    if (everyone && !(await subjectOf(caller).has(administrator))) throw roleMissing(administrator);
  }

  async function documentsOf(rows: readonly ShareRow[], terms = policyOf(store)): Promise<readonly Share[]> {
    const ids = [...new Set(rows.map(({ userId }) => userId))];
    const callers = [...new Set(rows.map((row) => row.caller))];
    const [users, makers, policy] = await Promise.all([
      usersWithIds(store, { ids }),
      askEach(callers, (caller) => resumeMaker(services.directory, caller)),
      terms,
    ]);
    const names = new Map(users.map(({ id, name }) => [id, name]));
    const ended = new Set(callers.filter((_, at) => 'ended' in makers[at]!));
    const view = { now: clock.now(), policy };
    return rows.map((row) =>
      shareFrom(row, { ...view, user: names.get(row.userId) ?? '', isRevoked: ended.has(row.caller) }),
    );
  }

  async function listOf(rows: readonly ShareRow[]) {
    const terms = policyOf(store);
    const share = await documentsOf(rows, terms);
    const { isOn, maxDays, needsPassword } = await terms;
    return {
      share,
      terms: {
        isOn,
        maxDays: maxDays === 0 ? undefined : maxDays,
        needsPassword,
        burns: await burntMedia(parts.hooks),
      },
    };
  }

  /** The document of a share that was made or changed, with the items that disappoint its guests. */
  async function answerOf(call: Call, row: ShareRow, token?: string): Promise<Share> {
    const [[document], nothingToPlay] = await Promise.all([documentsOf([row]), itemsWithoutMedia(parts, call, row)]);
    return { ...document!, token, nothingToPlay };
  }

  /** The stored form of a password. Left out: as before. */
  async function hashed(password: string | undefined, before: string | null): Promise<string | null> {
    if (password === undefined) return before;
    if (password === '') return null;
    checkPassword(password, settings, '/ShareDocument/password');
    return services.passwords.hash(new Secret(password).reveal());
  }

  /** A secret by its columns: only this share of this user opens what is sealed. */
  const secretOf = async (id: string, userId: string) => {
    const token = textOfBytes(random.bytes(secretBytes));
    const sealed = vault ? await vault.seal(token, purposeOf({ id, userId })) : null;
    return { token, columns: { digest: fingerprint(token), sealed } };
  };

  const tagsThere = ({ play = [], download = [] }: Share): Promise<readonly Statement[]> =>
    requireTags(store, [...new Set([...play, ...download])]);

  type Target = Pick<ShareRow, 'targetType' | 'targetId' | 'ownsTarget'>;

  /** Makes a share. `find`: what it shows, with what the commit adds for it. It is called again on retries. */
  async function make(
    call: Call,
    document: Share,
    targetType: TargetType,
    find: () => Promise<{ readonly target: Target; readonly work?: CommitPlan }>,
  ): Promise<Share> {
    const { user } = subjectOf(call);
    const { caller, login } = keptCaller(subjectOf(call));
    if (!user || caller === null)
      throw new ServiceError('not-allowed', { context: 'user', explanation: 'Expected a user of the service' });
    const policy = await policyOf(store);
    expectSharing(policy);
    const createdAt = clock.now();
    const terms = termsFrom(document, { targetType, policy, createdAt });
    expectMarks(terms, await burntMedia(parts.hooks));
    const guards = await tagsThere(document);
    const password = await hashed(document.password, null);
    expectPassword(policy, password);
    const id = await store.nextId('share');
    const { token, columns } = await secretOf(id, user.id);
    const own = { id, serial: serialOf(id), userId: user.id, caller, login };
    const { row } = await call.change(async () => {
      const { target, work = nothing } = await find();
      const row: ShareRow = {
        ...{ ...own, ...target, ...columns, ...terms, password },
        ...{ used: 0, comments: 0, files: 0, bytes: 0, createdAt },
      };
      return { ...together(work, createShare(row, guards)), row };
    });
    return answerOf(call, row, token);
  }

  const onTarget = <E extends { readonly id: string }>(type: TargetType, entity: PathEntity<E>) => {
    const at = { path: `/${type}/:${type}/share` as `/${string}`, entities: { [type]: entity } };
    const targetOf = (segments: Readonly<Record<string, unknown>>) => (segments[type] as E).id;
    return [
      route({
        ...at,
        method: 'GET',
        says: `The shares of the caller that show the ${type}, the newest first.${type === 'item' ? ' Also, by which share a guest sent it.' : ''}`,
        query: list,
        answers: shareListDocument,
        access: read,
        async handle(call, segments) {
          const { all: everyone } = call.query;
          await mayAskAll(call, everyone);
          const values = {
            targetType: type,
            targetId: targetOf(segments),
            everyone: everyone ? 1 : 0,
            userId: idOf(call),
          };
          const [rows, sent] = await Promise.all([
            pageWithin(sharesOn, call.reader, { ...values, ...pageOf(call.query) }, settings.maxPageValues),
            type === 'item' ? originOf(call.reader, { itemId: values.targetId }) : undefined,
          ]);
          return { ...(await listOf(rows)), origin: sent && originFrom(sent) };
        },
      }),
      route({
        ...at,
        says: `Shares the ${type} by a secret address, with the rights of the caller.`,
        ...making,
        handle: (call, segments) =>
          make(call, call.body, type, async () => {
            const targetId = targetOf(segments);
            if (type !== 'library') await mustAllBeUsable(store, call, [{ type, id: targetId }], clock.now());
            const owned = type === 'library' ? await sharesOfLibrary(store, { id: targetId }) : undefined;
            return { target: { targetType: type, targetId, ownsTarget: owned?.owned ?? 0 } };
          }),
      }),
    ];
  };

  return [
    ...onTarget('item', itemAt(store)('READ')),
    ...onTarget('collection', collectionAt(store)('READ')),
    ...onTarget('library', libraryAt(store)('READ')),
    route({
      method: 'GET',
      path: '/share',
      says: 'The shares of the caller, the newest first.',
      query: list,
      answers: shareListDocument,
      access: read,
      async handle(call) {
        const { all: everyone } = call.query;
        await mayAskAll(call, everyone);
        const values = { ...pageOf(call.query), userId: idOf(call) };
        return listOf(await pageWithin(everyone ? allShares : sharesOf, call.reader, values, settings.maxPageValues));
      },
    }),
    route({
      path: '/share',
      says: 'Shares a selection of items by a secret address, with the rights of the caller. The items become a library, which is deleted with its last share.',
      ...making,
      handle(call) {
        const { selection: names = [] } = call.body;
        if (names.length === 0) throw badValue('/ShareDocument/selection', 'at least one item', '');
        return make(call, call.body, 'library', async () => {
          const { id, ids, ...work } = await libraryOfItems(parts, call, { names });
          await mustAllBeUsable(store, call, ids.map(mediaOfItem), clock.now());
          return { target: { targetType: 'library', targetId: id, ownsTarget: 1 }, work };
        });
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'A share, without its secret.',
      entities,
      answers: shareDocument,
      access: read,
      handle: async (_call, { share }) => (await documentsOf([share]))[0]!,
    }),
    route({
      method: 'PUT',
      path,
      says: 'Changes what a share allows, and opens it again after logins of its maker were revoked. Only the password stays where it is left out. The address stays.',
      entities,
      reads: shareDocument,
      answers: shareDocument,
      access: write,
      acting: 'refused',
      async handle(call, { share }) {
        const policy = await policyOf(store);
        const terms = termsFrom(call.body, { ...share, policy });
        expectMarks(terms, await burntMedia(parts.hooks));
        const guards = await tagsThere(call.body);
        const password = await hashed(call.body.password, share.password);
        expectPassword(policy, password);
        // A change by an administrator leaves the share to the logins of its maker.
        const { caller, login } = keptCaller(subjectOf(call));
        const maker = share.userId === idOf(call) && caller !== null ? { caller, login } : {};
        const row = { ...share, ...maker, ...terms, password };
        await call.commit(changeShare(row, guards));
        return answerOf(call, row);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Revokes a share. Guests are out at once. The library of a selection goes with its last share.',
      entities,
      access: write,
      acting: 'allowed',
      async handle(call, { share }) {
        const { ownsTarget, targetId } = share;
        const alone = deleteShare(share);
        const left = ownsTarget === 1 ? await sharesOfLibrary(store, { id: targetId }) : undefined;
        if (left?.shares !== 1) return call.commit(alone);
        try {
          await call.change(async () => together(alone, await deletionOfLibrary(parts, targetId)));
        } catch (error) {
          if (!isRefusal(error)) throw error;
          // A library that a lock keeps is no reason to keep its share.
          await call.commit(alone);
        }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/token`,
      says: 'The secret of a share, for its maker. Nobody else gets it, also no administrator.',
      entities,
      answers: shareTokenDocument,
      noStore: true,
      access: read,
      async handle(call, { share }) {
        // A share that opens nothing has no secret worth to be told.
        const maker = isMaker(call, share) && (await makerOf(parts, call, share));
        if (!maker || !vault || share.sealed === null) throw noSuchToken(share.id);
        try {
          return { token: await vault.open(share.sealed, purposeOf(share)) };
        } catch (error) {
          // Sealed by another key, or moved here from another row.
          if (error instanceof VaultError) throw noSuchToken(share.id);
          throw error;
        }
      },
    }),
    route({
      method: 'POST',
      path: `${path}/token`,
      says: 'Gives a share a new address, for its maker. The old one ends, and guests are out at once.',
      entities,
      answers: shareTokenDocument,
      noStore: true,
      access: write,
      acting: 'refused',
      async handle(call, { share }) {
        expectSharing(await policyOf(store));
        if (!isMaker(call, share)) throw noSuchToken(share.id);
        const { token, columns } = await secretOf(share.id, share.userId);
        await call.commit(moveShare({ ...share, ...columns }));
        return { token };
      },
    }),
    route({
      method: 'GET',
      path: `${path}/use`,
      says: 'Who used a share: a thousand logins of guests, the newest first. Beyond them the oldest of the network with the most goes.',
      query: page(settings.maxPage, 100),
      entities,
      answers: shareUseListDocument,
      access: read,
      async handle(call, { share: { id } }) {
        const rows = await pageWithin(usesOf, call.reader, { id, ...pageOf(call.query) }, settings.maxPageValues);
        const ids = rows.map((use) => use.id);
        const sent = ids.length > 0 ? await filesOfUses(call.reader, { ids, limit: maxFiles }) : [];
        const files = groupBy(sent, ({ useId }) => useId);
        return { use: rows.map((use) => useFrom(use, files.get(use.id) ?? [])) };
      },
    }),
  ];
}

/** Context of the seal of a secret: it opens in no other row. */
const purposeOf = ({ id, userId }: Pick<ShareRow, 'id' | 'userId'>): string => `share/${userId}/${id}`;

/** Whether the maker of a share asks in person: an administrator who acts for the maker does not. */
function isMaker(call: Call, { userId }: ShareRow): boolean {
  const { user, actor, proof } = subjectOf(call);
  return user?.id === userId && actor === undefined && proof?.maker === undefined;
}
