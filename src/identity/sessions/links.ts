import { systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { IssueToken } from '../tokens/issue.ts';
import { noSuchUser } from '../users/rules.ts';
import { findLogin } from '../users/store.ts';

/** Milliseconds in which a login link works. */
const lifetimeOfLink = 30 * 60 * 1000;

interface Parts {
  readonly store: Store;
  readonly issueToken: IssueToken;
}

/** Text of a link that logs a user in once, without the password. */
export async function makeLink({ store, issueToken }: Parts, name: string): Promise<string> {
  const login = await findLogin(store, { name });
  if (!login) throw noSuchUser(name);
  const issue = { kind: 'link', lifetime: lifetimeOfLink, autoRefresh: false, keyId: null } as const;
  const { token, work } = issueToken(login, issue);
  await store.commit(work, systemActor);
  return token;
}
