import { fixedTextOnce, fixedTextReply } from '../../administration/operations/public.ts';
import { apiVersion } from '../../core/lib/version.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { raw } from '../../http/forms.ts';
import { anyCaller, route } from '../../http/route.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { wadlParts, wadlType } from './wadl.ts';

/** Description of the API in the language WADL, for clients that know no OpenAPI. */
export const wadl = defineRoom({
  name: 'wadl',
  extension: { says: 'The WADL document of the API.' },
  open(context: RoomContext<CoreSettings>) {
    const namespace = context.settings.schemaNamespace;
    const text = fixedTextOnce(context, () => wadlParts({ routes: context.routes(), version: apiVersion, namespace }));
    return {
      routes: [
        below('application.wadl', () => [
          route({
            method: 'GET',
            path: '/application.wadl',
            says: 'The WADL document of this API.',
            access: anyCaller,
            answers: raw('text', [wadlType, 'application/xml']),
            handle: async (call) => fixedTextReply(call, call.type, await text()),
          }),
        ]),
      ],
    };
  },
});
