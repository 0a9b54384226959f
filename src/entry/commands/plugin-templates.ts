import { mediaTemplates } from './plugin-media-templates.ts';
import { moduleOf, type Template, type TemplateNames } from './plugin-template.ts';

const realm: Template = {
  suffix: 'Realm',
  module: ({ name }) =>
    moduleOf(
      'Plugin, Realm',
      'Lets in whom an endpoint knows: put whatever knows your users in its place.',
      name,
      `  realms: {
    '${name}.Realm': {
      says: 'Asks an endpoint about user and password: 200 with a name lets in, 403 refuses.',
      properties: { url: { type: 'url', required: true, says: 'The endpoint.' } },
      create: ({ url }: { url: string }, host): Realm => ({
        supports: ({ kind }) => kind === 'password',
        async authenticate(credentials, { signal }) {
          if (credentials.kind !== 'password') return { answer: 'not-mine' };
          const body = JSON.stringify({ user: credentials.user, password: credentials.password.reveal() });
          const response = await host.fetch(url, { method: 'POST', body, signal, redirect: 'manual' });
          if (response.status === 403) return { answer: 'refused', reason: 'wrong-password' };
          // Whatever is thrown here is logged and lets nobody in.
          if (response.status !== 200) throw new Error(\`Expected status 200 or 403: \${response.status}\`);
          const answer: unknown = await response.json();
          const known = typeof answer === 'object' && answer !== null && 'name' in answer ? answer.name : undefined;
          if (typeof known !== 'string') throw new Error('Expected a name in the answer: none');
          return { answer: 'account', account: { name: known } };
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Realm',
    properties: { url: 'https://people.example.com/login' },
    knows: { user: 'alice', password: 'a long pass phrase' },
    async backend(request: Request) {
      const { user, password } = await request.json();
      const known = user === 'alice' && password === 'a long pass phrase';
      return known ? Response.json({ name: user }) : new Response(null, { status: 403 });
    },
  },`,
    ),
  main: ({ name, object }) => [
    `${object} = ${name}.Realm`,
    `${object}.url = https://people.example.com/login`,
    '# The first realm that accepts is the last that is asked: no password of a service user is sent on.',
    `securityManager.realms = $serviceRealm, $${object}`,
    'strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy',
    'securityManager.authenticator.authenticationStrategy = $strategy',
  ],
};

const filter: Template = {
  suffix: 'Filter',
  module: ({ name }) =>
    moduleOf(
      'Filter, Plugin',
      'Lets requests pass in office hours: put what your requests must have in its place.',
      name,
      `  filters: {
    '${name}.Filter': {
      says: 'Lets requests pass in office hours. The brackets say which (UTC): [8, 18].',
      create: (_properties, host): Filter => ({
        options(words) {
          const hours = words.map((word) => (/^\\d\\d?$/.test(word) ? Number(word) : Number.NaN));
          if (hours.length === 2 && hours[0]! < hours[1]! && hours[1]! <= 24) return hours;
          throw new Error(\`Expected two hours such as [8, 18]: [\${words.join(', ').slice(0, 40)}]\`);
        },
        check({ options }) {
          const [from, to] = (options ?? [8, 18]) as [number, number];
          const hour = new Date(host.now()).getUTCHours();
          if (hour >= from && hour < to) return { verdict: 'pass' };
          return { verdict: 'refuse', reason: 'office-closed', response: { status: 403, headers: {} } };
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Filter',
    cases: [
      { request: {}, at: Date.UTC(2030, 0, 7, 12), verdict: 'pass' },
      { request: {}, at: Date.UTC(2030, 0, 7, 20), verdict: 'refuse' },
      { request: {}, at: Date.UTC(2030, 0, 7, 20), words: ['18', '22'], verdict: 'pass' },
    ],
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Filter`],
  urls: ({ object }) => [
    '# What else your line has, such as oauth2Auth[permissive], stays ahead of authcBasic.',
    `/** = noSessionCreation, ${object}[8, 18], sessionAuth[permissive], tokenAuth[permissive], authcBasic`,
  ],
};

