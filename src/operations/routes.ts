import type { Description } from '../documents/index.ts';
import { type Explanation, explanationDocument } from '../documents/index.ts';
import { documentTypes, type MediaType, textOnly } from '../http/negotiation.ts';
import { plain, type Reply } from '../http/reply.ts';
import { type Access, anybody, anyCaller, type Params, type Route, role } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { House } from '../room/house.ts';
import { explanationText, type Question } from '../security/explain.ts';
import { systemActor } from '../store/contract.ts';
import { type SelfTest, selfTestDocument } from './documents/self-test.ts';
import { versionDocument } from './documents/version.ts';
import { workListDocument } from './documents/work-list.ts';
import type { Health } from './health.ts';
import { initialise } from './initialise.ts';
import { apiVersion, programVersion } from './release/version.ts';
import type { createSelfTest } from './self-test.ts';
import { workListOf } from './work.ts';

interface Parts extends Pick<House, 'store' | 'clock' | 'roles' | 'fields' | 'work' | 'instanceId'> {
  readonly metrics: Metrics;
  readonly selfTest: ReturnType<typeof createSelfTest>;
  health(): Promise<Health>;
  explain(question: Question): Promise<Explanation>;
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}

const json: readonly MediaType[] = ['application/json'];

const version = {
  component: [
    { name: 'API', version: apiVersion },
    { name: 'Portico', version: programVersion },
  ],
};

export function operationRoutes(parts: Parts): readonly Route[] {
  const { selfTest, render } = parts;
  return [
    {
      method: 'POST',
      path: '/APIinit',
      access: anybody,
      acting: 'allowed',
      produces: textOnly,
      async handle(call) {
        const { roles, fields } = await initialise(parts, { ...systemActor, requestId: call.trace.id });
        return plain(`Created ${roles.length} roles and ${fields.length} metadata fields\r\n`);
      },
    },
    {
      method: 'GET',
      path: '/version',
      access: anyCaller,
      produces: [...documentTypes, ...textOnly],
      handle: (_call, type) =>
        type === 'text/plain'
          ? plain(version.component.map((part) => `${part.name}\t${part.version}\r\n`).join(''))
          : render(type, versionDocument, version),
    },
    {
      // Receivers on changing addresses make the addresses of their notifications of it.
      method: 'GET',
      path: '/whatismyipaddress',
      access: anybody,
      produces: textOnly,
      handle: ({ address = '' }) => plain(address.replace(/^::ffff:/i, '')),
    },
    {
      method: 'GET',
      path: '/APInoauth/is-online',
      access: anybody,
      produces: textOnly,
      handle: () => plain('online'),
    },
    {
      method: 'GET',
      path: '/health/live',
      access: anybody,
      produces: json,
      handle: () => healthReply(true, { live: true }),
    },
    { method: 'GET', path: '/health/ready', access: anybody, produces: json, handle: health },
    { method: 'GET', path: '/health', access: anybody, produces: json, handle: health },
    {
      method: 'GET',
      path: '/metrics',
      access: role('_administrator'),
      produces: textOnly,
      handle: () => metricsReply(parts.metrics),
    },
    {
      method: 'GET',
      path: '/work',
      access: role('_administrator'),
      produces: documentTypes,
      handle: async (_call, type) =>
        render(type, workListDocument, workListOf(parts.instanceId, await parts.work.list())),
    },
    {
      method: 'GET',
      path: '/security/explain',
      access: role('_administrator'),
      produces: [...documentTypes, ...textOnly],
      async handle({ parameters }, type) {
        const target = parameters.get('target');
        if (!target) throw targetMissing();
        const method = (parameters.get('method') ?? 'GET').toUpperCase();
        const explanation = await parts.explain({ method, target, user: parameters.get('user') });
        return type === 'text/plain'
          ? plain(explanationText(explanation))
          : render(type, explanationDocument, explanation);
      },
    },
    ...selfTestRoutes('/selftest', anyCaller),
    ...selfTestRoutes('/APInoauth/selftest', anybody),
  ];

  async function health(): Promise<Reply> {
    const { ready, ...checks } = await parts.health();
    return healthReply(ready, { live: true, ready, ...checks });
  }

  function selfTestRoutes(path: string, access: Access): Route[] {
    const shared = { method: 'GET', access, produces: documentTypes } as const;
    const answer = (type: MediaType, found: SelfTest) => render(type, selfTestDocument, found);
    return [
      { ...shared, path, handle: async (_call, type) => answer(type, await selfTest.all()) },
      { ...shared, path: `${path}/:test`, handle: async (_call, type, params) => answer(type, await oneTest(params)) },
    ];
  }

  async function oneTest(params: Params): Promise<SelfTest> {
    const name = params['test']!;
    const found = await selfTest.one(name);
    if (found) return found;
    const context = `Expected one of ${selfTest.names.join(', ')}`;
    throw new ServiceError('no-such-entity', { type: 'selftest', id: name, context });
  }
}

function targetMissing(): ServiceError {
  const explanation = 'Expected the target of a request, percent-encoded: target=%2FAPI%2Fitem';
  return new ServiceError('bad-parameter', { context: 'parameter', id: 'target', explanation });
}

const healthReply = (good: boolean, said: object): Reply => ({
  status: good ? 200 : 503,
  type: 'application/json',
  body: JSON.stringify(said),
});

/** Prometheus text exposition. */
export const metricsReply = (metrics: Metrics): Reply => ({
  status: 200,
  type: 'text/plain; version=0.0.4; charset=utf-8',
  body: metrics.render(),
});
