import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass } from './answers.ts';

/** The service has no sessions and sets no cookie, so what this asks for is always so. */
export const noSessionCreation: Component<Filter> = {
  says: 'Has no effect, because there are no sessions. Accepted so that existing files load.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};
