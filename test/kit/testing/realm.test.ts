import { describe, expect, it, onTestFinished } from 'vitest';
import { checkRealm } from '../../../src/kit/testing/index.ts';
import type { Credentials, Host, LoginHost, Realm, RealmAnswer } from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';

const right = { user: 'alice', password: 'Sesame-open-77' };
const address = 'https://people.example/login';

/** Answers with a name when all is right. */
async function backend(request: Request): Promise<Response> {
  const { user, password } = await request.json();
  return user === right.user && password === right.password
    ? Response.json({ name: user, mail: 'alice@example.com' })
    : new Response(null, { status: 403 });
}

const refused = (reason: string): RealmAnswer => ({ answer: 'refused', reason });
const account = (name: string, attributes: Record<string, string> = {}): RealmAnswer => ({
  answer: 'account',
  account: { name, attributes },
});

type Authenticate = (
  given: { readonly user: string; readonly password: string },
  host: Host,
  login: LoginHost,
) => Promise<RealmAnswer> | RealmAnswer;

const realmOf = (authenticate: Authenticate, host: Host, more: Partial<Realm> = {}): Realm => ({
  supports: ({ kind }) => kind === 'password',
  authenticate(credentials, login) {
    if (credentials.kind !== 'password') return { answer: 'not-mine' };
    return authenticate({ user: credentials.user, password: credentials.password.reveal() }, host, login);
  },
  ...more,
});

/** As a realm with users of its own should be. */
const local: Authenticate = ({ user, password }) => {
  if (user !== right.user) return refused('unknown-user');
  return password === right.password ? account(user) : refused('wrong-password');
};

async function ask(
  { user, password }: { user: string; password: string },
  host: Host,
  { signal }: LoginHost,
): Promise<Response> {
  return host.fetch(address, { method: 'POST', body: JSON.stringify({ user, password }), signal, redirect: 'manual' });
}

/** As a realm that asks somebody else should be. */
const remote: Authenticate = async (given, host, login) => {
  const response = await ask(given, host, login);
  if (response.status === 403) return refused('wrong-password');
  if (response.status !== 200) throw new Error(`Expected status 200 or 403: ${response.status}`);
  const answer = JSON.parse(await response.text());
  if (answer?.name !== given.user) throw new Error('Expected the name that was asked for: another one');
  return account(given.user);
};

const tryLocal = (authenticate: Authenticate, more: Partial<Realm> = {}) =>
  checkRealm({ make: (host) => realmOf(authenticate, host, more), knows: right });
const tryRemote = (authenticate: Authenticate) =>
  checkRealm({ make: (host) => realmOf(authenticate, host), knows: right, backend, patience: 3_000 });

describe('a good realm', () => {
  it('keeps every promise, with users of its own or of somebody else', async () => {
    expect(explained(await tryLocal(local))).toEqual([]);
    expect(explained(await tryRemote(remote))).toEqual([]);
  });

  it('may ask through the address policy', async () => {
    const throughPolicy: Authenticate = async (given, host, { signal }) => {
      const sent = {
        url: address,
        method: 'POST',
        body: JSON.stringify(given),
        timeout: 1_000,
        mostBytes: 1_000,
      } as const;
      const { status, text } = await host.call({ ...sent, signal });
      if (status === 403) return refused('wrong-password');
      if (status !== 200) throw new Error(`Expected status 200 or 403: ${status}`);
      if (JSON.parse(text)?.name !== given.user) throw new Error('Expected the name that was asked for: another one');
      return account(given.user);
    };
    expect(explained(await tryRemote(throughPolicy))).toEqual([]);
  });

  it('may take its time by the clock of the host', async () => {
    const patient: Authenticate = async (given, host, login) => {
      await host.sleep(300, login.signal);
      return local(given, host, login);
    };
    expect(explained(await tryLocal(patient))).toEqual([]);
  });

  it('may know tokens only', async () => {
    const make = (): Realm => ({
      supports: ({ kind }) => kind === 'bearer',
      authenticate: (credentials: Credentials) =>
        credentials.kind !== 'bearer'
          ? { answer: 'not-mine' }
          : credentials.token.reveal() === 'Token-of-alice'
            ? account('alice')
            : refused('token-unknown'),
    });
    expect(explained(await checkRealm({ make, knows: { kind: 'bearer', token: 'Token-of-alice' } }))).toEqual([]);
  });

  it('cannot be told without somebody whom it lets in', async () => {
    const results = await checkRealm({ make: (host) => realmOf(local, host) });
    expect(explained(results)).toEqual([
      'lets in somebody whom it knows. Expected somebody whom the realm lets in, to tell right from wrong (knows): nobody',
    ]);
  });
});

