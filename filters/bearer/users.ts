import { after, type Maybe } from '../../src/kit/index.ts';
import type { FilterRequest } from '../../src/spi/index.ts';
import type { SchemeAnswer } from '../authorization.ts';
import { type RefusalId, refusals } from './refusals.ts';

/** The answer to a token that is refused. Nothing of the token is in it. */
export function refusedFor(reason: RefusalId, headers?: Readonly<Record<string, string>>): SchemeAnswer {
  const challenge = `error="invalid_token", error_description="${refusals[reason].says}"`;
  return { accepted: false, reason, challenge, ...(headers ? { headers } : {}) };
}

/** Admits the user of a valid token, who must exist and be enabled. No user is created. */
export function admit(name: string | undefined, request: FilterRequest): Maybe<SchemeAnswer> {
  if (name === undefined) return refusedFor('user-claim-wrong');
  return after(request.findUser(name), (user) => {
    if (!user) return refusedFor('user-unknown', { reason: `User was not found: ${headerSafe(name)}` });
    return user.enabled ? { accepted: true, account: { name: user.name } } : refusedFor('user-disabled');
  });
}

const longestName = 200;

/** Printable ASCII as it is, anything else as a URL would have it. */
const headerSafe = (name: string): string =>
  name
    .toWellFormed()
    .slice(0, longestName)
    .toWellFormed()
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent);
