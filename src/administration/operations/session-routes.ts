import { accessOf } from '../../assets/access/public-reading.ts';
import { sortsNames } from '../../assets/search/public.ts';
import { findTag } from '../../assets/shapes/public.ts';
import { boolean, document, element, integer, list, oneOf, string, structure } from '../../core/documents/describe.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { after } from '../../core/lib/maybe.ts';
import { programVersion } from '../../core/lib/version.ts';
import { list as listOf, text } from '../../http/parameters/index.ts';
import { anyCaller, type Route, route } from '../../http/route.ts';
import { passwordOf } from '../../identity/public.ts';
import { findUser, listUsers } from '../../identity/public-reading.ts';
import { findTranscoders } from '../../production/transcoding/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { StorageSettings } from '../../storage/public.ts';
import type { OperationSettings } from './settings.ts';
import { lackable, whatIsLacking } from './store.ts';

/** Caller and service, as far as a page needs to know them. */
export const sessionDocument = document('SessionDocument', {
  userName: element(string).required.says('The user whose rights the request has.'),
  realName: element(string),
  actor: element(string).says('The user who acts for that user (RunAs).'),
  role: list(string).says('All roles that count: those of the groups, and the roles that these imply.'),
  secondFactor: element(boolean).required.says('Whether the login had a second factor.'),
  password: element(boolean).required.says('Whether the user has a password of this service.'),
  provider: element(string).says('The provider in security.ini by which the session began.'),
  site: element(string).required.says('The first part of ids.'),
  version: element(string).required.says('The version of this program.'),
  maxUploadBytes: element(integer).required.says('Maximum bytes of all open uploads of the user together.'),
  maxPage: element(integer).required.says('Maximum number of entries on a page of a list.'),
  sortsNames: element(boolean).required.says(
    'Whether searches sort by `__name`: the caller may read every field that names.',
  ),
  transcoder: element(boolean).required.says('Whether the service can make shapes of other formats.'),
  lacks: list(oneOf(...lackable)).says(
    'What the service does without so far, such as a storage that takes files. Callers who are no administrators see the storage alone.',
  ),
  accessDecided: element(boolean).says('Whether somebody has decided who sees new items. For administrators.'),
  folder: element(string).says('Address of a folder for the first storage, for administrators while there is none.'),
  program: element(string).says(
    'What a person types before the words of a command on the machine of the service. For administrators.',
  ),
  programOptions: element(string).says('What stands behind these words, where the program does not find the instance.'),
  webTag: element(string).says(
    'The shape tag of films that every browser plays. Absent: no transcoder makes it, or the tag is not there.',
  ),
});

/** Names of one request. */
const maxNames = 100;
/** Roles by which pages show who did something. */
const showsPeople = ['_item_read', '_collection_read', '_library_read', '_job_read'];

export const sessionPeopleDocument = document('SessionPeopleDocument', {
  person: list(
    structure('SessionPersonType', { userName: element(string).required, realName: element(string).required }),
  ),
});

type Parts = Pick<
  RoomContext<OperationSettings & Pick<StorageSettings, 'maxTransferBytes'>>,
  'store' | 'settings' | 'transcoders' | 'roles' | 'mediaFolder' | 'typed'
>;

/** The ready-made shape tag of films for the web. */
const webTag = '__mp4';

/** Tells pages of their caller. `GET /whoami` has the name as text, whatever clients accept. */
export function sessionRoutes({ store, settings, transcoders, roles, mediaFolder, typed }: Parts): readonly Route[] {
  /** The user, unless a plugin knows the caller alone, and whether there is a password. */
  async function accountOf(name: string | undefined) {
    const user = name === undefined ? undefined : await findUser(store, { name });
    return { user, password: Boolean(user && (await passwordOf(store, user))?.password) };
  }

  const session = route({
    method: 'GET',
    path: '/session',
    says: 'The caller with all roles that count, and what a page needs to know of this service.',
    answers: sessionDocument,
    access: anyCaller,
    async handle(call) {
      const subject = subjectOf(call);
      const isTranscoding = (await findTranscoders(transcoders())).working.length > 0;
      // Asked together: reads of one turn share a call to a remote database.
      const [own, { lacks, isEmpty, isAccessDecided }, tag, { user, password }, names] = await Promise.all([
        subject.roles(),
        whatIsLacking(store, isTranscoding),
        isTranscoding ? findTag(store, { name: webTag }) : undefined,
        accountOf(subject.user ? subject.name : undefined),
        after(accessOf(store, call), (viewer) => sortsNames(store, viewer)),
      ]);
      return {
        userName: subject.name,
        realName: user?.realName ?? undefined,
        actor: subject.actor?.name,
        role: [...new Set(own.has(administrator) ? [...own, ...roles] : own)].sort(),
        secondFactor: subject.proof?.isStrong ?? false,
        password,
        provider: subject.proof?.provider,
        site: settings.site,
        version: programVersion,
        maxUploadBytes: settings.maxTransferBytes,
        maxPage: settings.maxPage,
        sortsNames: names,
        transcoder: isTranscoding,
        lacks: own.has(administrator) ? lacks : lacks.filter((name) => name === 'storage'),
        accessDecided: own.has(administrator) ? isAccessDecided : undefined,
        folder: own.has(administrator) && isEmpty ? mediaFolder : undefined,
        ...(own.has(administrator) && { program: typed?.program, programOptions: typed?.options }),
        webTag: tag?.name,
      };
    },
  });
  const people = route({
    method: 'GET',
    path: '/session/people',
    says: `The real names of up to ${maxNames} users. Without \`_user_read\`, those of enabled users for readers of items, collections, libraries or jobs; for others the own one.`,
    query: { name: listOf(text('User names')) },
    answers: sessionPeopleDocument,
    access: anyCaller,
    async handle(call) {
      const { name: names = [] } = call.query;
      if (names.length === 0) return {};
      if (names.length > maxNames)
        throw new ServiceError('bad-value', {
          ...{ context: 'parameter', id: 'name' },
          explanation: `Expected at most ${maxNames} user names: ${names.length}`,
        });
      const subject = subjectOf(call);
      const roles = await subject.roles();
      const isTold = (...any: readonly string[]) => [administrator, ...any].some((name) => roles.has(name));
      const seen = isTold('_user_read', ...showsPeople) ? names : names.filter((name) => name === subject.name);
      const enabled = isTold('_user_read') ? undefined : true;
      const { users } = await listUsers(store, { names: seen, enabled, offset: 0, limit: maxNames });
      return { person: users.flatMap(({ name, realName }) => (realName ? [{ userName: name, realName }] : [])) };
    },
  });
  return [session, people];
}
