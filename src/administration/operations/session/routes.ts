import { findTag } from '../../../assets/shapes/public.ts';
import { programVersion } from '../../../core/lib/version.ts';
import { anyCaller, type Route, route } from '../../../http/route.ts';
import { findUser } from '../../../identity/public-reading.ts';
import { findTranscoders } from '../../../production/transcoding/public.ts';
import type { RoomContext } from '../../../room/context.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import type { MediaSettings } from '../../../storage/public.ts';
import { sessionDocument } from '../documents/session.ts';
import type { OperationSettings } from '../settings.ts';

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
