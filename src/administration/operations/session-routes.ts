import { findTag } from '../../assets/shapes/public.ts';
import { boolean, document, element, integer, list, string } from '../../core/documents/describe.ts';
import { programVersion } from '../../core/lib/version.ts';
import { anyCaller, type Route, route } from '../../http/route.ts';
import { findUser } from '../../identity/public-reading.ts';
import { findTranscoders } from '../../production/transcoding/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { MediaSettings } from '../../storage/public.ts';
import type { OperationSettings } from './settings.ts';

/** Caller and service, as far as a page needs to know them. */
export const sessionDocument = document('SessionDocument', {
  userName: element(string).required.says('The user whose rights the request has.'),
  realName: element(string),
  actor: element(string).says('The user who acts for that user (RunAs).'),
  role: list(string).says('All roles that count: those of the groups, and the roles that these imply.'),
  secondFactor: element(boolean).required.says('Whether the login had a second factor.'),
  site: element(string).required.says('The first part of ids.'),
  version: element(string).required.says('The version of this program.'),
  maxUploadBytes: element(integer).required.says('Maximum bytes of all open uploads of the user together.'),
  maxPage: element(integer).required.says('Maximum number of entries on a page of a list.'),
  transcoder: element(boolean).required.says('Whether the service can make shapes of other formats.'),
  webTag: element(string).says(
    'The shape tag of films that every browser plays. Absent: no transcoder makes it, or the tag is not there.',
  ),
});

type Parts = Pick<
  RoomContext<OperationSettings & Pick<MediaSettings, 'maxTransferBytes'>>,
  'store' | 'settings' | 'transcoders' | 'roles'
>;

/** The ready-made shape tag of films for the web. */
const webTag = '__mp4';

/** Tells pages of their caller. `GET /whoami` has the name as text, whatever clients accept. */
export const sessionRoutes = ({ store, settings, transcoders, roles }: Parts): readonly Route[] => [
  route({
    method: 'GET',
    path: '/session',
    says: 'The caller with all roles that count, and what a page needs to know of this service.',
    answers: sessionDocument,
    access: anyCaller,
    async handle(call) {
      const subject = subjectOf(call);
      const own = await subject.roles();
      const transcoder = (await findTranscoders(transcoders())).working.length > 0;
      const tag = transcoder ? await findTag(store, { name: webTag }) : undefined;
      const row = subject.user && (await findUser(store, { name: subject.name }));
      return {
        userName: subject.name,
        realName: row?.realName ?? undefined,
        actor: subject.actor?.name,
        role: [...new Set(own.has(administrator) ? [...own, ...roles] : own)].sort(),
        secondFactor: subject.proof?.isStrong ?? false,
        site: settings.site,
        version: programVersion,
        maxUploadBytes: settings.maxTransferBytes,
        maxPage: settings.maxPage,
        transcoder,
        webTag: tag?.name,
      };
    },
  }),
];
