import { type Call, caller } from '../http/call.ts';
import type { Access } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import { administrator } from '../security/subject.ts';

/** Whether nobody acts for the caller, or an administrator does. */
async function isInPerson(call: Call): Promise<boolean> {
  const { actor } = caller(call);
  return actor === undefined || actor.has(administrator);
}

/** Whether the caller decides who is an administrator: acting for one is not being one. */
export const decidesPower = async (call: Call): Promise<boolean> =>
  (await caller(call).has(administrator)) && (await isInPerson(call));

/** What lets its holder in for good is not given by whoever only acts for somebody. `what`: as a sentence begins. */
export const inPerson =
  (access: Access, what: string): Access =>
  async (call, params) => {
    await access(call, params);
    if (!(await isInPerson(call))) throw outlives(what);
  };

/** Of whoever acts for somebody, and would have it for good. */
export function outlives(what: string): ServiceError {
  const explanation = `Expected the user in person, or the role ${administrator}: ${what} outlives what it was made for`;
  return new ServiceError('not-allowed', { context: 'header RunAs', explanation });
}

/** And not with what was lent for a while, or can be taken back: a token, a key, a bearer token. */
export const withPassword =
  (access: Access, what: string): Access =>
  async (call, params) => {
    await access(call, params);
    const subject = caller(call);
    const isBasic = /^basic /i.test(call.request.headers.get('authorization') ?? '');
    if ((isBasic && subject.proof?.kind !== 'key') || (await subject.has(administrator))) return;
    const explanation = `Expected a password, or the role ${administrator}: ${what} outlives what it was made with`;
    throw new ServiceError('not-allowed', { context: 'header Authorization', explanation });
  };
