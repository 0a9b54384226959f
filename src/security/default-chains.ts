import type { Filter } from '../spi/index.ts';
import type { Chain } from './pipeline.ts';

/** What needs no credentials: clients call these before anybody can have logged in, or on behalf of a load balancer. */
const open = ['/APIinit/**', '/APInoauth/**', '/health/**'];

/** The chains of an installation without a security.ini. First match wins. */
export function defaultChains(basic: Filter): readonly Chain[] {
  return [
    ...open.map((pattern) => ({ pattern, steps: [] })),
    { pattern: '/**', steps: [{ filter: basic, authenticates: true }] },
  ];
}
