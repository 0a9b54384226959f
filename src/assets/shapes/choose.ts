import { badParameter } from '../../http/parameters/index.ts';
import type { Shape } from './load.ts';

/** Which versions of the essence a list tells. */
export type Versions = 'latest' | 'all' | 'latest-per-shapetag' | number;

export function versionsFrom(text: string): Versions {
  if (text === 'latest' || text === 'all' || text === 'latest-per-shapetag') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badParameter('version', 'Expected latest, all, latest-per-shapetag or the number of a version', text);
}

export type Placeholders = 'false' | 'true' | 'all';

export interface ShapeFilter {
  readonly versions: Versions;
  /** Shapes with any of them. Undefined: tags do not matter. */
  readonly tags: readonly string[] | undefined;
  /** Whether placeholders are told: not, alone, or with the others. */
  readonly placeholders: Placeholders;
}

/** The shapes of an item that a list tells. The latest version is one of those that the list can tell. */
export function chosenShapes(shapes: readonly Shape[], { versions, tags, placeholders }: ShapeFilter): Shape[] {
  const known = shapes.filter(
    ({ placeholder }) => placeholders === 'all' || (placeholder === 1) === (placeholders === 'true'),
  );
  const tagged = known.filter((shape) => tags === undefined || shape.tags.some((tag) => tags.includes(tag)));
  if (versions === 'all') return tagged;
  if (versions === 'latest-per-shapetag') {
    const latest = new Map<string, number>();
    for (const shape of known) {
      for (const tag of shape.tags) latest.set(tag, Math.max(latest.get(tag) ?? 0, shape.essenceVersion));
    }
    const isLatest = (shape: Shape, tag: string) =>
      latest.get(tag) === shape.essenceVersion && (tags?.includes(tag) ?? true);
    return tagged.filter((shape) => shape.tags.some((tag) => isLatest(shape, tag)));
  }
  const wanted = versions === 'latest' ? known.at(-1)?.essenceVersion : versions;
  return tagged.filter(({ essenceVersion }) => essenceVersion === wanted);
}
