import { type Call, caller } from '../http/call.ts';
import type { Access } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import { administrator } from '../security/subject.ts';

/** Refuses what was lent for a while, or can be taken back: a token, an access key, a bearer token. */
export const withPassword =
  (access: Access, what: string): Access =>
  async (call, params) => {
    await access(call, params);
    const subject = caller(call);
    const isBasic = /^basic /i.test(call.request.headers.get('authorization') ?? '');
    if ((isBasic && subject.proof?.kind !== 'key') || (await isAdministrator(call))) return;
    const explanation = `Expected a password, or the role ${administrator}: ${what} outlives what it was made with`;
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  };

/** The user, or the administrator who acts for the user. */
async function isAdministrator(call: Call): Promise<boolean> {
  const subject = caller(call);
  return (await subject.has(administrator)) || (await subject.actor?.has(administrator)) === true;
}
