import { isRecord } from '../../core/lib/checks.ts';
import { assemble } from '../../security/ini/assemble.ts';
import type { Finding } from '../../security/ini/findings.ts';
import { componentKinds, registryOf } from '../../security/ini/registry.ts';
import { readSecurityIni } from '../../security/ini/security-ini.ts';
import type { Component, ComponentKind, Components, CredentialsMatcher, Host, Plugin } from '../../spi/index.ts';
import type { PluginExample } from './examples.ts';
import { countMatches, type TestHost } from './host.ts';

const objectName = 'example';

/** Makes a component as the service does: from the lines of a security.ini. Throws what is wrong with them. */
export async function makeComponent(
  plugin: Plugin,
  { component, properties = {}, main = [] }: PluginExample,
  host: TestHost,
  others: readonly Plugin[] = [],
): Promise<unknown> {
  const components = new Map<string, unknown>();
  const { registry, findings } = registryOf([watched(plugin, host, components), ...others]);
  const lines = Object.entries(properties).map(([name, value]) => `${objectName}.${name} = ${value}`);
  // Nothing stands in a chain here, not even what stands in each.
  const alone = 'filterChainResolver.globalFilters = null';
  const text = ['[main]', alone, ...main, `${objectName} = ${component}`, ...lines].join('\n');
  const { blueprint, findings: read } = readSecurityIni(text, `the example of ${component}`, registry, {
    whole: false,
  });
  refuse([...findings, ...read]);
  const { findings: assembled } = await assemble(blueprint!, (name) => named(host, name));
  refuse(assembled);
  return components.get(objectName);
}

function refuse(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
}

/** Host under another name, with shared counters and log. */
const named = (host: TestHost, name: string): Host => Object.create(host, { name: { value: name } }) as Host;

/** Records created objects by name, and counts calls of matchers. */
function watched(plugin: Plugin, host: TestHost, objects: Map<string, unknown>): Plugin {
  const kinds = componentKinds.flatMap((kind) => {
    const components = plugin[kind] as Components<unknown> | undefined;
    return isRecord(components) ? [[kind, watchedAll(kind, components, host, objects)] as const] : [];
  });
  return { ...plugin, ...Object.fromEntries(kinds) };
}

function watchedAll(
  kind: ComponentKind,
  components: Components<unknown>,
  host: TestHost,
  objects: Map<string, unknown>,
) {
  const entries = Object.entries(components).map(([name, component]): [string, Component<unknown>] => [
    name,
    {
      ...component,
      async create(properties: unknown, lent: Host) {
        const instance = await component.create(properties, lent);
        const created = kind === 'matchers' && isMatcher(instance) ? countMatches(instance, host) : instance;
        objects.set(lent.name, created);
        return created;
      },
    },
  ]);
  return Object.fromEntries(entries);
}

const isMatcher = (instance: unknown): instance is CredentialsMatcher => isRecord(instance) && 'matches' in instance;
