import { uriListDocument } from '../../documents/index.ts';
import { documentOrText, documentTypes } from '../../http/negotiation.ts';
import { lines } from '../../http/reply.ts';
import { type Access, type Route, role } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { House } from '../../room/house.ts';
import { administrator } from '../../security/subject.ts';
import type { CoreSettings } from '../../settings/core.ts';
import { vxaListDocument } from '../documents/agents.ts';

interface Elsewhere {
  readonly calls: readonly (readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[];
  readonly says: string;
  readonly explanation: string;
  readonly access: Access;
}

const anAdministrator = role(administrator);

/** Calls that only systems of others can carry out. Each is answered 501 with its reason. */
const elsewhere: readonly Elsewhere[] = [
  {
    calls: [
      ['POST', '/collection/project/inspect'],
      ['POST', '/import/project'],
      ['POST', '/import/project/sequence'],
    ],
    says: 'Answers 501: this service reads and writes no project of an editing program.',
    explanation: 'Expected no project of an editing program: this service keeps its files, and reads and writes none',
    access: role('_collection_write'),
  },
  {
    calls: [
      ['GET', '/item/:item/shape/:shape/cpl'],
      ['POST', '/item/:item/shape/imp'],
      ['POST', '/import/imp'],
      ['POST', '/item/:item/export/imp'],
      ['POST', '/item/:item/shape/:shape/export/imp'],
    ],
    says: 'Answers 501: this service reads and writes no packages of IMF.',
    explanation: 'Expected no package of IMF: this service reads and writes none',
    access: role('_item_shape_read'),
  },
  {
    calls: [['PUT', '/vxa/enable-ssh']],
    says: 'Answers 501: no agent can join this service.',
    explanation: 'Expected no call to agents: none can join this service, which reads storages by their methods',
    access: role('_vxa_write'),
  },
  {
    calls: [
      ['POST', '/license'],
      ['GET', '/license/slave'],
      ['POST', '/license/slave'],
      ['PUT', '/license/slave'],
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
    says: 'Answers 501: no service that is paid for is behind this one.',
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
];

const refused = ({ calls, says, explanation, access }: Elsewhere): readonly Route[] =>
  calls.map(([method, path]): Route => {
    const told = { path, says, access, produces: [] };
    const handle = (): never => {
      throw new ServiceError('not-implemented', { context: path, explanation });
    };
    return method === 'GET' ? { ...told, method, handle } : { ...told, method, acting: 'allowed', handle };
  });

/** No agent joins this service, so none is found. */
const agents: readonly Route[] = (
  [
    ['GET', '/vxa/:uuid', '_vxa_read'],
    ['DELETE', '/vxa/:uuid', '_vxa_write'],
    ['GET', '/vxa/:uuid/configuration', '_vxa_read'],
  ] as const
).map(([method, path, needs]): Route => {
  const told = { path, says: 'Answers 404: no agent can join this service.', access: role(needs), produces: [] };
  const handle: Route['handle'] = (_call, _type, { uuid = '' }) => {
    throw new ServiceError('no-such-entity', { type: 'VXA', id: uuid.slice(0, 80), context: 'path' });
  };
  return method === 'GET' ? { ...told, method, handle } : { ...told, method, acting: 'allowed', handle };
});

/** What systems beside this service would do, and the lists that are empty without them. */
export const elsewhereRoutes = ({
  render,
  settings: { site },
}: House<Pick<CoreSettings, 'site'>>): readonly Route[] => [
  {
    method: 'GET',
    path: '/vxa',
    says: 'The agents of storages: there are none.',
    answers: vxaListDocument,
    access: role('_vxa_read'),
    produces: documentTypes,
    handle: (_call, type) => render(type, vxaListDocument, { hits: 0, vxa: [] }),
  },
  ...agents,
  {
    method: 'GET',
    path: '/site',
    says: 'The name of the site, which ids begin with.',
    answers: [uriListDocument, 'text'],
    access: anAdministrator,
    produces: documentOrText,
    handle: (_call, type) => (type === 'text/plain' ? lines([[site]]) : render(type, uriListDocument, { uri: [site] })),
  },
  {
    method: 'GET',
    path: '/analyze-preset',
    says: 'The presets of analyses: there are none, because every analysis measures the same.',
    answers: [uriListDocument, 'text'],
    access: role('_shape_tag_read'),
    produces: documentOrText,
    handle: (_call, type) => (type === 'text/plain' ? lines([]) : render(type, uriListDocument, { uri: [] })),
  },
  ...elsewhere.flatMap(refused),
];
