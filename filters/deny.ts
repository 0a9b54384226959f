import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, refuse, switched } from './answers.ts';

const denied = refuse('denied', 403);

export const deny: Component<Filter> = {
  says: 'Refuses every request of every caller.',
  properties: { enabled: enabledProperty },
  create: (properties: { readonly enabled?: boolean }, host) =>
    switched({ check: () => denied }, properties.enabled, host),
};
