import { collectionAt, itemAt } from '../../assets/items/contract/entities.ts';
import { libraryAt } from '../../assets/items/public.ts';
import { requireTags } from '../../assets/shapes/public.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import { Secret } from '../../core/lib/secret.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import type { Statement } from '../../core/store/contract.ts';
import { flag, page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, role, roleMissing, route } from '../../http/route.ts';
import { checkPassword, type IdentitySettings, usersWithIds } from '../../identity/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { type Share, shareDocument, shareFrom, shareListDocument, shareUseListDocument, useFrom } from './documents.ts';
import { shareRole } from './maker.ts';
import { changeShare, createShare, deleteShare, noSuchShare, termsFrom } from './rules.ts';
import { allShares, findShare, type ShareRow, shareMustExist, sharesOf, sharesOn, usesOf } from './store.ts';
import type { TargetType } from './tables.ts';

type ShareSettings = CoreSettings & Pick<IdentitySettings, 'minPasswordLength' | 'maxPasswordLength'>;
export type ShareContext = RoomContext<ShareSettings>;

/** Bytes of the secret in an address. */
const secretBytes = 16;

/** Routes of those who make shares. Each user sees and changes the own ones, an administrator all. */
export function shareRoutes(parts: ShareContext): readonly Route[] {
  const { store, clock, random, settings, services, fingerprint } = parts;
  const [read, write] = [role('_share_read'), role(shareRole)];
  const path = '/share/:share';
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

  async function documentsOf(rows: readonly ShareRow[]): Promise<readonly Share[]> {
    const ids = [...new Set(rows.map(({ userId }) => userId))];
    const names = new Map((await usersWithIds(store, { ids })).map(({ id, name }) => [id, name]));
    return rows.map((row) => shareFrom(row, names.get(row.userId) ?? '', clock.now()));
  }

  /** The stored form of a password. Left out: as before. */
  async function hashed(password: string | undefined, before: string | null): Promise<string | null> {
    if (password === undefined) return before;
    if (password === '') return null;
    checkPassword(password, settings, '/ShareDocument/password');
    return services.passwords.hash(new Secret(password).reveal());
  }

  const tagsThere = ({ play = [], download = [] }: Share): Promise<readonly Statement[]> =>
    requireTags(store, [...new Set([...play, ...download])]);

  const onTarget = <E extends { readonly id: string }>(type: TargetType, entity: PathEntity<E>) => {
    const at = { path: `/${type}/:${type}/share` as `/${string}`, entities: { [type]: entity } };
    const targetOf = (segments: Readonly<Record<string, unknown>>) => (segments[type] as E).id;
    return [
      route({
        ...at,
        method: 'GET',
        says: `The shares of the caller that show the ${type}, the newest first.`,
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
          const rows = await pageWithin(
            sharesOn,
            call.reader,
            { ...values, ...pageOf(call.query) },
            settings.maxPageValues,
          );
          return { share: await documentsOf(rows) };
        },
      }),
      route({
        ...at,
        method: 'POST',
        says: `Shares the ${type} by a secret address, with the rights of the caller. The answer tells the secret once.`,
        reads: shareDocument,
        answers: shareDocument,
        location: ({ id = '' }) => ['share', id],
        noStore: true,
        access: write,
        acting: 'refused',
        async handle(call, segments) {
          const { user } = subjectOf(call);
          if (!user)
            throw new ServiceError('not-allowed', { context: 'user', explanation: 'Expected a user of the service' });
          const terms = termsFrom(call.body, type);
          const guards = await tagsThere(call.body);
          const password = await hashed(call.body.password, null);
          const id = await store.nextId('share');
          const token = textOfBytes(random.bytes(secretBytes));
          const row: ShareRow = {
            ...{ id, serial: serialOf(id), userId: user.id, targetType: type, targetId: targetOf(segments) },
            ...{ digest: fingerprint(token), ...terms, password },
            ...{ used: 0, comments: 0, files: 0, bytes: 0, createdAt: clock.now() },
          };
          await call.commit(createShare(row, guards));
          return shareFrom(row, user.name, clock.now(), token);
        },
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
        const rows = await pageWithin(everyone ? allShares : sharesOf, call.reader, values, settings.maxPageValues);
        return { share: await documentsOf(rows) };
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
      says: 'Changes what a share allows. Only the password stays where it is left out. The address stays.',
      entities,
      reads: shareDocument,
      answers: shareDocument,
      access: write,
      acting: 'refused',
      async handle(call, { share }) {
        const terms = termsFrom(call.body, share.targetType);
        const guards = await tagsThere(call.body);
        const row = { ...share, ...terms, password: await hashed(call.body.password, share.password) };
        await call.commit(changeShare(row, guards));
        return (await documentsOf([row]))[0]!;
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Revokes a share. Guests are out at once.',
      entities,
      access: write,
      acting: 'allowed',
      handle: (call, { share }) => call.commit(deleteShare(share)),
    }),
    route({
      method: 'GET',
      path: `${path}/use`,
      says: 'Who used a share: the newest thousand logins of guests.',
      query: page(settings.maxPage, 100),
      entities,
      answers: shareUseListDocument,
      access: read,
      async handle(call, { share: { id } }) {
        const rows = await pageWithin(usesOf, call.reader, { id, ...pageOf(call.query) }, settings.maxPageValues);
        return { use: rows.map(useFrom) };
      },
    }),
  ];
}