const infoProvider: Template = {
  suffix: 'InfoProvider',
  module: ({ name }) =>
    moduleOf(
      'Plugin, ServiceUserInfoProvider',
      'Makes service users of accounts: put the attributes that your realm knows in its place.',
      name,
      `  userInfoProviders: {
    '${name}.InfoProvider': {
      says: 'Takes the real name and the mail address from the account, and puts the user into groups.',
      properties: { groups: { type: 'list', fallback: ['_user'], says: 'Groups and roles of every user that is created or updated.' } },
      create: ({ groups }: { groups: readonly string[] }): ServiceUserInfoProvider => ({
        userInfo({ name, attributes = {} }) {
          const text = (key: string) => {
            const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
            return typeof value === 'string' ? value : value?.[0];
          };
          const [realName, mail] = [text('realName'), text('mail')];
          return {
            userName: name,
            groups,
            ...(realName === undefined ? {} : { realName }),
            ...(mail === undefined ? {} : { metadata: { mail } }),
          };
        },
      }),
    },
  },`,
      `  {
    component: '${name}.InfoProvider',
    accounts: [{ name: 'alice', attributes: { realName: 'Alice A', mail: 'alice@example.com' } }],
  },`,
    ),
  main: ({ name, object }) => [
    `${object} = ${name}.InfoProvider`,
    'userCreation = com.service.security.auth.UserCreationListener',
    `userCreation.infoProvider = $${object}`,
    'securityManager.authenticator.authenticationListeners = $userCreation',
  ],
};

const listener: Template = {
  suffix: 'Listener',
  module: ({ name }) =>
    moduleOf(
      'AuthenticationListener, Plugin',
      'Writes down who logs in and who does not: put what else should happen in its place.',
      name,
      `  listeners: {
    '${name}.Listener': {
      says: 'Writes logins to the log, and those that failed.',
      create: (_properties, host): AuthenticationListener => ({
        // Thrown here, an error makes the login fail.
        onSuccess({ name }, { realms }) {
          host.log('info', 'login', { user: name, realms });
        },
        onFailure(credentials, reason) {
          const user = credentials.kind === 'password' ? credentials.user : undefined;
          host.log('warn', 'login-failed', { user, reason });
        },
      }),
    },
  },`,
      `  { component: '${name}.Listener', accounts: [{ name: 'alice' }] },`,
    ),
  main: ({ name, object }) => [
    `${object} = ${name}.Listener`,
    `securityManager.authenticator.authenticationListeners = $${object}`,
  ],
};

/** scrypt of the password below. */
const stored = '00112233445566778899aabbccddeeff:c21f767e8a0a3bfb01bb14548bdba268f6a0cdfe24dd4d71fec85adea77a8cbd';

const matcher: Template = {
  suffix: 'Matcher',
  module: ({ name }) =>
    moduleOf(
      'CredentialsMatcher, Plugin',
      'Compares passwords with stored hashes: put the form that yours have in its place.',
      name,
      `  matchers: {
    '${name}.Matcher': {
      says: 'Compares with salt:hash in hexadecimal, made by scrypt (2^14, 8, 1).',
      create: (_properties, host): CredentialsMatcher => ({
        async matches(given, stored) {
          const [, salt, hash] = /^([0-9a-f]{32}):([0-9a-f]{64})$/.exec(stored.reveal()) ?? [];
          // Hashes of this form are equal for a password and the same one with a NUL behind it.
          if (!salt || !hash || given.reveal().includes('\\0')) return false;
          const [wanted, bytes] = [hash, salt].map((hex) => Uint8Array.from(hex.match(/../g)!, (two) => Number.parseInt(two, 16)));
          const made = await host.scrypt(given.reveal(), bytes!, { cost: 14, block: 8, parallel: 1 }, 32);
          // All of it, so that the time does not tell how much was right.
          return made.reduce((difference, byte, index) => difference | (byte ^ wanted![index]!), 0) === 0;
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Matcher',
    knows: { user: 'alice', password: 'a long pass phrase' },
    stored: '${stored}',
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Matcher`, `iniRealm.credentialsMatcher = $${object}`],
};

