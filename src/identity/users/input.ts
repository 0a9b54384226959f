import type { Call } from '../../http/call.ts';
import { choiceParameter } from '../../http/parameter.ts';
import type { IdentityParts } from '../parts.ts';
import { checkPassword } from './rules.ts';

/** Only those who are enabled, or only those who are not; undefined for both. */
export function enabledParameter({ parameters }: Call): boolean | undefined {
  const disabled = choiceParameter(parameters, 'disabled', ['true', 'false', 'all']);
  return disabled === undefined || disabled === 'all' ? undefined : disabled === 'false';
}

export function newHash({ passwords, settings }: IdentityParts, password: string, place: string): Promise<string> {
  checkPassword(password, settings, place);
  return passwords.hash(password);
}
