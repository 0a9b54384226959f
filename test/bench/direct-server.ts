import { decodeBasic } from '../../filters/basic.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { defaultLimits } from '../../src/core/documents/index.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createLog } from '../../src/core/lib/log.ts';
import { after, type Maybe } from '../../src/core/lib/maybe.ts';
import { Metrics } from '../../src/core/lib/metrics.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import { openStore } from '../../src/core/store/store.ts';
import { hostPlatform } from '../../src/entry/host.ts';
import { listenOnDeno } from '../../src/entry/listen-deno.ts';
import { listenOnNode } from '../../src/entry/listen-node.ts';
import { createApp } from '../../src/http/app.ts';
import { createCors } from '../../src/http/cors.ts';
import { createHandler, createRefuser } from '../../src/http/handler.ts';
import { textOnly } from '../../src/http/negotiation.ts';
import { createRender, plain } from '../../src/http/reply.ts';
import { anyCaller } from '../../src/http/route.ts';
import { tableOf } from '../../src/http/route-table.ts';
import { Traffic } from '../../src/http/traffic.ts';
import { createUserDirectory } from '../../src/identity/directory.ts';
import { FamiliarNetworks } from '../../src/identity/passwords/familiar.ts';
import { Passwords } from '../../src/identity/passwords/passwords.ts';
import { Throttle } from '../../src/identity/passwords/throttle.ts';
import type { PipelineRequest } from '../../src/security/arrival.ts';
import { subjectOf } from '../../src/security/caller.ts';
import type { Decision } from '../../src/security/pipeline.ts';
import { Subject } from '../../src/security/subject.ts';
import { noStore } from '../support/listeners.ts';
import { migrations } from '../support/store.ts';

/**
 * The handler as it is, with the same login made by hand: read the header, ask for the user, compare the remembered
 * password. What the default chain costs is the difference. With the word `nobody` even that is left out.
 * Run as `direct-server.ts ROOT [nobody]` beside a server that has initialised that root.
 */
const settings = readSettings({ PORTICO_ROOT: process.argv[2] });
const log = createLog(() => undefined, systemClock, 'warn');
const refuse = createRefuser(log, settings.schemaNamespace);
const platform = await hostPlatform(settings, () => undefined);
const metrics = new Metrics();
const store = openStore(platform.database, { clock: systemClock, site: settings.site, migrations });
const passwords = new Passwords({ ...platform, metrics, settings });
const familiar = new FamiliarNetworks({ clock: systemClock, log, days: 0, keeper: undefined });
const directory = createUserDirectory({
  store,
  settings,
  passwords,
  throttle: new Throttle({ clock: systemClock, log, metrics, familiar, settings }),
  provision: async () => 'ready',
  now: () => systemClock.now(),
  digest: platform.digest,
  fingerprint: platform.fingerprint,
  noteUse: () => undefined,
});
const given = { name: 'admin' };
const from = { address: '127.0.0.1' };
const known: Decision = {
  granted: true,
  subject: new Subject(given, await directory.open(from).find('admin'), directory.open(from)),
};

function login({ authorization }: PipelineRequest): Maybe<Decision> {
  const pair = decodeBasic(authorization!.slice('Basic '.length))!;
  const users = directory.open(from);
  return after(users.verifyPassword(pair.user, new Secret(pair.password)), (answer) => {
    if (!answer.verified) throw new Error('Expected the password of the bench');
    return after(users.find(answer.name), (user) => ({ granted: true, subject: new Subject(given, user, users) }));
  });
}

const whoami = {
  method: 'GET',
  path: '/whoami',
  says: 'The name of the caller.',
  access: anyCaller,
  produces: textOnly,
  handle: (call: Parameters<typeof subjectOf>[0]) => plain(subjectOf(call).name),
} as const;
const handle = createHandler({
  clock: systemClock,
  log,
  metrics,
  cors: createCors([]),
  maxTargetLength: settings.maxTargetLength,
  namespace: settings.schemaNamespace,
  instanceId: 'bench',
  limits: defaultLimits,
  render: createRender('urn:portico:schema'),
  forwarded: (_, arrival) => arrival,
  decide: process.argv[3] === 'nobody' ? () => known : login,
  ...createApp(tableOf([whoami]), refuse),
  refuse,
  answered: () => undefined,
  traffic: new Traffic(),
  callerStore: noStore,
});
const listen = 'Deno' in globalThis ? listenOnDeno : listenOnNode;
const { port } = await listen((request, arrival) => handle(request, arrival), {
  host: '127.0.0.1',
  port: 0,
  requestTimeout: 60,
});
console.log(`listening on ${port}`);
