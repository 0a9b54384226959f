import { type Description, type Explanation, explanationDocument } from '../documents/index.ts';
import { documentTypes, type MediaType, textOnly } from '../http/negotiation.ts';
import { text } from '../http/parameters/index.ts';
import { plain, type Reply } from '../http/reply.ts';
import { type Access, anybody, anyCaller, type Params, type Route, role, route, segment } from '../http/route.ts';
import { below, type RouteGroup } from '../http/route-group.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Metrics } from '../lib/metrics.ts';
import { apiVersion, programVersion } from '../lib/version.ts';
import type { RoomContext } from '../room/context.ts';
import { explanationText, type Question } from '../security/explain.ts';
import { systemActor } from '../store/contract.ts';
import type { WorkStatus } from '../work/status.ts';
import { descriptionRoutes } from './description/routes.ts';
import type { ApiDescription } from './description/texts.ts';
import { healthDocument } from './documents/health.ts';
import { type SelfTest, selfTestDocument } from './documents/self-test.ts';
import { versionDocument } from './documents/version.ts';
import { type WorkList, workListDocument } from './documents/work-list.ts';
import { echoRoute } from './echo.ts';
import type { Health } from './health.ts';
import { initialise } from './initialise.ts';
import { makeReadyMadeGroups } from './ready-made-groups.ts';
import type { createSelfTest } from './self-test.ts';
import { countInventory } from './store.ts';
import { upgradeRoutes } from './upgrade/routes.ts';

/** Document of the background work. */
const workListOf = (instance: string, statuses: readonly WorkStatus[]): WorkList => ({
  instance,
  work: statuses.map(({ lastFailure, pieces, ...status }) => ({
    ...status,
    piece: pieces,
    lastFailure: lastFailure?.at,
    lastFailureReason: lastFailure?.says,
  })),
});

