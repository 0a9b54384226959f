import { nearest } from '../../../core/lib/messages.ts';
import { type Findings, type LinePosition, quoted } from '../findings.ts';
import type { Registry } from '../registry.ts';
import type { IniEntry } from '../scan.ts';
import type { Ini } from '../sections.ts';
import { type Accounts, parseStatements } from './accounts.ts';
import { assign, hasNoWork } from './assign.ts';
import {
  authenticatorEntry,
  iniRealmClass,
  managerEntry,
  nearestClass,
  resolverEntry,
  statelessClass,
  unsupportedNames,
  withoutEffect,
  withoutWork,
} from './builtins.ts';
import type { ObjectScope } from './convert.ts';
import type { ClassEntry, ObjectPlan } from './types.ts';

/** The objects of a file, after all statements have run in their order. */
export interface Objects {
  readonly manager: ObjectPlan;
  readonly resolver: ObjectPlan;
  /** By name, in the order of the file; an implied `iniRealm` comes first. Default filters are not among them. */
  readonly declared: ReadonlyMap<string, ObjectPlan>;
  /** The declared object of that name, or the default filter. */
  find(name: string): ObjectPlan | undefined;
  /** Names that `find` knows. */
  names(): string[];
}

export const firstPosition: LinePosition = { line: 1, column: 1 };

export function plan(
  name: string,
  entry: ClassEntry,
  position: LinePosition,
  more: Partial<ObjectPlan> = {},
): ObjectPlan {
  const elements = new Map<string, unknown>();
  return {
    name,
    entry,
    position,
    table: entry.table,
    values: new Map(),
    implicit: false,
    enabled: true,
    given: elements,
    ...more,
  };
}

export function buildObjects(ini: Ini, registry: Registry, accounts: Accounts, findings: Findings): Objects {
  return new Builder(ini, registry, accounts, findings).run();
}

class Builder implements ObjectScope {
  readonly #objects = new Map<string, ObjectPlan>();
  readonly #filters = new Map<string, ObjectPlan>();
  readonly #later = new Map<string, LinePosition>();
  readonly #manager = plan('securityManager', managerEntry, firstPosition, { implicit: true });
  readonly #resolver = plan('filterChainResolver', resolverEntry, firstPosition, { implicit: true });
  readonly #ini: Ini;
  readonly #registry: Registry;
  readonly #accounts: Accounts;
  readonly #findings: Findings;

  constructor(ini: Ini, registry: Registry, accounts: Accounts, findings: Findings) {
    this.#ini = ini;
    this.#registry = registry;
    this.#accounts = accounts;
    this.#findings = findings;
    const value = plan('authenticator', authenticatorEntry, firstPosition, { implicit: true });
    this.#manager.values.set('authenticator', { value, position: firstPosition });
    for (const [name, className] of registry.defaultFilters) {
      const entry = registry.find(className);
      if (entry?.kind === 'filters') this.#filters.set(name, plan(name, entry, firstPosition, { implicit: true }));
    }
  }

