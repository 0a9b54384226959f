import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass } from './answers.ts';

/** Looks at nothing. A chain of it alone needs no login; beside a filter that authenticates it changes nothing. */
export const anon: Component<Filter> = {
  says: 'Lets every request pass. A chain with no other filter needs no credentials.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};
