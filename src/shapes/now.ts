import type { ShapeNow } from '../room/context.ts';
import type { Component } from './documents/component.ts';
import type { ShapeOf } from './documents/shape.ts';
import { componentKinds } from './kinds.ts';

/** Updates the document of a shape with the current analysis of its files. */
export function withNow(document: ShapeOf, { mimeType, filled, added, removed }: ShapeNow): ShapeOf {
  const rest = Object.entries(document).filter(([name]) => !name.endsWith('Component'));
  const parts = componentKinds.flatMap((kind) => {
    const stored = [document[`${kind}Component`] ?? []].flat() as readonly Component[];
    const kept = stored.filter(({ id }) => !removed.has(id!)).map((each) => ({ ...each, ...filled.get(each.id!) }));
    const shown = new Set(stored.map(({ id }) => id));
    const more = added.filter((each) => each.kind === kind && !shown.has(each.expected));
    const all = [...kept, ...more.map(({ properties }) => properties)];
    return all.length === 0 ? [] : [[`${kind}Component`, kind === 'container' ? all[0] : all] as const];
  });
  return Object.fromEntries([...rest, ...parts, ['mimeType', [mimeType]]]) as ShapeOf;
}
