import { aliasIn } from '../../../core/lib/secret.ts';
import { type Findings, quoted } from '../findings.ts';
import type { IniEntry } from '../scan.ts';
import type { Ini } from '../sections.ts';
import { type IniToken, splitQuoted } from '../split.ts';
import { SecretReference } from './types.ts';

/** By name: the password or its secret, then the roles. By role: its permissions. */
export interface Accounts {
  readonly users: ReadonlyMap<string, readonly (string | SecretReference)[]>;
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

/** `[users]` and `[roles]`. Values may be passwords: findings name users and roles only. */
export function readAccounts(ini: Ini, findings: Findings): Accounts {
  const lines = new Map(ini.sections.get('users')?.entries.map(({ key, position }) => [key, position]));
  const users = [...read(ini, 'users', userProblem, findings)].map(([name, [password = '', ...roles]]) => {
    const alias = aliasIn(password);
    return [name, [alias === undefined ? password : new SecretReference(alias, lines.get(name)), ...roles]] as const;
  });
  return { users: new Map(users), roles: read(ini, 'roles', roleProblem, findings) };
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

const report = (section: string, { position }: IniEntry, message: string, findings: Findings): void =>
  findings.error(section === 'users' ? 'user' : 'role', position, message);

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

/** Statement of one line in `[main]`. */
type Statement =
  /** Definition: `name = class`, `name.class = class`. */
  | { readonly kind: 'define'; readonly name: string; readonly path: string; readonly entry: IniEntry }
  /** Assignment: `name.path = value`. */
  | { readonly kind: 'assign'; readonly name: string; readonly path: string; readonly entry: IniEntry }
  /** Assignment to all objects: `shiro.path = value`. */
  | { readonly kind: 'everywhere'; readonly name: string; readonly path: string; readonly entry: IniEntry };

/** Statements of `[main]`, or of the part before any section if `[main]` is missing, then of the older `[filters]`. */
export function parseStatements(ini: Ini, findings: Findings): readonly Statement[] {
  const [main, unnamed] = [ini.sections.get('main'), ini.sections.get('')];
  if (main && unnamed) {
    const message =
      'Expected every statement in a section: those before the first header are not read, because there is a [main]';
    findings.error('before-section', unnamed.entries[0]!.position, message);
  }
  const entries = [...((main ?? unnamed)?.entries ?? []), ...(ini.sections.get('filters')?.entries ?? [])];
  return entries.flatMap((entry) => {
    const statement = statementOf(entry);
    if (statement) return [statement];
    const message =
      'Expected the name of an object without blanks, commas, quotes, brackets and dollar signs, then perhaps a dot and a property';
    findings.error('object-name', entry.position, `${message}: ${quoted(entry.key)}`);
    return [];
  });
}

function statementOf(entry: IniEntry): Statement | undefined {
  const [, name, path] = /^([^.]*)(?:\.(.*))?$/s.exec(entry.key)!;
  if (!/^[^\s,"$[\]]+$/.test(name!) || path === '') return undefined;
  if (path === undefined || path === 'class') return { kind: 'define', name: name!, path: '', entry };
  return { kind: name!.toLowerCase() === 'shiro' ? 'everywhere' : 'assign', name: name!, path, entry };
}

/** The class of each object, so that the plugin loader can fetch those that name a file or a package. */
export function referencedClasses(
  ini: Ini,
  findings: Findings,
): readonly { readonly className: string; readonly entry: IniEntry }[] {
  return parseStatements(ini, findings).flatMap((statement) =>
    statement.kind === 'define' ? [{ className: statement.entry.value, entry: statement.entry }] : [],
  );
}
