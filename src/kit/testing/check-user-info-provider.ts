import type { Account, Host, ServiceUserInfoProvider, UserInfo } from '../../spi/index.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import {
  Broken,
  broken,
  type CheckResult,
  errorSentence,
  inspect,
  isTexts,
  type Promises,
  showValue,
} from './result.ts';

export interface ProviderUnderTest {
  make(host: Host): Promise<ServiceUserInfoProvider> | ServiceUserInfoProvider;
  /** Accounts as described by the realm. At least one should become a user. */
  readonly accounts?: readonly Account[] | undefined;
  readonly backend?: Backend | undefined;
  /** Milliseconds of real time that an answer may take: 5,000 unless told. */
  readonly patience?: number | undefined;
}

/** Accounts without any information about roles. */
export const plainAccounts: readonly Account[] = [
  { name: 'alice' },
  { name: 'bob', attributes: {} },
  {
    name: 'carol',
    attributes: { realName: '', groups: [], mail: 'carol@example.com', department: ['staff', 'press'] },
  },
  { name: 'admin', attributes: { cn: 'Administrator', title: 'administrator' }, roles: [], permissions: [] },
  {
    name: 'dave',
    attributes: Object.fromEntries([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', ['z']],
    ]),
  },
];

/** Roles that hand out the service. */
const mighty = ['_administrator', '_runas'];

/** The contract of a user-info provider. */
export function checkUserInfoProvider(subject: ProviderUnderTest): Promise<CheckResult[]> {
  return inspect({ ...mapping(subject), ...limits(subject) });
}

interface Trial {
  readonly host: TestHost;
  ask(account: Account, signal?: AbortSignal, moving?: boolean): Promise<UserInfo | undefined>;
}

async function trialOf({ make, backend, patience }: ProviderUnderTest): Promise<Trial> {
  const host = testHost({ backend, patience });
  const provider = await ended(Promise.resolve(make(host)), host);
  return {
    host,
    ask: (account, signal = new AbortController().signal, moving = true) =>
      ended(
        Promise.resolve().then(() => provider.userInfo(account, signal)),
        host,
        { moving },
      ),
  };
}

function mapping(subject: ProviderUnderTest): Promises {
  // Again each time: a provider that writes into one would write into all that come later.
  const accounts = (): readonly Account[] => structuredClone([...(subject.accounts ?? []), ...plainAccounts]);
  return {
    ...(subject.accounts && {
      async 'makes a user of the accounts that it is for'() {
        const { ask } = await trialOf(subject);
        for (const account of structuredClone(subject.accounts!))
          if (!(await ask(account))) broken(`a user for the account "${account.name}"`, 'none');
      },
    }),

    async 'says the same of the same account, after any other account'() {
      const { ask } = await trialOf(subject);
      const answer = async (account: Account) => JSON.stringify(await ask(account).catch(() => 'threw'));
      const first: string[] = [];
      for (const account of accounts()) first.push(await answer(account));
      for (const [index, account] of [...accounts().entries()].reverse()) {
        const again = await answer(account);
        if (again !== first[index]) broken(`what it said of "${account.name}" before`, showValue(again));
      }
    },

    async 'leaves the account as it is'() {
      const { ask } = await trialOf(subject);
      for (const account of accounts()) {
        const copy = structuredClone(account);
        await ask(copy).catch(() => undefined);
        if (JSON.stringify(copy) !== JSON.stringify(account))
          broken(`the account "${account.name}" to stay`, showValue(copy));
      }
    },

    async 'copes with an account that says little'() {
      const { ask } = await trialOf(subject);
      for (const account of structuredClone(plainAccounts))
        await ask(account).catch((error: unknown) =>
          broken(`a user or nobody for ${showValue(account)}`, `it threw ${errorSentence(error)}`),
        );
    },

    async 'answers with a user name in texts, or with nobody'() {
      const { ask } = await trialOf(subject);
      for (const account of accounts()) checkInfo(await ask(account).catch(() => undefined));
    },
  };
}

function limits(subject: ProviderUnderTest): Promises {
  return {
    async 'makes no administrator of whom nobody calls one'() {
      const fails: Backend = () => Promise.reject(new TypeError('fetch failed'));
      for (const backend of [subject.backend, fails]) {
        const { ask } = await trialOf({ ...subject, backend });
        for (const account of structuredClone(plainAccounts)) {
          const info = await ask(account).catch(() => undefined);
          const mightyGroup = [info?.groups ?? []].flat().find((group) => mighty.includes(group));
          if (mightyGroup !== undefined) broken(`no role that ${showValue(account)} does not mention`, mightyGroup);
        }
      }
    },

    async 'ends when its signal is aborted'() {
      const { ask } = await trialOf({ ...subject, backend: () => new Promise(() => undefined) });
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error('The time is up')), 10);
      const account = subject.accounts?.[0] ?? plainAccounts[0]!;
      try {
        await ask(account, abort.signal, false);
      } catch (error) {
        if (error instanceof Broken) throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function checkInfo(value: unknown): void {
  if (value === undefined) return;
  const info = value as Partial<Record<keyof UserInfo, unknown>> | null;
  if (typeof info?.userName !== 'string' || info.userName === '') broken('a user name', showValue(value));
  const { realName, groups, metadata } = info;
  if (realName !== undefined && typeof realName !== 'string') broken('a text as realName', showValue(realName));
  if (groups !== undefined && !isTexts(groups)) broken('a list of texts as groups', showValue(groups));
  if (metadata === undefined) return;
  if (typeof metadata !== 'object' || metadata === null || !isTexts(Object.values(metadata)))
    broken('texts as metadata', showValue(metadata));
}