  run(): Objects {
    this.#implyRealm();
    const statements = parseStatements(this.#ini, this.#findings);
    for (const { kind, name, entry } of statements) if (kind === 'define') this.#later.set(name, entry.position);
    for (const statement of statements) {
      if (statement.kind === 'define') this.#define(statement.name, statement.entry);
      else if (statement.kind === 'everywhere') this.#everywhere(statement.path, statement.entry);
      else this.#assign(statement.name, statement.path, statement.entry);
    }
    return {
      manager: this.#manager,
      resolver: this.#resolver,
      declared: this.#objects,
      find: (name) => this.find(name),
      names: () => [...this.#objects.keys(), ...this.#filters.keys()],
    };
  }

  find(name: string): ObjectPlan | undefined {
    return this.#objects.get(name) ?? this.#filters.get(name) ?? this.#implicit(name);
  }

  missing(name: string): { found: string; nearest?: string | undefined } {
    const later = this.#later.get(name);
    if (later)
      return { found: `${quoted(`$${name}`)} is defined further down, in line ${later.line}`, nearest: undefined };
    const near = nearest(name, [
      ...this.#objects.keys(),
      ...this.#filters.keys(),
      'securityManager',
      'filterChainResolver',
    ]);
    return { found: quoted(`$${name}`), nearest: near };
  }

  #implicit(name: string): ObjectPlan | undefined {
    if (name === 'securityManager') return this.#manager;
    return name === 'filterChainResolver' ? this.#resolver : undefined;
  }

  /** `[users]` and `[roles]` make a realm, which stands before those of `[main]`. */
  #implyRealm(): void {
    const { sections } = this.#ini;
    const section = sections.get('users') ?? sections.get('roles');
    if (!section) return;
    const entry = this.#registry.find(iniRealmClass);
    if (entry?.kind === 'realms') {
      this.#objects.set(
        'iniRealm',
        plan('iniRealm', entry, section.position, { implicit: true, given: this.#given() }),
      );
    } else {
      const message = `Expected the class ${iniRealmClass}, which reads [${section.name}]: no plugin brings it`;
      this.#findings.error('unknown-class', section.position, message);
    }
  }

  #given(): ReadonlyMap<string, unknown> {
    return new Map(Object.entries({ users: this.#accounts.users, roles: this.#accounts.roles }));
  }

  #define(name: string, entry: IniEntry): void {
    if (name === 'securityManager' || name === 'filterChainResolver') {
      this.#redefineImplicit(name, entry);
      return;
    }
    const classEntry = this.#registry.find(entry.value) ?? statelessClass(entry.value);
    if (!classEntry) {
      this.#unknownClass(name, entry);
      return;
    }
    if (classEntry.kind === 'stateless') hasNoWork(entry, `the class ${entry.value.slice(0, 80)}`, this.#findings);
    const fills = name === 'iniRealm' && classEntry.component === this.#registry.find(iniRealmClass)?.component;
    // A Map keeps the place of the first definition, as the original does: it decides the order of realms.
    this.#objects.set(name, plan(name, classEntry, entry.position, fills ? { given: this.#given() } : {}));
  }

  #redefineImplicit(name: string, entry: IniEntry): void {
    const { className } = managerEntry;
    if (name === 'securityManager' && entry.value === className) return;
    const expected = name === 'securityManager' ? `no other class for it than ${className}` : 'no class for it';
    this.#findings.error(
      'implicit-object',
      entry.position,
      `Expected ${name} as it is, and ${expected}: ${classText(entry.value)}`,
    );
  }

  #unknownClass(name: string, entry: IniEntry): void {
    const why = this.#registry.why(entry.value);
    const near = why === undefined ? nearestClass(entry.value, this.#registry.names()) : undefined;
    const message =
      why === undefined
        ? `Expected a class name that the service or a plugin brings, for the object ${quoted(name)}: ${classText(entry.value)}`
        : `Expected a component in ${quoted(entry.value)}, for the object ${quoted(name)}: ${why}`;
    this.#findings.error('unknown-class', entry.valuePosition(), message, near);
    // Unknown object: prevents consequential findings about its statements.
    this.#objects.set(name, plan(name, unknownEntry(entry.value), entry.position));
  }

  #assign(name: string, path: string, entry: IniEntry): void {
    const owner = this.find(name);
    if (owner?.entry.kind === 'stateless' || owner?.entry.kind === 'unknown') return;
    if (owner) {
      assign(owner, path, entry, this, this.#findings);
      return;
    }
    if (withoutEffect.has(name)) {
      hasNoWork(entry, unsupportedNames.get(name) ?? 'it has no work here', this.#findings);
      return;
    }
    const expected = `Expected an object that is defined above, before ${quoted(entry.key)}`;
    const { found, nearest: near } = this.missing(name);
    const implied = name === 'iniRealm' ? ' (it exists only with a user in [users] or a role in [roles])' : '';
    this.#findings.error(
      'undefined-object',
      entry.position,
      `${expected}: ${found.replace('"$', '"')}${implied}`,
      near,
    );
  }

  /** `shiro.property = value`: for every object known at this moment that has the property. */
  #everywhere(path: string, entry: IniEntry): void {
    const property = path.split('.', 1)[0]!.replace(/\[.*/, '');
    const holders = [...this.#objects.values(), ...this.#filters.values(), this.#manager];
    const owners = holders.filter(({ table }) => table.has(property));
    for (const owner of owners) assign(owner, path, entry, this, this.#findings);
    if (owners.length > 0) return;
    const reason = withoutWork.get(property);
    if (reason !== undefined) {
      hasNoWork(entry, reason, this.#findings);
      return;
    }
    const message = `Expected a property that an object defined above has: ${quoted(property)}`;
    const near = nearest(
      property,
      holders.flatMap(({ table }) => [...table.keys()]),
    );
    this.#findings.error('unknown-property', entry.position, message, near);
  }
}

/** Only what looks like a class, a file or a package is quoted: a line such as `password = …` may have been meant otherwise. */
function classText(value: string): string {
  return /^[\w$@./:#-]*[./:#A-Z][\w$@./:#-]*$/.test(value) ? quoted(value) : 'something that is no class name';
}

const unknownEntry = (className: string): ClassEntry => ({
  className,
  kind: 'unknown',
  table: new Map(),
  plugin: '',
});
