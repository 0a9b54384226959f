import type { Rule } from './rule.ts';

const service = '/vidispine-service/service/:service';

const services = [`GET ${service}`, `PUT ${service}/enable`, `PUT ${service}/disable`].map(
  (route): Rule => ({
    route,
    needs: '_administrator',
    request: () => ({ request: route.replace(' /', ' /API/').replace(':service', 'audit-sweep') }),
  }),
);

const refused: readonly (readonly [needs: Rule['needs'], route: string])[] = [
  ...['POST /collection/project/inspect', 'POST /import/project', 'POST /import/project/sequence'].map(
    (route) => ['_collection_write', route] as const,
  ),
  ...[
    'GET /item/:item/shape/:shape/cpl',
    'POST /item/:item/shape/imp',
    'POST /import/imp',
    'POST /item/:item/export/imp',
    'POST /item/:item/shape/:shape/export/imp',
  ].map((route) => ['_item_shape_read', route] as const),
  ['_vxa_write', 'PUT /vxa/enable-ssh'],
  ['_administrator', 'POST /license'],
  ['_administrator', 'GET /license/slave'],
  ['_administrator', 'POST /license/slave'],
  ['_administrator', 'PUT /license/slave'],
  ['_job_read', 'GET /cost/estimate/:estimate'],
  ['_job_read', 'GET /cost/:path'],
  ['_job_read', 'POST /cost/:path'],
  ['_metadata_write', 'PUT /item/:item/eidr/sync'],
  ['_metadata_write', 'PUT /library/:library/eidr/sync'],
];

const agents: readonly (readonly [needs: Rule['needs'], route: string])[] = [
  ['_vxa_read', 'GET /vxa/:uuid'],
  ['_vxa_write', 'DELETE /vxa/:uuid'],
  ['_vxa_read', 'GET /vxa/:uuid/configuration'],
];

/** What only systems of others do, which nobody gets 200 for, and the kinds of work that administrators switch. */
export const elsewhereRules: readonly Rule[] = [
  ...services,
  {
    route: 'POST /javascript/test',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/javascript/test', body: '1' }),
  },
  ...[...refused, ...agents].map(
    ([needs, route]): Rule => ({
      route,
      needs,
      allowed: route.includes('/vxa/:') ? 404 : 501,
      request: () => ({ request: route.replace(' /', ' /API/').replace(/:\w+/g, 'VX-1') }),
    }),
  ),
];
