import { type Route, role, route } from '../../../http/route.ts';
import { administrator } from '../../../security/subject.ts';
import { type CorsConfiguration, corsConfigurationDocument } from '../documents/cors.ts';
import { liveDocument } from '../live-document.ts';
import type { ConfigurationParts } from '../parts.ts';
import { replaceCors } from './rules.ts';

/** Routes of the CORS configuration. */
export function corsRoutes({ store }: ConfigurationParts): readonly Route[] {
  const live = liveDocument(store, 'cors', (document) => document as CorsConfiguration);
  const path = '/configuration/cors';
  return [
    route({
      method: 'GET',
      path,
      says: 'Which pages of other origins may call the API.',
      answers: corsConfigurationDocument,
      access: role('_configuration_read'),
      handle: async () => (await live()).value ?? {},
    }),
    route({
      method: 'PUT',
      path,
      says: 'Sets which pages of other origins may call the API.',
      reads: corsConfigurationDocument,
      access: role(administrator),
      acting: 'refused',
      handle: (call) => call.commit(replaceCors(call.body)),
    }),
  ];
}
