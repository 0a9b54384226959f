import { choice, type Parameter } from '../../http/parameters/index.ts';
import type { IdentityParts } from '../parts.ts';
import { checkPassword } from './rules.ts';

type Disabled = 'true' | 'false' | 'all';

export const disabled: Parameter<Disabled> = choice(
  'Only the disabled users, only the others, or all',
  ['true', 'false', 'all'],
  { defaultValue: 'all', also: { '1': 'true', yes: 'true', '0': 'false', no: 'false' } },
);

/** Filter by the state of users. Undefined: no filter. */
export const enabledOf = (disabled: Disabled): boolean | undefined =>
  disabled === 'all' ? undefined : disabled === 'false';

export function newHash({ passwords, settings }: IdentityParts, password: string, place: string): Promise<string> {
  checkPassword(password, settings, place);
  return passwords.hash(password);
}

/** Passwords are sent as they are. The MD5 of older clients would be stored as an unusable password. */
export const rawOnly = choice('Form of the password: plain text', ['raw'], {
  expected: 'Expected "raw": passwords are sent as they are, over TLS, and stored under a slow salted hash',
});
