import type { Host, Plugin } from '../spi/index.ts';
import { type Assembled, assemble } from './assemble.ts';
import type { Finding } from './finding.ts';
import { registryOf } from './registry.ts';
import { readSecurityIni } from './security-ini.ts';
import type { SecurityInput } from './security-input.ts';

interface Shipped {
  readonly plugin: Plugin;
  /** Filters that exist without being declared, by the names of their classes. */
  readonly defaultFilters: Readonly<Record<string, string>>;
  /** The path of a pattern in the spelling of the paths that it is compared with. */
  canonicalPattern(pattern: string): string;
  makeHost(name: string): Host;
}

/** Creates the security configuration from text and modules, or returns all findings. */
export async function configureSecurity(input: SecurityInput, shipped: Shipped): Promise<Assembled> {
  const { registry, findings: ofPlugins } = registryOf([shipped.plugin, ...input.plugins], {
    ...input.direct,
    defaultFilters: shipped.defaultFilters,
  });
  const read = readSecurityIni(input.text, input.file, registry, shipped);
  const before: Finding[] = [...(input.findings ?? []), ...ofPlugins, ...read.findings];
  // Input that was unreadable or harmful is refused, even if the rest is valid.
  const harmed = input.findings?.some(({ severity }) => severity === 'error') ?? false;
  if (!read.blueprint || harmed) return { parts: undefined, findings: before, closing: [] };
  const made = await assemble(read.blueprint, shipped.makeHost);
  return { ...made, findings: [...before, ...made.findings] };
}
