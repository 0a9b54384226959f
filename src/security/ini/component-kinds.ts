import type { ComponentKind } from '../../spi/index.ts';

// A table, so that the compiler asks for a kind that the contract gains.
const kinds: Readonly<Record<ComponentKind, true>> = {
  realms: true,
  filters: true,
  listeners: true,
  userInfoProviders: true,
  matchers: true,
  actions: true,
  storages: true,
  probers: true,
  transcoders: true,
};

/** Kinds of components in plugins, in the order of their check. */
export const componentKinds = Object.keys(kinds) as readonly ComponentKind[];

export const isComponentKind = (value: unknown): value is ComponentKind =>
  typeof value === 'string' && Object.hasOwn(kinds, value);
