import { onTestFinished } from 'vitest';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { testClock } from '../../support/clock.ts';
import { type ServiceOptions, type TestService, withService } from '../../support/service.ts';
import { openProvider, type TestProvider } from './provider.ts';

export const origin = 'https://portico.test';
export const minute = 60_000;

export interface Opened {
  readonly world: TestService;
  readonly provider: TestProvider;
  readonly other: TestProvider;
  get(path: string, cookie?: string): Promise<Response>;
  /** To the provider and back, by the same browser. */
  login(changes?: Readonly<Record<string, string>>, page?: string): Promise<Response>;
  who(cookie: string): Promise<string>;
}

export async function open(
  statements: readonly string[] = [],
  settings: ServiceOptions['settings'] = {},
): Promise<Opened> {
  const clock = testClock();
  const [provider, other] = [await openProvider(() => clock.now()), await openProvider(() => clock.now())];
  onTestFinished(async () => {
    await provider.close();
    await other.close();
  });
  const lines = [
    'keycloak = portico.OidcLogin',
    'keycloak.title = Company',
    'keycloak.icon = key',
    `keycloak.issuer = ${provider.issuer}`,
    'keycloak.clientId = portico',
    'keycloak.clientSecret = a secret',
    'second = portico.OidcLogin',
    `second.issuer = ${other.issuer}`,
    'second.clientId = portico',
    'people = portico.AttributeUserInfoProvider',
    'people.defaultGroups = _user',
    'people.groupNames = staff:_item_read',
    'creation = portico.UserCreationListener',
    'creation.infoProvider = $people',
    'securityManager.authenticator.authenticationListeners = $creation',
    ...statements,
  ];
  const text = defaultIni.replace(/^\[urls\]$/m, () => `${lines.join('\n')}\n[urls]`);
  const world = await withService({ clock, settings, security: { text, file: 'security.ini', plugins: [] } });
  const send = async (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
    world.service.fetch(new Request(`${origin}${path}`, { ...init, headers: { host: 'portico.test', ...headers } }), {
      secure: true,
    });
  const get = (path: string, cookie?: string) =>
    send(path, {
      accept: 'application/json',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      ...(cookie ? { cookie } : {}),
    });
  return {
    world,
    provider,
    other,
    get,
    async login(changes, page = '/ui/library') {
      const begun = await get(`/APInoauth/login/keycloak?page=${encodeURIComponent(page)}`);
      return get(provider.loginAt(begun.headers.get('location')!, changes), cookieIn(begun));
    },
    async who(cookie) {
      const answer = await send('/API/whoami', { cookie, 'sec-fetch-site': 'same-origin' });
      return answer.status === 200 ? answer.text() : String(answer.status);
    },
  };
}

export const cookieIn = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
export const told = (answer: Response): string => `${answer.status} ${answer.headers.get('location')}`;
export const refused = '303 /ui/?login=refused';
export const expired = '303 /ui/?login=expired';
export const failed = '303 /ui/?login=failed';
export const reasonOf = ({ world }: Opened): unknown => {
  const line = world.lines.findLast(({ event }) => event === 'login-not-finished') as
    | Record<string, unknown>
    | undefined;
  return line?.['reason'];
};
export const groupsOf = async ({ world }: Pick<Opened, 'world'>, user: string): Promise<string[]> => {
  const rows = await world.service.store.read(
    'SELECT g.name FROM "group" g JOIN group_user m ON m.group_id = g.id JOIN user u ON u.id = m.user_id WHERE u.name = ? ORDER BY 1',
    [user],
  );
  return rows.map(([name]) => String(name));
};
