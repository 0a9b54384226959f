import type { Registry } from '../registry.ts';
import { type Objects, plan, top } from './build.ts';
import type { ObjectPlan } from './types.ts';

/**
 * The notification actions of a file, in its order. Behind them those that plugins bring and that need no
 * configuration: a plugin in its folder is enough for a notification that names its class.
 */
export function actionsOf({ declared }: Objects, registry: Registry): readonly ObjectPlan[] {
  const own = [...declared.values()].filter(({ entry }) => entry.kind === 'actions');
  const components = new Set(own.map(({ entry }) => entry.component));
  const others = [...registry.names()].flatMap((name) => {
    const entry = registry.find(name);
    if (entry?.kind !== 'actions' || components.has(entry.component)) return [];
    const needs = [...entry.table.values()].some(({ required }) => required);
    return needs ? [] : [plan(name, entry, top, { implicit: true })];
  });
  return [...own, ...others];
}