const action: Template = {
  suffix: 'Action',
  module: ({ name, object }) =>
    moduleOf(
      'NotificationAction, Plugin',
      'Tells a chat room what happened. Put the receiver of your notifications in its place.',
      name,
      `  actions: {
    '${name}.Action': {
      says: 'Posts a line to a chat room. A notification names its object of security.ini: <ejb><bean>${object}</bean><method>tell</method></ejb>.',
      properties: { url: { type: 'url', required: true, says: 'Where the room takes messages.' } },
      create: ({ url }: { url: string }, host): NotificationAction => ({
        methods: ['tell'],
        async perform({ event, fields, id, signal }) {
          const text = \`\${event} \${fields.map(([key, value]) => \`\${key}=\${value}\`).join(' ')}\`;
          const { status } = await host.call({
            ...{ url, method: 'POST', headers: { 'content-type': 'application/json' } },
            ...{ body: JSON.stringify({ id, text }), timeout: 10_000, mostBytes: 1_000, longer: 'cut' },
            ...{ trusted: true, signal },
          });
          if (status >= 200 && status < 300) return { answer: 'delivered' };
          const reason = \`Expected a status from 200 to 299: \${status}\`;
          // Whatever is thrown counts as "again".
          return { answer: status === 400 ? 'refused' : 'again', reason };
        },
      }),
    },
  },`,
      `  {
    component: '${name}.Action',
    properties: { url: 'https://chat.example.com/rooms/archive' },
    elements: [{ kind: 'ejb', texts: { bean: '${object}', method: 'tell' } }],
    backend: async (request: Request) => {
      const { text } = await request.json();
      return new Response(null, { status: typeof text === 'string' ? 204 : 400 });
    },
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Action`, `${object}.url = https://chat.example.com/rooms/archive`],
};

const storage: Template = {
  suffix: 'Storage',
  module: ({ name }) =>
    moduleOf(
      'Plugin, StorageDriver, StorageScheme',
      'Reads the two files that it holds: put whatever has yours in its place.',
      name,
      `  storages: {
    '${name}.Storage': {
      says: 'Reads two files of its own. The address of a storage method is ${name}:///.',
      create: (): StorageScheme => {
        const held = new Map(['in/a.txt', 'in/b.txt'].map((path) => [path, new TextEncoder().encode(\`This is \${path}\`)]));
        // By the kind the service knows what to answer.
        const fail = (kind: string): never => {
          throw Object.assign(new Error(\`Expected a file that can be read: \${kind}\`), { kind });
        };
        const stat = async (path: string) => {
          if (path.split('/').some((part) => /^\\.{0,2}$|\\0|\\p{Surrogate}/u.test(part))) fail('bad-path');
          const bytes = held.get(path);
          return bytes && { path, size: bytes.byteLength, version: '1' };
        };
        const driver: StorageDriver = {
          can: { list: true, write: false, parts: false, createOnly: false, sign: false },
          check: async () => ({}),
          stat,
          async read(path, { range, version = '1', signal } = {}) {
            const file = (await stat(path)) ?? fail('not-found');
            const { from, end } = range ?? { from: 0, end: file.size };
            if (from < 0 || from > end || end > file.size) fail('range');
            if (version !== '1' || signal?.aborted) fail(signal?.aborted ? 'aborted' : 'changed');
            return { file, body: new Blob([held.get(path)!.slice(from, end)]).stream() };
          },
          async list({ after = '', limit }) {
            // In the order of UTF-8 bytes, which these texts are sorted by as they are.
            const paths = [...held.keys()].filter((path) => path > after).slice(0, limit);
            const files = await Promise.all(paths.map(async (path) => (await stat(path))!));
            return files.length < limit ? { files } : { files, next: paths.at(-1)! };
          },
        };
        return { schemes: ['${name}'], hosts: ['server', 'edge'], open: () => driver };
      },
    },
  },`,
      `  {
    component: '${name}.Storage',
    places: (number: number) => ({ uri: \`${name}:///\${number}/\` }),
    holds: { 'in/a.txt': 'This is in/a.txt', 'in/b.txt': 'This is in/b.txt' },
  },`,
    ),
  main: ({ name, object }) => [`${object} = ${name}.Storage`],
};

/** By the word on the command line. */
export const pluginTemplates: ReadonlyMap<string, Template> = new Map([
  ['realm', realm],
  ['filter', filter],
  ['info-provider', infoProvider],
  ['listener', listener],
  ['matcher', matcher],
  ['action', action],
  ['storage', storage],
  ...mediaTemplates,
]);

/** Needs no runner of ours: `node --test`, `deno test` and `bun test` know it. */
export const templateTest = ({ name }: TemplateNames): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkModule } from 'portico/testing';
import * as plugin from './${name}.ts';

test('keeps the promises of the contract', async () => {
  const results = await checkModule(plugin);
  assert.deepEqual(results.filter(({ passed }) => !passed), []);
});
`;
