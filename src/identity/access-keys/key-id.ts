import type { Random } from '../../core/lib/random.ts';

/** Upper case without letters that look like others: 32 symbols, five bits each. */
const symbols = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const prefix = 'VSID';
const length = 16;
const pattern = new RegExp(`^${prefix}[${symbols}]{${length}}$`);

/** In basic authentication the id stands where a user name would: no user can have such a name. */
export const isKeyId = (name: string): boolean => name.startsWith(prefix) && pattern.test(name);

export function newKeyId(random: Random): string {
  return prefix + Array.from(random.bytes(length), (byte) => symbols[byte & 31]).join('');
}
