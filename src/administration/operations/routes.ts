import { type Description, explanationDocument } from '../../core/documents/index.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { apiVersion, programVersion } from '../../core/lib/version.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { WorkStatus } from '../../core/work/status.ts';
import { answer } from '../../http/answers.ts';
import { readAnyDocument } from '../../http/body.ts';
import { nameIgnored } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { badParameter, text } from '../../http/parameters/index.ts';
import { linesOf, type Reply } from '../../http/reply.ts';
import { type Access, access, anybody, anyCaller, type Route, role, roleMissing, route } from '../../http/route.ts';
import { below, type RouteGroup } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import { explanationText } from '../../security/explanation-text.ts';
import { administrator } from '../../security/subject.ts';
import type { ApiDescription } from './description-routes.ts';
import { descriptionRoutes } from './description-routes.ts';
import { securityFindingListDocument, versionDocument, type WorkList, workListDocument } from './documents.ts';
import { type Health, healthDocument } from './health.ts';
import { initialise, makeReadyMadeGroups } from './initialise.ts';
import { sampleRoutes } from './sample-routes.ts';
import { type createSelfTest, type SelfTest, selfTestDocument } from './self-test.ts';
import { countInventory } from './store.ts';
import { planUpgrade, upgradePlanDocument } from './upgrade-plan.ts';

/** Limit of a public route: a larger document could delay other requests. */
const mostBytes = 65_536;

/** Forms of a client turn the XML that a person has written into JSON here. What only comes in, such as a password, stays out. */
function echoRoute({ documents }: { readonly documents: readonly Description[] }): Route {
  function describe(root = ''): Description {
    const description = documents.find(({ name, aliases }) => name === root || aliases.includes(root));
    if (description !== undefined) return description;
    const explanation = 'Expected an XML document with the name of a document of this API as its root element';
    throw new ServiceError('bad-document', {
      context: 'body',
      explanation,
      ...(root !== '' && { value: root }),
    });
  }

  return route({
    method: 'PUT',
    path: '/APInoauth/debug/echo',
    says: 'Returns the XML document of the request, as JSON or XML.',
    reads: raw('xml'),
    answers: raw('text', documentTypes),
    access: anybody,
    acting: 'allowed',
    async handle({ request, sent, trace, limits, type, render }) {
      const bounded = { ...limits, bytes: Math.min(limits.bytes, mostBytes) };
      const { description, value } = await readAnyDocument(request, sent, describe, bounded, (name) =>
        nameIgnored(trace, name),
      );
      return render(type, description, value);
    },
  });
}

const release = (says: string) => text(says, { required: true, expected: 'Expected a release such as 4.17 or 23.2' });

/** Administrators ask about everybody, and users about themselves. */
const explaining = access({ role: administrator, orSelf: { param: 'user' } }, async (call) => {
  const subject = subjectOf(call);
  if (call.parameters.get('user') === subject.name || (await subject.has(administrator))) return;
  throw roleMissing(administrator);
});

