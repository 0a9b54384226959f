import type { ChainParts } from '../security-ini/security-parts.ts';

/**
 * Public paths: clients call them before a login, and load balancers without one. A `/**` of security.ini does not
 * cover them; a line of its own does.
 */
const roots = ['/APInoauth', '/health', '/whatismyipaddress'];
/** Public without their subpaths: only administrators create groups with rights. */
const paths = ['/APIinit', '/APIinit/preset-templates'];

export function withOpenRoots(chains: readonly ChainParts[]): readonly ChainParts[] {
  const named = (root: string) => chains.some(({ pattern }) => pattern === root || pattern.startsWith(`${root}/`));
  const open = [
    ...roots.filter((root) => !named(root)).map((root) => `${root}/**`),
    ...(named(paths[0]!) ? [] : paths),
  ];
  return [...open.map((pattern) => ({ pattern, line: 0, steps: [] })), ...chains];
}
