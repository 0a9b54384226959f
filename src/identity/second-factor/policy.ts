import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { LoginLack, UserState } from '../../security/subject.ts';
import type { IdentitySettings } from '../settings.ts';

export type SecondFactorSettings = Pick<
  IdentitySettings,
  'secondFactor' | 'passkeyLogin' | 'passwordAlone' | 'stepUpSeconds'
>;

export type SecondStep = Exclude<LoginLack, 'recent-login'>;

/** Step that follows the password of a user. Undefined: none. */
export function secondStepOf(
  policy: SecondFactorSettings['secondFactor'],
  { factors }: Pick<UserState, 'factors'>,
  isAdministrator: () => Maybe<boolean>,
): Maybe<SecondStep | undefined> {
  if (policy === 'off') return undefined;
  if (factors > 0) return 'second-factor';
  if (policy === 'all') return 'enrolment';
  if (policy === 'optional') return undefined;
  return after(isAdministrator(), (administers) => (administers ? 'enrolment' : undefined));
}
