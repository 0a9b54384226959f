import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import type { LoginLack } from '../security/subject.ts';
import { isProgram } from './acting.ts';
import { type Call, hasBasicLogin } from './call.ts';
import type { Route } from './route.ts';

const refusals: Readonly<Record<LoginLack, () => ServiceError>> = {
  'second-factor': () => alone('Expected an access key: the user has a second factor'),
  enrolment: () => alone('Expected an access key: the user must have a second factor, which the web page sets up'),
  'recent-login': loginTooOld,
};

export function loginTooOld(): ServiceError {
  const explanation = 'Expected a login that is more recent (setting stepUpSeconds): log in again';
  return new ServiceError('login-too-old', { context: 'session', explanation });
}

const alone = (explanation: string): ServiceError =>
  new ServiceError('second-factor-missing', { context: 'header Authorization', explanation });

/** Refuses a password without the second factor of its user, and old logins where a route is dangerous. */
export function checkLogin({ beginsLogin, isDangerous }: Route, call: Call): Maybe<void> {
  const { subject, came } = call;
  if (!subject) return undefined;
  const isPasswordAlone = !beginsLogin && hasBasicLogin(call);
  if (!isPasswordAlone && !isDangerous) return undefined;
  const lacks = subject.lacks({ isPasswordAlone, isDangerous: isDangerous === true, came });
  return after(lacks, (lack) => {
    if (!lack) return undefined;
    if (lack !== 'recent-login') throw refusals[lack]();
    return after(isProgram(subject), (program) => {
      if (!program) throw refusals[lack]();
    });
  });
}
