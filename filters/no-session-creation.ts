import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass } from './answers.ts';

/** No filter begins a session: only `POST /session` does. */
export const noSessionCreation: Component<Filter> = {
  says: 'Has no effect, because no filter begins a session. Accepted so that existing files load.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};
