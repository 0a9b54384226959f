import { Secret } from '../lib/secret.ts';
import type { Account, Credentials, Filter, FilterRequest, LoginAnswer, Refusal, ServiceUsers } from '../spi/index.ts';
import { type Directory, type RequestUsers, Subject } from './subject.ts';

/** One filter of a chain, with its bracketed option. */
export interface Step {
  readonly filter: Filter;
  readonly permissive?: boolean;
  /** Whether this filter finds out who is asking. A chain that has such a filter lets nobody through unknown. */
  readonly authenticates: boolean;
}

export interface Chain {
  readonly pattern: string;
  readonly steps: readonly Step[];
}

export interface Guarded {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

export type Decision =
  | { readonly granted: true; readonly subject: Subject | undefined }
  | { readonly granted: false; readonly reason: string; readonly response: Refusal };

interface Parts {
  readonly chains: readonly Chain[];
  readonly directory: Directory;
  login(credentials: Credentials, users: ServiceUsers): Promise<LoginAnswer>;
}

const unauthorized: Refusal = { status: 401, headers: {} };
const forbidden: Refusal = { status: 403, headers: {} };

/** Every request gets a decision, and the absence of one is a refusal. */
export function createPipeline({ chains, directory, login }: Parts) {
  const compiled = chains.map((chain) => ({ ...chain, matches: matcher(chain.pattern) }));

  return async function decide(guarded: Guarded): Promise<Decision> {
    const chain = compiled.find(({ matches }) => matches(guarded.path));
    if (!chain) return { granted: false, reason: 'no-chain', response: forbidden };
    const users = directory.open();
    let account: Account | undefined;
    for (const step of chain.steps) {
      if (step.authenticates && account) continue;
      const verdict = await step.filter.check(new View(guarded, step, users, login));
      if (verdict.verdict === 'refuse') return { granted: false, reason: verdict.reason, response: verdict.response };
      if (verdict.verdict === 'accept') account = verdict.account;
    }
    if (!account) {
      const authenticates = chain.steps.some((step) => step.authenticates);
      return authenticates
        ? { granted: false, reason: 'nobody-authenticated', response: unauthorized }
        : { granted: true, subject: undefined };
    }
    // Whatever a realm says: without an enabled user in the database there is nobody to act as.
    const user = await users.find(account.name);
    if (!user?.enabled) return { granted: false, reason: 'account-without-user', response: unauthorized };
    return { granted: true, subject: new Subject(user, users) };
  };
}

/** What one filter is shown. A class, because a request makes one for each filter that it meets. */
class View implements FilterRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly permissive: boolean;
  readonly #users: RequestUsers;
  readonly #login: Parts['login'];

  constructor(guarded: Guarded, step: Step, users: RequestUsers, login: Parts['login']) {
    this.method = guarded.method;
    this.path = guarded.path;
    this.headers = guarded.headers;
    this.permissive = step.permissive ?? false;
    this.#users = users;
    this.#login = login;
  }

  secret(text: string): Secret {
    return new Secret(text);
  }

  login(credentials: Credentials): Promise<LoginAnswer> {
    return this.#login(credentials, this.#users);
  }
}

/** `/a/**` covers `/a` and all below it; any other pattern is one path. */
function matcher(pattern: string): (path: string) => boolean {
  if (pattern === '/**') return () => true;
  if (!pattern.endsWith('/**')) return (path) => path === pattern;
  const root = pattern.slice(0, -'/**'.length);
  return (path) => path === root || path.startsWith(`${root}/`);
}
