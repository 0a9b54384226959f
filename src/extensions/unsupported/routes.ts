import { dateTime, document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CoreSettings } from '../../core/settings/core.ts';
import { uris } from '../../http/answers.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { type KeyValueResource, keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { administrator } from '../../security/subject.ts';
import { anAdministrator, type Unsupported } from './calls.ts';
import { unsupported } from './table.ts';

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

const segments = new Set(unsupported.flatMap(({ calls }) => calls.map(([, path]) => path.split('/')[1]!)));

/** The first segments of these paths. */
export const unsupportedSegments = [...segments, 'analyze-preset', 'javascript'];

const siteName = { type: 'site', noun: 'Site' } as const;

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
