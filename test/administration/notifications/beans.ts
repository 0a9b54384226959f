import { builtInSecurity } from '../../../src/composition/service.ts';
import type { SecurityInput } from '../../../src/security/ini/security-parts.ts';
import type { NotificationAction } from '../../../src/spi/index.ts';

const delivering: NotificationAction = { perform: () => ({ answer: 'delivered' }) };

/** The usual configuration, with a plugin that brings actions under these class names. */
export function withBeans(actions: Readonly<Record<string, NotificationAction>>): SecurityInput {
  const components = Object.entries(actions).map(([name, action]) => [
    name,
    { says: 'For tests.', create: () => action },
  ]);
  return {
    ...builtInSecurity,
    plugins: [{ name: 'test-actions', version: '1', contract: 1, actions: Object.fromEntries(components) }],
  };
}

/** The same with beans that deliver to nobody. */
export const withBean = (...names: readonly string[]): SecurityInput =>
  withBeans(Object.fromEntries(names.map((name) => [name, delivering])));
