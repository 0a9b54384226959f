import type { MetadataView } from './parameters.ts';

/**
 * Where a field or a group stands, as far as the names of a view care: in a group that the caller named, and how deep
 * that goes.
 */
export type Frame = 'outermost' | 'frame' | 'named' | 'deep';

export const outermost: Frame = 'outermost';

const namesNothing = ({ fields, groups }: MetadataView): boolean =>
  fields.only === undefined && groups.only === undefined;

export function showsField(view: MetadataView, frame: Frame, name: string): boolean {
  if (view.fields.except.has(name)) return false;
  return namesNothing(view) || frame === 'named' || frame === 'deep' || view.fields.only?.has(name) === true;
}

/** What a group is to what is in it. Undefined: the caller does not want it. */
export function inside(view: MetadataView, frame: Frame, name: string): Frame | undefined {
  const { groups } = view;
  if (groups.except.has(name)) return undefined;
  if (namesNothing(view) || frame === 'deep' || groups.deep.has(name)) return 'deep';
  return groups.only?.has(name) ? 'named' : 'frame';
}

/** A group that is there only for what the caller named in it. */
export const frameOf = (view: MetadataView, frame: Frame): boolean => frame === 'frame' && !namesNothing(view);
