import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass } from './answers.ts';

/** The service has no sessions and sets no cookie, so what this asks for is always so. */
export const noSessionCreation: Component<Filter> = {
  says: 'Passes: there are no sessions here. Accepted for the files that name it.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};
