import type { Call } from '../../http/call.ts';
import { choiceParameter } from '../../http/parameter.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { IdentityParts } from '../parts.ts';
import { checkPassword } from './rules.ts';

/** Only those who are enabled, or only those who are not; undefined for both. */
export function enabledParameter({ parameters }: Call): boolean | undefined {
  const disabled = choiceParameter(parameters, 'disabled', ['true', 'false', 'all']);
  return disabled === undefined || disabled === 'all' ? undefined : disabled === 'false';
}

/** Passwords are sent as they are. The md5 of older clients would be stored as a password that nobody knows. */
export function rawPasswords(call: Call, parameter: 'passwordType' | 'type'): void {
  const given = call.parameters.get(parameter)?.toLowerCase();
  if (given === undefined || given === '' || given === 'raw') return;
  const explanation = 'Expected "raw": passwords are sent as they are, over TLS, and stored under a slow salted hash';
  throw new ServiceError('bad-parameter', {
    context: 'parameter',
    id: parameter,
    explanation,
    value: given.slice(0, 80),
  });
}

export function newHash({ passwords, settings }: IdentityParts, password: string, place: string): Promise<string> {
  checkPassword(password, settings.maxPasswordLength, place);
  return passwords.hash(password);
}
