import { unsupported } from '../../../src/extensions/unsupported/table.ts';
import { unmarked } from '../../../src/http/opaque.ts';
import type { World } from '../../support/matrix.ts';
import { routes } from './routes.ts';
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
  ...[
    'GET /item/:item/shape/:shape/cpl',
    'POST /item/:item/shape/imp',
    'POST /import/imp',
    'POST /item/:item/export/imp',
    'POST /item/:item/shape/:shape/export/imp',
    'POST /storage/file/:file/analyze/imp',
    'POST /file/:file/import/assetmap',
    'POST /storage/file/:file/import/assetmap',
    'POST /storage/:storage/file/import/assetmap',
  ].map((route) => ['_item_shape_read', route] as const),
  ['_vxa_write', 'PUT /vxa/enable-ssh'],
  ['_vxa_write', 'POST /vxa'],
  ['_vxa_write', 'PUT /vxa/:uuid'],
  ['_vxa_write', 'PUT /vxa/:uuid/configuration'],
  ['_import', 'POST /import/assetmap'],
  ['_import', 'POST /item/:item/shape/assetmap'],
  ['_metadata_write', 'POST /item/:item/metadata/initialize'],
  ...['POST', 'PUT'].map((method) => ['_item_write', `${method} /item/:item/archive`] as const),
  ['_item_shape_write', 'POST /item/:item/shape/from-document'],
  ['_item_write', 'POST /sequence'],
  ...['GET /otif', 'POST /otif', 'GET /otif/:otif', 'PUT /otif/:otif', 'DELETE /otif/:otif'].map(
    (route) => ['_shape_tag_read', route] as const,
  ),
  ['_item_shape_read', 'GET /item/:item/shape/:shape/pfd'],
  ['_item_shape_read', 'POST /item/:item/shape/:shape/pfd'],
  ...[
    'GET /license',
    'POST /license',
    'GET /license/slave',
    'POST /license/slave',
    'PUT /license/slave',
    'GET /license/slave/license',
    'GET /license/slave/license/:slave',
    'GET /license/slave/:slave',
    'DELETE /license/slave/:slave',
    'GET /license/slave/:slave/license',
    'POST /UploadLicense/getlic',
    'GET /site/:site',
    'PUT /site/:site',
    'POST /site',
    'DELETE /site/:site',
    'GET /error/:error',
    'GET /vidispine-logs',
    'GET /vidispine-logs/job',
    'POST /vidispine-logs/job',
    'GET /vidispine-logs/job/:job',
    'DELETE /vidispine-logs/job/:job',
    'POST /vidispine-logs/job/:job/upload',
    'DELETE /vidispine-logs/job/:job/upload',
    'GET /vidispine-logs/job/:job/uri',
  ].map((route) => ['_administrator', route] as const),
  ['_item_shape_write', 'POST /collection/:collection/train'],
  ['_job_read', 'GET /cost/estimate/:estimate'],
  ['_job_read', 'GET /cost/:path'],
  ['_job_read', 'POST /cost/:path'],
  ['_metadata_write', 'PUT /item/:item/eidr/sync'],
  ['_metadata_write', 'PUT /library/:library/eidr/sync'],
];

/** Rules between sites and locks by the kind of their entity: one reason for all. */
const byKind = (kinds: readonly string[], paths: readonly string[], area: string): typeof refused =>
  kinds.flatMap((kind) =>
    paths.map((each) => {
      const [method, path] = each.split(' ') as [string, string];
      return [`_${area}_${method === 'GET' ? 'read' : 'write'}`, `${method} /${kind}${path}`] as const;
    }),
  );

const rulesOf = (path: string) => [
  ...[`GET ${path}`, `POST ${path}`],
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} ${path}/:rule`),
];
const lockPaths = [
  ...['GET', 'POST'].map((method) => `${method} /deletion-lock`),
  ...['GET', 'PUT'].map((method) => `${method} /deletion-lock/:lock`),
  ...['GET', 'PUT', 'DELETE'].flatMap((method) =>
    ['', '/:key'].map((key) => `${method} /deletion-lock/:lock/metadata${key}`),
  ),
];
const refusedByKind = [
  ...byKind(
    ['item', 'collection', 'library', 'user', 'group'],
    [...rulesOf('/site-rule'), ...rulesOf('/:entity/site-rule')],
    'site_rule',
  ),
  ...byKind(['item', 'collection', 'library', 'file'], lockPaths, 'deletion_lock'),
];

const never: readonly (readonly [needs: Rule['needs'], route: string])[] = [
  ['_vxa_read', 'GET /vxa/:uuid'],
  ['_vxa_write', 'DELETE /vxa/:uuid'],
  ['_vxa_read', 'GET /vxa/:uuid/configuration'],
  ['_shape_tag_read', 'GET /analyze-preset/:preset'],
  ['_administrator', 'GET /javascript/session/:session'],
  ['_administrator', 'DELETE /javascript/session/:session'],
];

const siteMetadata = { field: [{ key: 'color', value: 'blue' }] };
const site: readonly (readonly [route: string, at: string, body?: string | object])[] = [
  ['GET /site/:site/metadata', '/site/VX/metadata'],
  ['PUT /site/:site/metadata', '/site/VX/metadata', siteMetadata],
  ['DELETE /site/:site/metadata', '/site/VX/metadata'],
  ['GET /site/:site/metadata/:key{.+}', '/site/VX/metadata/color'],
  ['PUT /site/:site/metadata/:key{.+}', '/site/VX/metadata/color', 'blue'],
  ['DELETE /site/:site/metadata/:key{.+}', '/site/VX/metadata/color'],
];
const siteRows = async (world: World): Promise<void> => {
  const sql = `INSERT INTO key_value (entity_type, entity_id, key, position, value) VALUES ('site', 'VX', 'color', 0, 'red')
    ON CONFLICT DO NOTHING`;
  await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
};

const namedRefusals = [...refused, ...refusedByKind, ...never];
const others = unsupported.flatMap(({ calls, access }) =>
  calls.map(([method, path]) => [access.needs.role as Rule['needs'], `${method} ${unmarked(path)}`] as const),
);
const refusals = [
  ...namedRefusals,
  ...others.filter(([, route]) => routes.includes(route) && !namedRefusals.some((each) => each[1] === route)),
];

/** Rules of routes for foreign systems, which nobody gets 200 for, and of work kinds that administrators switch. */
export const elsewhereRules: readonly Rule[] = [
  ...services,
  ...site.map(
    ([route, at, body]): Rule => ({
      route,
      needs: '_administrator',
      rows: siteRows,
      request: () => ({ request: `${route.split(' ')[0]} /API${at}`, ...(body !== undefined && { body }) }),
    }),
  ),
  {
    route: 'POST /javascript/test',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/javascript/test', body: '1' }),
  },
  ...refusals.map(
    ([needs, route]): Rule => ({
      route,
      needs,
      allowed: never.some((each) => each[1] === route) ? 404 : 501,
      request: () => ({ request: route.replace(/ \/(?!API)/, ' /API/').replace(/:\w+/g, 'VX-1') }),
    }),
  ),
];
