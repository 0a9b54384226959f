import type { MetadataView } from './parameters.ts';

/**
 * Position of a field or group relative to the groups that a view names: outside, between, directly inside, or nested.
 */
export type Frame = 'outermost' | 'frame' | 'named' | 'deep';

export const outermost: Frame = 'outermost';

const namesNothing = ({ fields, groups }: MetadataView): boolean =>
  fields.only === undefined && groups.only === undefined;

export function showsField(view: MetadataView, frame: Frame, name: string): boolean {
  if (view.fields.except.has(name)) return false;
  return namesNothing(view) || frame === 'named' || frame === 'deep' || view.fields.only?.has(name) === true;
}

/** Frame for the content of a group. Undefined: the group is excluded. */
export function inside(view: MetadataView, frame: Frame, name: string): Frame | undefined {
  const { groups } = view;
  if (groups.except.has(name)) return undefined;
  if (namesNothing(view) || frame === 'deep' || groups.deep.has(name)) return 'deep';
  return groups.only?.has(name) ? 'named' : 'frame';
}

/** Whether a group is shown only as a frame for selected content. */
export const timeFrame = (view: MetadataView, frame: Frame): boolean => frame === 'frame' && !namesNothing(view);
