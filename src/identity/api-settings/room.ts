import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Store } from '../../core/store/store.ts';
import { uris } from '../../http/answers.ts';
import { createCors } from '../../http/cors.ts';
import { type Route, role, route } from '../../http/route.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import type { OAuth2Configuration, OAuth2Setup } from '../../spi/index.ts';
import { authRoutes } from './auth-routes.ts';
import { liveCors } from './cors.ts';
import { corsRoutes } from './cors-routes.ts';
import type { DatabasePurging } from './documents.ts';
import * as documents from './documents.ts';
import { configurationEvents } from './events.ts';
import { liveDocument } from './live-document.ts';
import { type ConfigurationParts, type ConfigurationSettings, configurationSettings } from './parts.ts';
import { propertyRoutes } from './property-routes.ts';
import { secretRoutes } from './secret-routes.ts';
import { openSecrets } from './secrets.ts';
import { storedNames, storedRoutes } from './stored-routes.ts';
import { purgingName, retentionDays, retentionOf } from './stored-rules.ts';
import * as tables from './tables.ts';
import { taskGroupRoutes } from './task-group-routes.ts';

/** The room of jobs has these. */
const ofJobs = ['job-pool', 'job-priority'];

/** By name and not by address, as clients know this list. */
const resources = ['auth', 'cors', 'properties', ...storedNames, ...ofJobs].sort();

function configurationRoutes(parts: ConfigurationParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/configuration',
      says: 'The names of the configurations below this path.',
      answers: uris,
      access: role('_configuration_read'),
      handle: () => resources,
    }),
    ...authRoutes(parts),
    ...corsRoutes(parts),
    ...propertyRoutes(parts),
    ...storedRoutes(parts),
  ];
}

/** Current OAuth2 setup, for the bearer filter. */
function createOAuth2Setup(store: Store): () => Maybe<OAuth2Setup> {
  const live = liveDocument(store, 'auth', (document) => document as OAuth2Configuration);
  return () => after(live(), ({ revision, value }) => ({ revision, configuration: value }));
}

/** Room of settings that administrators change through the API: bearer tokens, CORS, properties. */
export const apiSettings = defineRoom({
  name: 'api-settings',
  settings: configurationSettings,
  tables,
  documents: [documents],
  events: configurationEvents,
  roles: ['_configuration_read'],
  open(
    context: RoomContext<Pick<ConfigurationSettings, 'maxPage' | 'maxPageValues' | 'corsOrigins' | 'maxMetadataBytes'>>,
  ) {
    const { store, settings, security } = context;
    const oauth2 = createOAuth2Setup(store);
    const secrets = openSecrets(context);
    const purging = liveDocument(store, purgingName, (document) => retentionOf(document as DatabasePurging));
    return {
      routes: [
        below('secret', () => secretRoutes({ ...context, seal: secrets.seal })),
        below('task-group', () => taskGroupRoutes(context)),
        below('configuration', () =>
          configurationRoutes({
            ...context,
            oauth2,
            problemsOf: security.oauth2Problems,
            mayConfigureBearer: async () => security.allowConfigUpdate(),
          }),
        ),
      ],
      services: {
        oauth2,
        secrets: secrets.services,
        cors: liveCors(store, createCors(settings.corsOrigins)),
        retention: async () => (await purging()).value ?? {},
        retentionDays,
      },
    };
  },
});
