import type { Account, AuthenticationListener, Credentials, Host, ListenerHost, UserInfo } from '../../spi/index.ts';
import { plainAccounts } from './check-user-info-provider.ts';
import { canary, credentialsOf } from './credentials.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import { findLeaks, printedDuring } from './leaks.ts';
import { Broken, broken, type CheckResult, errorSentence, inspect, type Promises, showValue } from './result.ts';

export interface ListenerUnderTest {
  make(host: Host): Promise<AuthenticationListener> | AuthenticationListener;
  /** Accounts as described by the configured realms. */
  readonly accounts?: readonly Account[] | undefined;
  readonly backend?: Backend | undefined;
  /** Milliseconds of real time that an answer may take: 5,000 unless told. */
  readonly patience?: number | undefined;
}

/** The contract of an authentication listener. */
export function checkListener(subject: ListenerUnderTest): Promise<CheckResult[]> {
  return inspect({ ...success(subject), ...failure(subject), ...sides(subject) });
}

const password: Credentials = credentialsOf({ user: 'alice', password: canary });
const bearer: Credentials = credentialsOf({ kind: 'bearer', token: canary });

interface Heard {
  readonly credentials?: Credentials;
  readonly writes?: 'ready' | 'disabled';
  readonly signal?: AbortSignal;
  readonly moving?: boolean;
}

interface Trial {
  readonly host: TestHost;
  /** Changes that the listener has requested for users of the service. */
  readonly written: UserInfo[];
  succeed(account: Account, heard?: Heard): Promise<void>;
  fail(credentials: Credentials, reason: string): Promise<void>;
}

const always = new AbortController().signal;

async function trialOf({ make, patience }: ListenerUnderTest, backend: Backend | undefined): Promise<Trial> {
  const host = testHost({ backend, patience });
  const listener = await ended(Promise.resolve(make(host)), host);
  const written: UserInfo[] = [];
  const hostFor = (writes: 'ready' | 'disabled', signal: AbortSignal): ListenerHost => ({
    signal,
    users: {
      async createOrUpdate(info) {
        written.push(info);
        return writes;
      },
    },
  });
  return {
    host,
    written,
    succeed(account, { credentials = password, writes = 'ready', signal = always, moving = true } = {}) {
      const login = { credentials, realms: ['corporateRealm'] };
      const calling = Promise.resolve().then(() => listener.onSuccess?.(account, login, hostFor(writes, signal)));
      return ended(calling, host, { moving });
    },
    fail: (credentials, reason) =>
      ended(
        Promise.resolve().then(() => listener.onFailure?.(credentials, reason)),
        host,
      ),
  };
}

const unreachable: Backend = () => Promise.reject(new TypeError('fetch failed'));
/** Again each time: a listener that writes into one would write into all that come later. */
const accountsOf = ({ accounts = [] }: ListenerUnderTest): readonly Account[] =>
  structuredClone([...accounts, ...plainAccounts]);

function success(subject: ListenerUnderTest): Promises {
  return {
    async 'lets an ordinary login go through'() {
      const { succeed } = await trialOf(subject, subject.backend);
      for (const account of accountsOf(subject).slice(0, subject.accounts?.length ?? 1)) {
        await succeed(account).catch((error: unknown) =>
          broken(`a login of "${account.name}" to go through`, `it threw ${errorSentence(error)}`),
        );
      }
    },

    async 'fails the login of a user who is disabled'() {
      const { succeed, written } = await trialOf(subject, subject.backend);
      for (const account of accountsOf(subject)) {
        const before = written.length;
        const threw = await succeed(account, { writes: 'disabled' }).then(
          () => false,
          () => true,
        );
        if (written.length > before && !threw) broken('an error, because createOrUpdate answers "disabled"', 'none');
      }
    },

    async 'makes no administrator of whom nobody calls one'() {
      const { succeed, written } = await trialOf(subject, subject.backend);
      for (const account of structuredClone(plainAccounts)) await succeed(account).catch(() => undefined);
      const mighty = written
        .flatMap(({ groups = [] }) => groups)
        .find((group) => ['_administrator', '_runas'].includes(group));
      if (mighty !== undefined) broken('no role that the account does not mention', mighty);
    },

    async 'creates nobody after a login by bearer token'() {
      const { succeed, written } = await trialOf(subject, subject.backend);
      for (const account of accountsOf(subject)) await succeed(account, { credentials: bearer }).catch(() => undefined);
      if (written.length > 0) broken('no user to be created or changed', showValue(written[0]));
    },

    async 'ends when its signal is aborted'() {
      const { succeed } = await trialOf(subject, () => new Promise(() => undefined));
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error('The time is up')), 10);
      try {
        await succeed(accountsOf(subject)[0]!, { signal: abort.signal, moving: false });
      } catch (error) {
        if (error instanceof Broken) throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function failure(subject: ListenerUnderTest): Promises {
  return {
    async 'does not throw when it hears of a failure'() {
      for (const backend of [subject.backend, unreachable]) {
        const { fail } = await trialOf(subject, backend);
        for (const credentials of [password, bearer]) {
          for (const reason of ['wrong-password', 'realm-failed', '', '__proto__']) {
            await fail(credentials, reason).catch((error: unknown) =>
              broken('no error from onFailure', `it threw ${errorSentence(error)}`),
            );
          }
        }
      }
    },
  };
}

function sides(subject: ListenerUnderTest): Promises {
  return {
    async 'leaves the account as it is'() {
      const { succeed } = await trialOf(subject, subject.backend);
      for (const account of accountsOf(subject)) {
        const copy = structuredClone(account);
        await succeed(copy).catch(() => undefined);
        if (JSON.stringify(copy) !== JSON.stringify(account))
          broken(`the account "${account.name}" to stay`, showValue(copy));
      }
    },

    async 'tells no secret to logs, errors, users and the endpoint that it asks'() {
      for (const backend of [subject.backend, unreachable]) {
        for (const credentials of [password, bearer]) await leakless(subject, backend, credentials);
      }
    },
  };
}

async function leakless(
  subject: ListenerUnderTest,
  backend: Backend | undefined,
  credentials: Credentials,
): Promise<void> {
  const said: unknown[] = [];
  const printed = await printedDuring(async () => {
    const { host, written, succeed, fail } = await trialOf(subject, backend);
    for (const account of accountsOf(subject))
      said.push(await succeed(account, { credentials }).catch((error: unknown) => error));
    said.push(await fail(credentials, 'wrong-password').catch((error: unknown) => error), host.logged, written);
    for (const request of host.requests) said.push(request.url, request.headers, await request.text());
  });
  findLeaks([canary], { 'what a listener says': said, 'what is printed': printed });
}
