import type { ChainParts } from '../security-ini/security-parts.ts';

/**
 * What needs no credentials: clients call these before anybody can have logged in, or on behalf of a load balancer.
 * A `/**` of security.ini does not cover them; a line of its own does.
 */
const roots = ['/APIinit', '/APInoauth', '/health', '/whatismyipaddress'];

export function withOpenRoots(chains: readonly ChainParts[]): readonly ChainParts[] {
  const named = (root: string) => chains.some(({ pattern }) => pattern === root || pattern.startsWith(`${root}/`));
  const open = roots.filter((root) => !named(root));
  return [...open.map((root) => ({ pattern: `${root}/**`, line: 0, steps: [] })), ...chains];
}
