import type { ChainParts } from '../security-ini/security-parts.ts';

/**
 * What needs no credentials: clients call these before anybody can have logged in, or on behalf of a load balancer.
 * A `/**` of security.ini does not cover them; a line of its own does.
 */
const roots = ['/APInoauth', '/health', '/whatismyipaddress'];
/** Open without what lies below: groups with rights are made by administrators alone. */
const paths = ['/APIinit', '/APIinit/preset-templates'];

export function withOpenRoots(chains: readonly ChainParts[]): readonly ChainParts[] {
  const named = (root: string) => chains.some(({ pattern }) => pattern === root || pattern.startsWith(`${root}/`));
  const open = [
    ...roots.filter((root) => !named(root)).map((root) => `${root}/**`),
    ...(named(paths[0]!) ? [] : paths),
  ];
  return [...open.map((pattern) => ({ pattern, line: 0, steps: [] })), ...chains];
}
