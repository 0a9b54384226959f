import { dateTime, document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { uris } from '../../http/answers.ts';
import { type Access, type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { type KeyValueResource, keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { administrator } from '../../security/subject.ts';

/** Programs of the original that run beside storages. None of them can join this service. */
export const vxaListDocument = document('VXAListDocument', {
  hits: element(integer),
  vxa: list(
    structure('VXAType', {
      uuid: element(string).required,
      user: element(string),
      name: element(string),
      vxaVersion: element(string).required,
      transcoderVersion: element(string).required,
      status: element(string),
      lastSeen: element(dateTime),
    }),
  ),
});

interface Unsupported {
  readonly calls: readonly (readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[];
  readonly says: string;
  readonly explanation: string;
  readonly access: Access;
}

const anAdministrator = role(administrator);
const siteName = { type: 'site', noun: 'Site' } as const;

type Call = Unsupported['calls'][number];

/** Site rules of all entities of a kind, and of one of them. */
const siteRuleCalls = (methods: readonly Call[0][]): readonly Call[] =>
  ['item', 'collection', 'library', 'user', 'group'].flatMap((kind) =>
    [`/${kind}/site-rule`, `/${kind}/:entity/site-rule`].flatMap((path) =>
      methods.map((method) => [method, method === 'GET' || method === 'POST' ? path : `${path}/:rule`] as const),
    ),
  );

const typedLocks = (calls: readonly Call[]): readonly Call[] =>
  ['item', 'collection', 'library', 'file'].flatMap((kind) =>
    calls.map(([method, path]) => [method, `/${kind}/deletion-lock${path}`] as const),
  );

const oneSite = {
  says: 'Answers 501: this service has one site.',
  explanation: 'Expected no rule between sites: this service is one site and exchanges nothing with others',
};
const oneWayToLocks = {
  says: 'Answers 501: a deletion lock has one entity, or none in its path.',
  explanation:
    'Expected a deletion lock by its id or its entity: GET /deletion-lock?entityTypes=Item, /deletion-lock/VX-1, /item/VX-1/deletion-lock',
};

/** Calls that only systems of others can carry out. Each is answered 501 with its reason. */
const unsupported: readonly Unsupported[] = [
  {
    calls: [
      ['GET', '/item/:item/shape/:shape/cpl'],
      ['POST', '/item/:item/shape/imp'],
      ['POST', '/import/imp'],
      ['POST', '/item/:item/export/imp'],
      ['POST', '/item/:item/shape/:shape/export/imp'],
      ['POST', '/storage/file/:file/analyze/imp'],
      ['POST', '/file/:file/import/assetmap'],
      ['POST', '/storage/file/:file/import/assetmap'],
      ['POST', '/storage/:storage/file/import/assetmap'],
    ],
    says: 'Answers 501: this service reads and writes no packages of IMF.',
    explanation: 'Expected no package of IMF: this service reads and writes none',
    access: role('_item_shape_read'),
  },
  {
    calls: [
      ['POST', '/import/assetmap'],
      ['POST', '/item/:item/shape/assetmap'],
    ],
    says: 'Answers 501: this service reads no packages of IMF.',
    explanation: 'Expected no package of IMF: this service reads and writes none',
    access: role('_import'),
  },
  {
    calls: [['POST', '/item/:item/metadata/initialize']],
    says: 'Answers 501: metadata needs no job that makes it.',
    explanation: 'Expected no job that makes metadata: an item has it from the beginning',
    access: role('_metadata_write'),
  },
  {
    calls: [
      ['POST', '/item/:item/archive'],
      ['PUT', '/item/:item/archive'],
    ],
    says: 'Answers 501: storage rules move files to an archive.',
    explanation: 'Expected a storage rule of the item, which copies its files to a storage of an archive class',
    access: role('_item_write'),
  },
  {
    calls: [['POST', '/item/:item/shape/from-document']],
    says: 'Answers 501: another path makes a shape of a document.',
    explanation: 'Expected POST /item/VX-1/shape/create, which makes a shape of a ShapeDocument',
    access: role('_item_shape_write'),
  },
  {
    calls: [['POST', '/sequence']],
    says: 'Answers 501: a sequence belongs to an item.',
    explanation: 'Expected PUT /item/VX-1/sequence/vidispine: a sequence belongs to an item',
    access: role('_item_write'),
  },
  {
    calls: [['GET', '/error/:error']],
    says: 'Answers 501: errors have no resource of their own.',
    explanation: 'Expected GET /error, or the job or storage that an error there names',
    access: anAdministrator,
  },
  {
    calls: [
      ['GET', '/otif'],
      ['POST', '/otif'],
      ['GET', '/otif/:otif'],
      ['PUT', '/otif/:otif'],
      ['DELETE', '/otif/:otif'],
    ],
    says: 'Answers 501: this service runs no analysis tools of others in its transcoder.',
    explanation: 'Expected no OTIF: the interface is one of the transcoder of the original, which is not here',
    access: role('_shape_tag_read'),
  },
  {
    calls: [
      ['GET', '/item/:item/shape/:shape/pfd'],
      ['POST', '/item/:item/shape/:shape/pfd'],
    ],
    says: 'Answers 501: this service writes no descriptions of partial files.',
    explanation: 'Expected no description of partial files: a download of a range, or an export with "start" and "end"',
    access: role('_item_shape_read'),
  },
  {
    calls: [
      ['PUT', '/vxa/enable-ssh'],
      ['POST', '/vxa'],
      ['PUT', '/vxa/:uuid'],
      ['PUT', '/vxa/:uuid/configuration'],
    ],
    says: 'Answers 501: this service has no agents.',
    explanation: 'Expected no call to agents: none can join this service, which reads storages by their methods',
    access: role('_vxa_write'),
  },
  {
    calls: [
      ['GET', '/license'],
      ['POST', '/license'],
      ['GET', '/license/slave'],
      ['POST', '/license/slave'],
      ['PUT', '/license/slave'],
      ['GET', '/license/slave/license'],
      ['GET', '/license/slave/license/:slave'],
      ['GET', '/license/slave/:slave'],
      ['DELETE', '/license/slave/:slave'],
      ['GET', '/license/slave/:slave/license'],
      ['POST', '/UploadLicense/getlic'],
    ],
    says: 'Answers 501: this service needs no licence.',
    explanation: 'Expected no licence: this service needs none and keeps none',
    access: anAdministrator,
  },
  {
    calls: [
      ['GET', '/cost/estimate/:estimate'],
      ['GET', '/cost/:path'],
      ['POST', '/cost/:path'],
    ],
    says: 'Answers 501: this service uses no paid services.',
    explanation: 'Expected no question of costs: no service that is paid for is behind this one',
    access: role('_job_read'),
  },
  {
    calls: [
      ['PUT', '/item/:item/eidr/sync'],
      ['PUT', '/library/:library/eidr/sync'],
    ],
    says: 'Answers 501: this service has no contract with the registry EIDR.',
    explanation: 'Expected no call to the registry EIDR: this service has no contract with it',
    access: role('_metadata_write'),
  },
  {
    calls: [['POST', '/collection/:collection/train']],
    says: 'Answers 501: this service has no image recognition.',
    explanation: 'Expected no call to a service that recognizes pictures: none is behind this one',
    access: role('_item_shape_write'),
  },
  {
    calls: [
      ['GET', '/site/:site'],
      ['PUT', '/site/:site'],
      ['POST', '/site'],
      ['DELETE', '/site/:site'],
    ],
    says: 'Answers 501: this service has one site.',
    explanation: 'Expected no definition of a site: this service is one site and exchanges nothing with others',
    access: anAdministrator,
  },
  {
    calls: [...siteRuleCalls(['GET']), ...siteRuleCalls(['GET']).map(([, path]) => ['GET', `${path}/:rule`] as const)],
    ...oneSite,
    access: role('_site_rule_read'),
  },
  { calls: siteRuleCalls(['POST', 'PUT', 'DELETE']), ...oneSite, access: role('_site_rule_write') },
  {
    calls: typedLocks([
      ['GET', ''],
      ['GET', '/:lock'],
      ['GET', '/:lock/metadata'],
      ['GET', '/:lock/metadata/:key'],
    ]),
    ...oneWayToLocks,
    access: role('_deletion_lock_read'),
  },
  {
    calls: typedLocks([
      ['POST', ''],
      ['PUT', '/:lock'],
      ['PUT', '/:lock/metadata'],
      ['DELETE', '/:lock/metadata'],
      ['PUT', '/:lock/metadata/:key'],
      ['DELETE', '/:lock/metadata/:key'],
    ]),
    ...oneWayToLocks,
    access: role('_deletion_lock_write'),
  },
  {
    calls: [
      ['GET', '/vidispine-logs'],
      ['GET', '/vidispine-logs/job'],
      ['POST', '/vidispine-logs/job'],
      ['GET', '/vidispine-logs/job/:job'],
      ['DELETE', '/vidispine-logs/job/:job'],
      ['POST', '/vidispine-logs/job/:job/upload'],
      ['DELETE', '/vidispine-logs/job/:job/upload'],
      ['GET', '/vidispine-logs/job/:job/uri'],
    ],
    says: 'Answers 501: the log is written to standard output.',
    explanation: 'Expected no call for the log: it goes to the standard output, and the platform keeps it',
    access: anAdministrator,
  },
];

const refused = ({ calls, says, explanation, access }: Unsupported): readonly Route[] =>
  calls.map(([method, path]) =>
    route({
      method,
      path,
      says,
      access,
      acting: 'allowed',
      handle() {
        throw new ServiceError('not-implemented', { context: path, explanation });
      },
    }),
  );

/** The first segments of these paths. */
export const unsupportedSegments = [
  ...['vxa', 'site', 'analyze-preset', 'collection', 'import', 'item', 'license', 'cost', 'library', 'otif', 'error'],
  ...['file', 'storage', 'user', 'group', 'javascript', 'UploadLicense', 'vidispine-logs', 'sequence'],
];

/** Routes of entities that never exist: always 404. */
const never: readonly Route[] = (
  [
    ['GET', '/vxa/:uuid', '_vxa_read', 'VXA', 'no agent can join this service'],
    ['DELETE', '/vxa/:uuid', '_vxa_write', 'VXA', 'no agent can join this service'],
    ['GET', '/vxa/:uuid/configuration', '_vxa_read', 'VXA', 'no agent can join this service'],
    ['GET', '/analyze-preset/:preset', '_shape_tag_read', 'AnalyzePreset', 'every analysis measures the same'],
    ['GET', '/javascript/session/:session', administrator, 'Session', 'no script outlasts its request'],
    ['DELETE', '/javascript/session/:session', administrator, 'Session', 'no script outlasts its request'],
  ] as const
).map(([method, path, needs, type, reason]) =>
  route({
    method,
    path,
    says: `Answers 404: ${reason}.`,
    access: role(needs),
    acting: 'allowed',
    handle(_call, segments) {
      const id = Object.values(segments)[0] ?? '';
      throw new ServiceError('no-such-entity', { type, id: id.slice(0, 80), context: 'path' });
    },
  }),
);

/** Place of the key-values of this site, the only one. */
const sitePlace = (site: string): KeyValueResource => ({
  path: '/site/:site',
  kind: siteName,
  read: anAdministrator,
  write: anAdministrator,
  acting: 'refused',
  entities: () => ({
    site: {
      kind: siteName.type,
      find(name) {
        if (name !== site) throw noSuchEntity(siteName, name);
        return { id: site };
      },
    },
  }),
});

/** Routes of external systems that this service does without: empty lists and refusals. */
export const unsupportedRoutes = (context: RoomContext<CoreSettings>): readonly Route[] => {
  const { site } = context.settings;
  return [
    route({
      method: 'GET',
      path: '/vxa',
      says: 'The agents of storages. The list is empty.',
      answers: vxaListDocument,
      access: role('_vxa_read'),
      handle: () => ({ hits: 0, vxa: [] }),
    }),
    ...never,
    route({
      method: 'GET',
      path: '/site',
      says: 'The name of the site: the prefix of ids.',
      answers: uris,
      access: anAdministrator,
      handle: () => [site],
    }),
    route({
      method: 'GET',
      path: '/analyze-preset',
      says: 'The presets of analyses. The list is empty, because every analysis measures the same.',
      answers: uris,
      access: role('_shape_tag_read'),
      handle: () => [],
    }),
    ...keyValueRoutes(context, sitePlace(site)),
    ...unsupported.flatMap(refused),
  ];
};
