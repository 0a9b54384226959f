import type { Host, LoginOutcome, RedirectLogin } from '../../spi/index.ts';
import { type Backend, ended, type TestHost, testHost } from './host.ts';
import { broken, type CheckResult, inspect } from './result.ts';

interface LoginUnderTest {
  make(host: Host): Promise<RedirectLogin> | RedirectLogin;
  readonly backend?: Backend | undefined;
}

const back = 'https://portico.example/APInoauth/login/test/callback';

async function trialOf({ make, backend }: LoginUnderTest): Promise<{ host: TestHost; login: RedirectLogin }> {
  const host = testHost({ backend });
  return { host, login: await ended(Promise.resolve(make(host)), host) };
}

/** The contract of a login by way of a provider. Only a provider that answers shows the rest. */
export function checkLogin(subject: LoginUnderTest): Promise<CheckResult[]> {
  return inspect({
    'has a title for the login page': async () => {
      const { login } = await trialOf(subject);
      if (typeof login.title !== 'string' || login.title.trim() === '') broken('a title for the login page', 'none');
    },
    'accepts nobody without an answer of the provider': async () => {
      for (const query of ['', 'code=a&state=b', 'error=access_denied']) {
        const { host, login } = await trialOf(subject);
        const finishing = Promise.resolve().then(() =>
          login.finish({ back, state: '{}', query: new URLSearchParams(query) }),
        );
        const outcome = await ended<LoginOutcome | undefined>(
          finishing.catch(() => undefined),
          host,
        );
        if (outcome?.answer === 'account') broken(`a refusal of "${query}"`, 'an account');
      }
    },
  });
}
