import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { implies, parsePermission } from '../../filters/permission.ts';
import { matcherComponents } from '../../plugins/index.ts';
import { staticRealm } from '../../realms/static.ts';
import type { Account, CredentialsMatcher } from '../../src/spi/index.ts';
import { loginHost, make, secret, withPassword } from './support.ts';

/** Input and result from the original's own tests. */
interface Vector {
  readonly suite: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: of the shape of its `op`
  readonly input: any;
  readonly expected: unknown;
}

const vectorsIn = (file: string): Vector[] =>
  readFileSync(new URL(`./vectors/${file}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** `suite name`, as a beginning: what we do not do, or do otherwise, and why. */
const differences: readonly (readonly [which: RegExp, reason: string])[] = [
  [
    /^AuthenticatingRealmTest testSetName/,
    'Nothing is cached by name: the matcher remembers what matched for a minute',
  ],
  [
    /^AuthenticatingRealmTest .*(?:Caching|CustomAuthenticationTokenClass)/,
    'No caches, sessions or token classes: a stateless service',
  ],
  [
    /^AuthenticatingRealmTest testAssertCredentialsMatchWithNull/,
    'Without a matcher, stored passwords are compared as plain text',
  ],
  [
    /^AuthenticatingRealmTest testGetAuthenticationInfoWithNull/,
    'No lookup of its own: unknown users are refused (static.test.ts)',
  ],
  [/^AuthenticatingRealmIntegrationTest/, 'No cache manager: a stateless service'],
  [/^AuthorizingRealmTest testRealmWithEmptyOrNull/, 'Empty permissions are a finding and not left out'],
  [/^IniRealmTest test(?:NullIni|InitWithoutIniResource)/, 'The realm reads no resource: it is given the sections'],
  [/^TextConfigurationRealmTest .*#role$/, 'Roles are not asked for by themselves'],
  [/^AllowAllCredentialsMatcherTest/, 'Refused at start: it lets anybody in'],
  [
    /^DefaultPasswordServiceTest testPasswordsMatchWithNullOrEmpty#[123]/,
    'Empty stored credentials match nothing (the later advisory)',
  ],
  [/^DefaultPasswordServiceTest test(?:Encrypt|Hash)/, 'Hashes are compared here, not made'],
  [
    /^PasswordMatcherTest test(?:MissingPasswordService|UnexpectedSaved|CharArray|StringPassword|HashComparison)/,
    'Stored credentials are always texts, and no service is needed',
  ],
  [/^Shiro1CryptFormatTest test(?:GetId|Format|ParseWithNull)/, 'Hashes are compared here, not made'],
  [/^DefaultHashFormatFactoryTest (?!testMcf)/, 'No format classes by name'],
  [/^BCryptHashTest testCreateHash/, 'Hashes are compared here, not made'],
];

/** Lines such as `name = a, b`: the dialect itself is tested with its reader. */
const lines = (text: string): Map<string, string[]> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [
        line.split('=')[0]!.trim(),
        line
          .slice(line.indexOf('=') + 1)
          .split(',')
          .map((part) => part.trim()),
      ]),
  );
const section = (ini: string, name: string): string =>
  ini.split(/^\[(\w+)\]$/m).reduce((found, part, index, all) => (all[index - 1] === name ? part : found), '');

const password = (given: Record<string, unknown> = {}) =>
  make(matcherComponents['portico.PasswordMatcher']!, given) as Promise<
    CredentialsMatcher & { defect(stored: unknown): string | undefined }
  >;
const matching = async (matcher: CredentialsMatcher, given: string, stored: string, name = 'username') =>
  matcher.matches(secret(given), secret(stored), { name });

async function accountIn(
  users: Map<string, string[]>,
  roles: Map<string, string[]>,
  name: string,
): Promise<Account | undefined> {
  const realm = await make(staticRealm, { users, roles });
  const answer = await realm.authenticate(withPassword(name, users.get(name)?.[0] ?? ''), loginHost());
  return answer.answer === 'account' ? answer.account : undefined;
}

const holds = (account: Account | undefined, ask: Record<string, string | string[]>): boolean => {
  const roles = [ask['hasRole'], ask['hasAllRoles'], ask['checkRoles']].flat().filter((each) => each !== undefined);
  const asked = ['isPermitted', 'isPermittedAll', 'checkPermission', 'checkPermissions'].flatMap(
    (key) => ask[key] ?? [],
  );
  return (
    account !== undefined &&
    roles.every((role) => account.roles?.includes(role)) &&
    asked.every((permission) =>
      account.permissions?.some((granted) => implies(parsePermission(granted), parsePermission(permission))),
    )
  );
};

/** Results of this implementation, in the words of the vector. */
const run: Readonly<Record<string, (vector: Vector) => Promise<unknown>>> = {
  async textRealm({ input, expected }) {
    const { user, accountExists, ...ask } = input.ask;
    const account = await accountIn(lines(input.userDefinitions), lines(input.roleDefinitions), user ?? accountExists);
    if (accountExists) return account?.name === accountExists;
    return expected === 'no error' ? (holds(account, ask) ? 'no error' : 'an error') : holds(account, ask);
  },
  async iniRealm({ input }) {
    await make(staticRealm, { users: lines(section(input.ini, 'users')), roles: lines(section(input.ini, 'roles')) });
    return 'no error';
  },
  async 'iniRealm-init'({ input }) {
    const [users, roles] = [lines(section(input.ini, 'users')), lines(section(input.ini, 'roles'))];
    if (!input.login) {
      await make(staticRealm, { users, roles });
      return { roleExists: Object.fromEntries([...roles.keys()].map((role) => [role, true])) };
    }
    const account = await accountIn(users, roles, input.login[0]);
    const hasRole = account?.roles?.includes(input.roleAsked) ?? false;
    return { roleExists: roles.has(input.roleAsked), login: account !== undefined, hasRole };
  },
  async isPermitted({ input }) {
    if (!input.roles) return false;
    const users = new Map([['u', ['x', ...input.roles]]]);
    const account = await accountIn(users, new Map(Object.entries(input.rolePermissions)), 'u');
    return holds(account, { isPermitted: input.asked });
  },
  async supports() {
    return (await make(staticRealm)).supports(withPassword('a', 'b'));
  },
  async getAuthenticationInfo({ input }) {
    const account = await accountIn(new Map([['a', [input.storedCredentials]]]), new Map(), 'a');
    return account ? 'the info' : undefined;
  },
  async credentials() {
    const credentialsMatcher = { matches: () => false };
    const realm = await make(staticRealm, { users: new Map([['a', ['x']]]), credentialsMatcher });
    const answer = await realm.authenticate(withPassword('a', 'x'), loginHost());
    return { error: answer.answer === 'refused' ? 'IncorrectCredentialsException' : answer.answer };
  },
  async hashedMatcher({ input }) {
    const { algorithm, iterations, storedHex, submitted, principal, hashSalted = false, saltUtf8 } = input;
    const given = {
      hashAlgorithmName: algorithm,
      hashIterations: iterations,
      hashSalted: hashSalted || saltUtf8 !== undefined,
    };
    const matcher = await make(matcherComponents['portico.HashedMatcher']!, given);
    // A salt of the account: here it can only be the name of the user.
    return matching(matcher, submitted, storedHex, saltUtf8 ?? principal);
  },
  async passwordsMatch({ input }) {
    const salt = input.secretSaltUtf8 ? { privateSalt: secret(btoa(input.secretSaltUtf8)) } : {};
    return matching(await password(salt), input.submitted ?? '', input.saved ?? '');
  },
  async parseHash({ input, expected }) {
    const defect = (await password()).defect(secret(input.formatted));
    if (defect !== undefined) return { error: (expected as { error: string }).error };
    const [, version, memoryKiB, iterations, parallelism] = (
      /v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)/.exec(input.formatted) ?? []
    ).map(Number);
    const given = 'secret#shiro,password;Jo8opech';
    return {
      version,
      iterations,
      memoryKiB,
      parallelism,
      [`matches ${given}`]: await matching(await password(), given, input.formatted),
    };
  },
  argon2: async ({ input }) => matching(await password(), input.password, input.crypt),
  bcryptMatches: async ({ input }) => matching(await password(), input.password, input.crypt),
  async bcrypt({ input, expected }) {
    return (await matching(await password(), input.password, expected as string)) ? expected : 'another';
  },
  async formatFor({ input }) {
    // The vector's digest is a placeholder: that the form is known shows in what is said about it.
    return (await password())
      .defect(secret(input.value.replace('<digest base64>', 'AAAA')))
      ?.includes('none of the forms')
      ? null
      : 'Shiro1CryptFormat';
  },
};
/** Without an account there is nothing to ask for: false, or an error where one is demanded. */
for (const op of ['hasRole', 'hasAllRoles', 'isPermitted', 'isPermittedAll'] as const)
  Object.assign(run, { [op]: run[op] ?? (async () => holds(undefined, {})) });
for (const op of ['checkPermission', 'checkRoles'] as const)
  Object.assign(run, { [op]: async () => (holds(undefined, {}) ? 'no error' : { error: 'UnauthorizedException' }) });

describe.each(['realms', 'matchers'])('what the original does: %s', (file) => {
  const all = vectorsIn(file);
  const differs = ({ suite, name }: Vector) => differences.some(([which]) => which.test(`${suite} ${name}`));

  it.each(
    all.filter((vector) => !differs(vector)).map((vector) => [`${vector.suite} ${vector.name}`, vector] as const),
  )('%s', async (_title, vector) => {
    expect(await run[vector.input.op]?.(vector)).toEqual(vector.expected);
  });
});

it('has no difference that is none any more', () => {
  const titles = ['realms', 'matchers'].flatMap(vectorsIn).map(({ suite, name }) => `${suite} ${name}`);
  expect(differences.filter(([which]) => !titles.some((title) => which.test(title)))).toEqual([]);
});
