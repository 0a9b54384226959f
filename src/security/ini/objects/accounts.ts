import { type Findings, quoted } from '../ini/findings.ts';
import type { IniEntry } from '../ini/scan.ts';
import type { Ini } from '../ini/sections.ts';
import { type IniToken, splitQuoted } from '../ini/split.ts';

/** By name: the password, then the roles. By role: its permissions. */
export interface Accounts {
  readonly users: ReadonlyMap<string, readonly string[]>;
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** `[users]` and `[roles]`. Values may be passwords: findings name users and roles only. */
export function readAccounts(ini: Ini, findings: Findings): Accounts {
  return { users: read(ini, 'users', userProblem, findings), roles: read(ini, 'roles', roleProblem, findings) };
}

type Check = (parts: readonly IniToken[], name: string) => string | undefined;

function read(ini: Ini, section: string, check: Check, findings: Findings): ReadonlyMap<string, readonly string[]> {
  const entriesByName = new Map<string, readonly string[]>();
  for (const entry of ini.sections.get(section)?.entries ?? []) {
    const { tokens, open } = splitQuoted(entry.value);
    const message = open
      ? `Expected a closing quote for ${quoted(entry.key)}: the line ends`
      : check(tokens, entry.key);
    if (message === undefined)
      entriesByName.set(
        entry.key,
        tokens.map(({ text }) => text),
      );
    else report(section, entry, message, findings);
  }
  return entriesByName;
}

const report = (section: string, { place }: IniEntry, message: string, findings: Findings): void =>
  findings.error(section === 'users' ? 'user' : 'role', place, message);

function userProblem(parts: readonly IniToken[], name: string): string | undefined {
  // In the original an empty given password matches an empty stored one.
  if ((parts[0]?.text ?? '') === '') return `Expected a password for the user ${quoted(name)}: an empty one`;
  if (parts.slice(1).some(({ text }) => text === ''))
    return `Expected names of roles for the user ${quoted(name)}: an empty one`;
  return undefined;
}

function roleProblem(parts: readonly IniToken[], name: string): string | undefined {
  const unusable = parts.some(({ text }) => /^[:,\s]*$/.test(text));
  return unusable ? `Expected permissions for the role ${quoted(name)}: an empty one` : undefined;
}