/** For operators who come from a release of the original. */
const upgradeRoutes = (): readonly Route[] => [
  route({
    method: 'GET',
    path: '/upgrade-plan',
    says: 'The steps of an upgrade from one release of the original to another, in order.',
    query: { from: release('The current release'), to: release('The target release') },
    answers: answer(upgradePlanDocument, {
      text: ({ step = [] }) =>
        linesOf(step.map(({ task, release, says, command = '' }) => [task, release, says, command])),
    }),
    access: role(administrator),
    handle: ({ query: { from, to } }) => planUpgrade(from, to),
  }),
];

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
    | 'store'
    | 'clock'
    | 'roles'
    | 'fields'
    | 'work'
    | 'instanceId'
    | 'documents'
    | 'security'
    | 'limits'
    | 'transcoders'
    | 'processes'
    | 'sample'
    | 'carryOut'
    | 'random'
  > {
  readonly metrics: Metrics;
  readonly selfTest: ReturnType<typeof createSelfTest>;
  health(): Promise<Health>;
  readonly description: ApiDescription;
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
  const abilities = await Promise.all(
    transcoders().map(async (each) => ({ name: each.name, able: await each.abilities() })),
  );
  return abilities.flatMap(({ name, able }) => ('version' in able ? [{ name, version: able.version }] : []));
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
      async handle(call) {
        const { roles, fields } = await initialise(parts, { ...systemActor, requestId: call.trace.id });
        return `Created ${roles.length} roles and ${fields.length} metadata fields\r\n`;
      },
    }),
    route({
      method: 'PUT',
      path: '/APIinit/groups',
      says: 'Creates the groups viewer, reviewer, editor, librarian and operator with their roles, if they are missing.',
      answers: 'text',
      access: role('_administrator'),
      acting: 'refused',
      async handle(call) {
        const names = await makeReadyMadeGroups(parts, (work) => call.commit(work));
        return `Created ${names.length} groups\r\n`;
      },
    }),
    route({
      method: 'GET',
      path: '/version',
      says: 'The versions of the API and of this program, and how many users, items, storages and transcoders there are.',
      answers: answer(versionDocument, {
        text: ({ component = [] }) => linesOf(component.map(({ name, version }) => [name ?? '', version ?? ''])),
      }),
      access: anyCaller,
      async handle({ type }) {
        const transcoders = await transcoderVersions(parts);
        const component = [...version.component, ...transcoders];
        if (type === 'text/plain') return { component };
        return { ...version, component, licenseInfo: await licenseOf(parts, transcoders.length) };
      },
    }),
    route({
      // Receivers on changing addresses make the addresses of their notifications of it.
      method: 'GET',
      path: '/whatismyipaddress',
      says: 'The address that the request came from.',
      answers: 'text',
      access: anybody,
      handle: ({ address = '' }) => address.replace(/^::ffff:/i, ''),
    }),
    route({
      method: 'GET',
      path: '/APInoauth/is-online',
      says: 'Answers if the service is reachable.',
      answers: 'text',
      access: anybody,
      handle: () => 'online',
    }),
    route({
      method: 'GET',
      path: '/health/live',
      says: 'Whether the process runs.',
      answers: raw(healthDocument, jsonFirst),
      access: anybody,
      handle: ({ type }) => render(type, healthDocument, { live: true }),
    }),
    ...['/health/ready', '/health'].map(
      (path): Route =>
        route({
          method: 'GET',
          path,
          says: 'Whether the service can answer requests: if not, the same document with 503.',
          answers: raw(healthDocument, jsonFirst),
          access: anybody,
          handle: ({ type }) => health(type),
        }),
    ),
    route({
      method: 'GET',
      path: '/metrics',
      says: 'The metrics, in the text format of Prometheus.',
      answers: raw('text'),
      access: role('_administrator'),
      handle: () => metricsReply(parts),
    }),
    route({
      method: 'GET',
      path: '/work',
      says: 'Background work by kind: waiting, running and last failure.',
      answers: workListDocument,
      access: role('_administrator'),
      handle: async () => workListOf(parts.instanceId, await parts.work.list()),
    }),
    route({
      method: 'GET',
      path: '/security/explain',
      says: 'Explains a request: its filters, realms and route, with their decisions. Explains a user: the groups and where they come from, and what is missing for the request. Users ask about themselves, and learn nothing about security.ini and other groups.',
      query: {
        target: text('The target of the request, percent-encoded. Left out: only the user is explained'),
        method: text('The method of the request', { defaultValue: 'GET' }),
        user: text('User of the request. Another one than the caller needs `_administrator`'),
      },
      answers: answer(explanationDocument, { text: explanationText }),
      access: explaining,
      async handle(call) {
        const { target, method, user } = call.query;
        if (target === undefined && user === undefined)
          throw badParameter('target', 'Expected the target of a request, percent-encoded: target=%2FAPI%2Fitem');
        const subject = subjectOf(call);
        const isOwn = !(await subject.has(administrator));
        const of = { user: isOwn ? subject.name : user, by: accountOf(call), isOwn };
        return parts.security.explain({ method: method.toUpperCase(), target, ...of });
      },
    }),
    route({
      method: 'GET',
      path: '/security/finding',
      says: 'Errors and warnings of security.ini and of plugins, with their lines.',
      answers: securityFindingListDocument,
      access: role('_administrator'),
      handle: () => ({ keptSince: parts.security.kept()?.since, finding: [...parts.security.findings()] }),
    }),
    ...upgradeRoutes(),
    ...sampleRoutes(parts),
    ...descriptionRoutes(parts.description),
    echoRoute(parts),
    ...selfTestRoutes('/selftest', anyCaller),
    ...selfTestRoutes('/APInoauth/selftest', anybody),
  ];

  async function health(type: MediaType): Promise<Reply> {
    const readiness = await parts.health();
    return { ...render(type, healthDocument, { live: true, ...readiness }), status: readiness.ready ? 200 : 503 };
  }

  function selfTestRoutes(path: string, access: Access): Route[] {
    const shared = { method: 'GET', access, answers: selfTestDocument } as const;
    return [
      route({ ...shared, path, says: 'Checks all parts of the service.', handle: () => selfTest.all() }),
      route({
        ...shared,
        path: `${path}/:test`,
        says: 'Checks one part of the service.',
        handle: (_call, { test }) => oneTest(String(test)),
      }),
    ];
  }

  async function oneTest(name: string): Promise<SelfTest> {
    const result = await selfTest.one(name);
    if (result) return result;
    const context = `Expected one of ${selfTest.names().join(', ')}`;
    throw new ServiceError('no-such-entity', { type: 'selftest', id: name, context });
  }
}

/** Prometheus text exposition. */
export async function metricsReply({
  metrics,
  work,
  processes,
}: Pick<RoomContext, 'metrics' | 'work' | 'processes'>): Promise<Reply> {
  await work.refresh();
  const body = processes ? await processes.metrics() : metrics.render();
  return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
}