interface Parts
  extends Pick<
    RoomContext,
    'store' | 'clock' | 'roles' | 'fields' | 'work' | 'instanceId' | 'documents' | 'limits' | 'transcoders'
  > {
  readonly metrics: Metrics;
  readonly selfTest: ReturnType<typeof createSelfTest>;
  health(): Promise<Health>;
  readonly description: ApiDescription;
  explain(question: Question): Promise<Explanation>;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

/** JSON for those who do not say what they read: load balancers. */
const jsonFirst: readonly MediaType[] = ['application/json', 'application/xml'];

const version = {
  component: [
    { name: 'API', version: apiVersion },
    { name: 'Portico', version: programVersion },
  ],
  systemInfo: {},
};

/** Monitors of clients alarm unless a license is valid. No count has a limit. */
async function licenseOf({ store }: Pick<Parts, 'store'>, ownTranscoders: number) {
  const { users, items, storages, transcoders } = await countInventory(store);
  const unlimited = (current: number) => ({ allowed: '-1', current: String(current) });
  return {
    licenseStatus: 'valid',
    licenseType: 'open source',
    userNumber: unlimited(users),
    itemNumber: unlimited(items),
    storageNumber: unlimited(storages),
    transcoderNumber: unlimited(transcoders + ownTranscoders),
  };
}

/** Installed transcoders with their versions. */
async function transcoderVersions({ transcoders }: Pick<Parts, 'transcoders'>) {
  const found = await Promise.all(
    transcoders().map(async (each) => ({ name: each.name, able: await each.abilities() })),
  );
  return found.flatMap(({ name, able }) => ('version' in able ? [{ name, version: able.version }] : []));
}

const segments = [
  'APIinit',
  'APInoauth',
  'health',
  'metrics',
  'openapi.json',
  'schema.xsd',
  'security',
  'selftest',
  'upgrade-plan',
  'version',
  'whatismyipaddress',
  'work',
];

export const operationRoutes = (parts: Parts): RouteGroup => below(segments, () => routesOf(parts));

function routesOf(parts: Parts): readonly Route[] {
  const { selfTest, render } = parts;
  return [
    route({
      method: 'POST',
      path: '/APIinit',
      says: 'Creates missing roles, metadata fields and shape tags of this release.',
      answers: 'text',
      access: anybody,
      acting: 'allowed',
      produces: textOnly,
      async handle(call) {
        const { roles, fields } = await initialise(parts, { ...systemActor, requestId: call.trace.id });
        return plain(`Created ${roles.length} roles and ${fields.length} metadata fields\r\n`);
      },
    }),
    route({
      method: 'PUT',
      path: '/APIinit/groups',
      says: 'Creates the groups viewer, editor, librarian and operator with their roles, if they are missing.',
      answers: 'text',
      access: role('_administrator'),
      acting: 'refused',
      produces: textOnly,
      async handle(call) {
        const made = await makeReadyMadeGroups(parts, (work) => call.commit(work));
        return plain(`Created ${made.length} groups\r\n`);
      },
    }),
    route({
      method: 'GET',
      path: '/version',
      says: 'The versions of the API and of this program, and how many users, items, storages and transcoders there are.',
      answers: [versionDocument, 'text'],
      access: anyCaller,
      produces: [...documentTypes, ...textOnly],
      async handle(_call, type) {
        const transcoders = await transcoderVersions(parts);
        const component = [...version.component, ...transcoders];
        if (type === 'text/plain') return plain(component.map((part) => `${part.name}\t${part.version}\r\n`).join(''));
        const licenseInfo = await licenseOf(parts, transcoders.length);
        return render(type, versionDocument, { ...version, component, licenseInfo });
      },
    }),
    route({
      // Receivers on changing addresses make the addresses of their notifications of it.
      method: 'GET',
      path: '/whatismyipaddress',
      says: 'The address that the request came from.',
      answers: 'text',
      access: anybody,
      produces: textOnly,
      handle: ({ address = '' }) => plain(address.replace(/^::ffff:/i, '')),
    }),
    route({
      method: 'GET',
      path: '/APInoauth/is-online',
      says: 'Answers if the service is reachable.',
      answers: 'text',
      access: anybody,
      produces: textOnly,
      handle: () => plain('online'),
    }),
    route({
      method: 'GET',
      path: '/health/live',
      says: 'Whether the process runs.',
      answers: healthDocument,
      access: anybody,
      produces: jsonFirst,
      handle: (_call, type) => render(type, healthDocument, { live: true }),
    }),
    ...['/health/ready', '/health'].map(
      (path): Route =>
        route({
          method: 'GET',
          path,
          says: 'Whether the service can answer requests: if not, the same document with 503.',
          answers: healthDocument,
          access: anybody,
          produces: jsonFirst,
          handle: (_call, type) => health(type),
        }),
    ),
    route({
      method: 'GET',
      path: '/metrics',
      says: 'The metrics, in the text format of Prometheus.',
      answers: 'text',
      access: role('_administrator'),
      produces: textOnly,
      handle: () => metricsReply(parts.metrics),
    }),
    route({
      method: 'GET',
      path: '/work',
      says: 'Background work by kind: waiting, running and last failure.',
      answers: workListDocument,
      access: role('_administrator'),
      produces: documentTypes,
      handle: async (_call, type) =>
        render(type, workListDocument, workListOf(parts.instanceId, await parts.work.list())),
    }),
    route({
      method: 'GET',
      path: '/security/explain',
      says: 'Explains a request: its filters, realms and route, with their decisions.',
      query: {
        target: text('The target of the request, percent-encoded', {
          required: true,
          expected: 'Expected the target of a request, percent-encoded: target=%2FAPI%2Fitem',
        }),
        method: text('The method of the request', { usual: 'GET' }),
        user: text('User of the request'),
      },
      answers: [explanationDocument, 'text'],
      access: role('_administrator'),
      produces: [...documentTypes, ...textOnly],
      async handle({ query: { target, method, user } }, type) {
        const explanation = await parts.explain({ method: method.toUpperCase(), target, user });
        return type === 'text/plain'
          ? plain(explanationText(explanation))
          : render(type, explanationDocument, explanation);
      },
    }),
    ...upgradeRoutes(parts),
    ...descriptionRoutes(parts.description),
    echoRoute(parts),
    ...selfTestRoutes('/selftest', anyCaller),
    ...selfTestRoutes('/APInoauth/selftest', anybody),
  ];

  async function health(type: MediaType): Promise<Reply> {
    const found = await parts.health();
    return { ...render(type, healthDocument, { live: true, ...found }), status: found.ready ? 200 : 503 };
  }

  function selfTestRoutes(path: string, access: Access): Route[] {
    const shared = {
      method: 'GET',
      access,
      answers: selfTestDocument,
      produces: documentTypes,
    } as const;
    const answer = (type: MediaType, found: SelfTest) => render(type, selfTestDocument, found);
    return [
      {
        ...shared,
        path,
        says: 'Checks all parts of the service.',
        handle: async (_call, type) => answer(type, await selfTest.all()),
      },
      {
        ...shared,
        path: `${path}/:test`,
        says: 'Checks one part of the service.',
        handle: async (_call, type, params) => answer(type, await oneTest(params)),
      },
    ];
  }

  async function oneTest(params: Params): Promise<SelfTest> {
    const name = segment(params, 'test');
    const found = await selfTest.one(name);
    if (found) return found;
    const context = `Expected one of ${selfTest.names().join(', ')}`;
    throw new ServiceError('no-such-entity', { type: 'selftest', id: name, context });
  }
}

/** Prometheus text exposition. */
export const metricsReply = (metrics: Metrics): Reply => ({
  status: 200,
  type: 'text/plain; version=0.0.4; charset=utf-8',
  body: metrics.render(),
});
