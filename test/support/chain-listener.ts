import { filterComponents } from '../../filters/index.ts';
import type { Credentials } from '../../src/spi/index.ts';
import { ask, make, onlyAlice } from '../filters/support.ts';

/** The default chain. Tells who got in, and in the header `asked` which credentials the realms were asked about. */
export async function chainListener(): Promise<(request: Request) => Promise<Response>> {
  const [token, bearer, basic] = await Promise.all(
    ['Token', 'OAuth2', 'Basic'].map((name) => make(filterComponents[`portico.${name}Filter`]!)),
  );
  return async ({ headers, method }) => {
    const asked: string[] = [];
    const login = (credentials: Credentials) => {
      asked.push(credentials.kind === 'password' ? credentials.user : credentials.token.reveal());
      return onlyAlice(credentials);
    };
    for (const [filter, words] of [
      [token, ['permissive']],
      [bearer, ['permissive']],
      [basic, undefined],
    ] as const) {
      const verdict = await ask(filter!, words, { headers, method, login });
      const told = { asked: asked.join() };
      if (verdict.verdict === 'accept') return new Response(verdict.account.name, { headers: told });
      if (verdict.verdict !== 'refuse') continue;
      const { status } = verdict.response;
      return new Response(null, { status, headers: { ...verdict.response.headers, ...told } });
    }
    return new Response('nobody', { status: 500 });
  };
}
