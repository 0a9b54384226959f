import type { ComponentKind } from '../../spi/index.ts';
import type { Registry } from '../registry.ts';
import { type Objects, plan, top } from './build.ts';
import type { ObjectPlan } from './types.ts';

/**
 * The objects of a kind that the service itself asks for, in the order of the file: actions, storage schemes. Behind
 * them those that plugins bring and that need no configuration: a plugin in its folder is enough.
 */
export function offeredOf(kind: ComponentKind, { declared }: Objects, registry: Registry): readonly ObjectPlan[] {
  const own = [...declared.values()].filter(({ entry }) => entry.kind === kind);
  const components = new Set(own.map(({ entry }) => entry.component));
  const others = [...registry.names()].flatMap((name) => {
    const entry = registry.find(name);
    if (entry?.kind !== kind || components.has(entry.component)) return [];
    const needs = [...entry.table.values()].some(({ required }) => required);
    return needs ? [] : [plan(name, entry, top, { implicit: true })];
  });
  return [...own, ...others];
}
