import type { Knows } from '../credentials.ts';

/**
 * Unknown users with a valid password of another user. Names with a meaning for prototypes, patterns, directories and
 * queries.
 */
export function strangersOf(knows: Knows): readonly Knows[] {
  if ('kind' in knows) return ['nobody', '', 'null', '__proto__'].map((token) => ({ ...knows, token }));
  const { user, password } = knows;
  const names = [
    'nobody-4711',
    '',
    ...['constructor', '__proto__', 'toString', 'hasOwnProperty'],
    ...['*', `${user}*`, `*)(uid=${user}`, `${user})(|(uid=*`, "' OR '1'='1' --", '../../admin'],
    ...[`${user}x`, `${user}\0`, `${user}\r\nx`, `${user}:`, 'x'.repeat(10_000)],
  ];
  return names.map((name) => ({ user: name, password }));
}
