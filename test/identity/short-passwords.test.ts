import { expect, it } from 'vitest';
import { userCommands } from '../../src/identity/user-commands.ts';

/** Hashes are made of passwords that were taken. */
const taken = new Error('taken');
const provides = { passwords: { hash: () => Promise.reject(taken) } };

const add = async (password: string, least: number, ...flags: readonly string[]) => {
  const line = { words: ['dave'], has: (flag: string) => flags.includes(flag) };
  const settings = { minPasswordLength: least, maxPasswordLength: 1024 };
  const run = userCommands()['user add']!.run(
    line as never,
    { readPassword: async () => password, settings, provides } as never,
  );
  return Promise.resolve(run).then(
    () => 'done',
    (error: Error) => (error === taken ? 'taken' : error.message),
  );
};

it.each([
  ['seven77', 1, [], 'Expected 8 to 1024 characters'],
  ['eight888', 1, [], 'taken'],
  ['seven77', 1, ['--short'], 'taken'],
  ['two', 4, ['--short'], 'Expected 4 to 1024 characters'],
  ['eight888', 12, [], 'Expected 12 to 1024 characters'],
] as const)('portico user add with "%s", where %i are enough, %j: %s', async (password, least, flags, said) => {
  expect(await add(password, least, ...flags)).toContain(said);
});
