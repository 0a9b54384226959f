import type { Settings } from '../config/settings.ts';
import { createCors } from '../http/cors.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { createOAuth2Setup } from './auth/setup.ts';
import { liveCors } from './cors/live.ts';
import { configurationEvents } from './events.ts';
import { configurationRoutes } from './routes.ts';

/** What administrators configure through the API: bearer tokens, CORS, properties. */
export const configuration = defineRoom({
  name: 'configuration',
  events: configurationEvents,
  roles: ['_configuration_read'],
  open(house: House<Pick<Settings, 'maxPage' | 'corsOrigins'>>) {
    const { store, settings, security } = house;
    const oauth2 = createOAuth2Setup(store);
    return {
      routes: configurationRoutes({
        ...house,
        oauth2,
        problemsOf: security.oauth2Problems,
        mayConfigureBearer: async () => security.allowConfigUpdate(),
      }),
      offices: { oauth2, cors: liveCors(store, createCors(settings.corsOrigins)) },
    };
  },
});
