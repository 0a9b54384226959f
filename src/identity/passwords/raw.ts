import { choice } from '../../http/parameters/index.ts';

/** Passwords are sent as they are. The MD5 of older clients would be stored as an unusable password. */
export const rawOnly = choice('Form of the password: plain text', ['raw'], {
  expected: 'Expected "raw": passwords are sent as they are, over TLS, and stored under a slow salted hash',
});