/** Each breaks one promise. */
const badLocal: readonly (readonly [promise: string, authenticate: Authenticate, more?: Partial<Realm>])[] = [
  ['lets in somebody whom it knows', () => refused('nobody-ever')],
  ['lets no unknown user in', (given, ...more) => (given.user === '*' ? account('alice') : local(given, ...more))],
  [
    'lets no unknown user in',
    ({ user, password }) =>
      ({ alice: right.password })[user as 'alice'] === password || user in {} ? account(user) : refused('no'),
  ],
  [
    'lets nobody in with a wrong password',
    (given, ...more) => local(given.password === "' OR '1'='1" ? right : given, ...more),
  ],
  [
    'lets nobody in with an empty password',
    (given, ...more) => local(given.user === 'alice' && given.password === '' ? right : given, ...more),
  ],
  [
    'lets nobody in with a truncated password',
    (given, ...more) =>
      local(
        given.user === 'alice' && given.password !== '' && right.password.startsWith(given.password) ? right : given,
        ...more,
      ),
  ],
  [
    'lets nobody in with a password in other case',
    ({ user, password }) =>
      user === 'alice' && password.toLowerCase() === right.password.toLowerCase() ? account(user) : refused('no'),
  ],
  [
    'lets nobody in with a password that a NUL follows',
    ({ user, password }, ...more) => local({ user, password: password.split('\0')[0]! }, ...more),
  ],
  [
    'lets nobody in with a very long password',
    (given, ...more) => local(given.user === 'alice' && given.password.length > 9_999 ? right : given, ...more),
  ],
  [
    'answers with an account, not-mine or refused while all is well',
    (given, ...more) => {
      if (given.password === '') throw new Error('Expected a password: none');
      return local(given, ...more);
    },
  ],
  [
    'answers with an account, not-mine or refused while all is well',
    (given, ...more) => (given.user === '' ? (undefined as never) : local(given, ...more)),
  ],
  [
    'gives each refusal a reason of lower-case letters, digits and hyphens',
    ({ user, password }) =>
      user === 'alice' && password === right.password ? account(user) : refused('Wrong password!'),
  ],
  [
    'is not bothered by credentials that it does not support',
    local,
    { supports: (({ kind }: Credentials) => kind === 'password' || undefined) as Realm['supports'] },
  ],
  [
    'describes an account in texts',
    (given, ...more) =>
      given.password === right.password && given.user === 'alice'
        ? ({ answer: 'account', account: { name: 'alice', roles: 'editor' } } as never)
        : local(given, ...more),
  ],
  [
    'works as long for an unknown user as for a wrong password',
    async ({ user, password }, host) => {
      if (user !== 'alice') return refused('unknown-user');
      await host.scrypt(password, new Uint8Array(8), { cost: 1, block: 1, parallel: 1 }, 8);
      return password === right.password ? account(user) : refused('wrong-password');
    },
  ],
  [
    'leaves the prototypes of the language alone',
    (given, ...more) => {
      // biome-ignore lint/suspicious/noExplicitAny: what a careless merge does
      const known: any = { alice: {} };
      known[given.user] ??= {};
      known[given.user].lastLogin = 1;
      return local(given, ...more);
    },
  ],
];

