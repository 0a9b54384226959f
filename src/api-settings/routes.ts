import { uris } from '../http/answers.ts';
import { type Route, role, route } from '../http/route.ts';
import { authRoutes } from './auth/routes.ts';
import { corsRoutes } from './cors/routes.ts';
import type { ConfigurationParts } from './parts.ts';
import { propertyRoutes } from './properties/routes.ts';
import { storedNames, storedRoutes } from './stored/routes.ts';

/** The room of jobs has these. */
const ofJobs = ['job-pool', 'job-priority'];

/** By name and not by address, as clients know this list. */
const resources = ['auth', 'cors', 'properties', ...storedNames, ...ofJobs].sort();

export function configurationRoutes(parts: ConfigurationParts): readonly Route[] {
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
