import type { Call } from '../http/call.ts';
import { type Access, access } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import { subjectOf } from '../security/caller.ts';
import { administrator } from '../security/subject.ts';

/** Refuses what was lent for a while, or can be taken back: a token, an access key, a bearer token. */
export const withPassword = (usual: Access, what: string): Access => proven(usual, what, 'a password', isBasicLogin);

/** Refuses also the password of another realm. A remembered password counts. */
export const withOwnPassword = (usual: Access, what: string): Access =>
  proven(usual, what, 'the password of the account', (call) => subjectOf(call).proof?.kind === 'password');

function proven(usual: Access, what: string, expected: string, isProof: (call: Call) => boolean): Access {
  return access({ ...usual.needs, besides: `${expected}, or the role ${administrator}` }, async (call, params) => {
    await usual(call, params);
    if (isProof(call) || (await isAdministrator(call))) return;
    const explanation = `Expected ${expected}, or the role ${administrator}: ${what} outlives what it was made with`;
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  });
}

function isBasicLogin(call: Call): boolean {
  const isBasic = /^basic /i.test(call.request.headers.get('authorization') ?? '');
  return isBasic && subjectOf(call).proof?.kind !== 'key';
}

/** The user, or the administrator who acts for the user. */
async function isAdministrator(call: Call): Promise<boolean> {
  const subject = subjectOf(call);
  return (await subject.has(administrator)) || (await subject.actor?.has(administrator)) === true;
}