const badRemote: readonly (readonly [promise: string, authenticate: Authenticate])[] = [
  [
    'lets nobody in while its backend cannot be reached',
    (...given) =>
      Promise.resolve(remote(...given)).catch((error) =>
        /fetch failed$|Out of order/.test(error.message) ? account(given[0].user) : Promise.reject(error),
      ),
  ],
  [
    'lets nobody in when its backend answers junk',
    async (given, host, login) =>
      (await ask(given, host, login)).status === 200 ? account(given.user) : refused('wrong-password'),
  ],
  [
    'ends when its signal is aborted, and lets nobody in',
    (given, host) => remote(given, host, { users: undefined as never, signal: new AbortController().signal }),
  ],
  [
    'tells right from wrong while its backend is slow',
    (...given) => {
      const late = new Promise<RealmAnswer>((resolve) => setTimeout(() => resolve(refused('too-slow')), 140));
      return Promise.race([remote(...given), late]);
    },
  ],
];

describe('a bad realm is caught by the promise that it breaks, and by no other', () => {
  it.each(badLocal.map(([promise, ...more], index) => [promise, index + 1, more] as const))(
    '%s (%i)',
    async (promise, _index, [authenticate, more]) => {
      expect(broken(await tryLocal(authenticate, more))).toEqual([promise]);
    },
  );

  it.each(badRemote)('%s, with a backend', async (promise, authenticate) => {
    expect(broken(await tryRemote(authenticate))).toEqual([promise]);
  });

  it('keeps logins at the same time apart', async () => {
    const make = (host: Host): Realm => {
      let current = { user: '', password: '' };
      const mixing: Authenticate = async (given, ...more) => {
        current = given;
        await host.fetch(`${address}/health`, { method: 'POST', body: JSON.stringify(right), signal: more[1].signal });
        return remote(current, ...more);
      };
      return realmOf(mixing, host);
    };
    expect(broken(await checkRealm({ make, knows: right, backend }))).toEqual(['keeps logins at the same time apart']);
  });

  it('asks its backend over the host', async () => {
    expect(explained(await checkRealm({ make: (host) => realmOf(local, host), knows: right, backend })).at(0)).toBe(
      'lets in somebody whom it knows. Expected the backend to be asked over host.fetch or host.call: it was not asked',
    );
  });
});

describe('a realm that tells a secret is caught, wherever it tells it', () => {
  const promise = 'tells no secret to logs, errors, reasons, accounts and addresses';

  it.each<[string, Authenticate]>([
    [
      'the log',
      (given, host, login) => {
        host.log('info', 'login', given);
        return remote(given, host, login);
      },
    ],
    [
      'the log, in Base64',
      (given, host, login) => {
        host.log('info', 'login', { header: btoa(`${given.user}:${given.password}`) });
        return remote(given, host, login);
      },
    ],
    [
      'an error, of which it is the cause',
      (given, host, login) =>
        Promise.resolve(remote(given, host, login)).catch((error) => {
          throw new Error('Expected an answer', { cause: { error: error.message, given } });
        }),
    ],
    [
      'an error, with what the backend said',
      async (given, host, login) => {
        const response = await ask(given, host, login);
        if (response.status >= 400 && response.status !== 403) throw new Error(await response.text());
        return remote(given, host, login);
      },
    ],
    [
      'an address',
      async (given, host, login) => {
        await host.fetch(`${address}?password=${given.password}`, { method: 'POST', body: '{}', signal: login.signal });
        return remote(given, host, login);
      },
    ],
    [
      'an account',
      async (given, host, login) => {
        const answer = await remote(given, host, login);
        return answer.answer === 'account' ? account(given.user, { password: given.password }) : answer;
      },
    ],
  ])('%s', async (_where, authenticate) => {
    expect(broken(await tryRemote(authenticate))).toEqual([promise]);
  });

  it('the terminal', async () => {
    const print = console.log;
    onTestFinished(() => {
      console.log = print;
    });
    console.log = () => undefined;
    const chatty: Authenticate = (given, ...more) => {
      console.log(given);
      return local(given, ...more);
    };
    expect(broken(await tryLocal(chatty))).toEqual([promise]);
  });
});

it('does not wait for ever for a realm that never answers', async () => {
  const never: Authenticate = (given, ...more) =>
    given.user === 'nobody-4711' ? new Promise(() => undefined) : local(given, ...more);
  const results = await checkRealm({ make: (host) => realmOf(never, host), knows: right, patience: 100 });
  const result = results.find(({ name }) => name === 'lets no unknown user in');
  expect(result?.explanation).toBe('Expected an end: none within 100 ms');
});
