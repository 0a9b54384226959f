import { defaultFilters, filterComponents } from '../../filters/index.ts';
import { loginComponents } from '../../filters/oidc/index.ts';
import {
  actionComponents,
  listenerComponents,
  matcherComponents,
  userInfoProviderComponents,
} from '../../plugins/index.ts';
import { realmComponents } from '../../realms/index.ts';
import { withEnd } from '../../src/core/lib/ends.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { Component, Components, Property, PropertyTable } from '../../src/spi/index.ts';
import { code, table } from './table.ts';

const head = `# Realms, filters and other components

\`npm run docs\` writes this page from what ships.
Each section is one component, with its class names and the properties that security.ini may set.
[security.ini](../security/security-ini.md) says how to use them; [plugins](../plugins/first-plugin.md) bring more.
`;

export const componentKinds: readonly (readonly [string, Components<unknown>])[] = [
  ['Realms', realmComponents],
  ['Filters', filterComponents],
  ['Logins', loginComponents],
  ['Matchers of passwords', matcherComponents],
  ['Listeners', listenerComponents],
  ['User-info providers', userInfoProviderComponents],
  ['Actions of notifications', actionComponents],
];

/** Every component that ships, by kind, with the properties that security.ini may set. */
export function componentsPage(): string {
  return [head, ...componentKinds.flatMap(([title, components]) => [`## ${title}\n`, ...sections(components)])].join(
    '\n',
  );
}

/** Groups class names by component: a component may have several. */
function sections(components: Components<unknown>): readonly string[] {
  const each = [...new Set(Object.values(components))];
  return each.map((component) =>
    section(
      component,
      Object.keys(components).filter((name) => components[name] === component),
    ),
  );
}

function section({ says, properties = {} }: Component<unknown>, classes: readonly string[]): string {
  const objects = Object.entries(defaultFilters).filter(([, name]) => classes.includes(name));
  const declared = classes.flatMap((name) => new RegExp(`^(\\w+) = ${name}$`, 'm').exec(defaultIni)?.[1] ?? []);
  const own = [...new Set([...objects.map(([name]) => name), ...declared])];
  const title = own.length > 0 ? own.map(code).join(', ') : code(classes[0]!);
  const rows = propertyRows(properties);
  return [
    `### ${title}\n`,
    `${says.replace(/[^.]$/, '$&.')}\n`,
    `Class: ${classes.map(code).join(', ')}.\n`,
    ...(rows.length > 0 ? [`${table(['property', 'type', 'default', 'what'], rows)}\n`] : []),
  ].join('\n');
}

function propertyRows(properties: PropertyTable, prefix = ''): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const row = [
      code(`${prefix}${name}`),
      typeOf(property),
      defaultValue(property),
      withEnd(property.says, property.ends),
    ];
    const { type } = property;
    const inner = typeof type === 'object' && 'nested' in type ? propertyRows(type.nested, `${prefix}${name}.`) : [];
    return [row, ...inner];
  });
}

function typeOf({ type }: Property): string {
  if (typeof type === 'string') return type;
  if ('choice' in type) return type.choice.map(code).join(', ');
  if ('nested' in type) return 'object';
  return 'reference' in type ? `one of ${type.reference}` : `several of ${type.references}`;
}

function defaultValue({ type, required, fallback }: Property): string {
  if (required) return 'required';
  if (type === 'duration' && typeof fallback === 'number') return code(`${fallback / 1000}s`);
  const plain = Array.isArray(fallback) ? fallback.join(', ') : fallback;
  return plain === undefined || plain === '' || typeof plain === 'object' ? '' : code(String(plain));
}
