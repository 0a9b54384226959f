import { badParameter } from '../../http/parameters/index.ts';
import type { Shape } from './load.ts';

/** Selection of essence versions for a list. */
type Versions = 'latest' | 'all' | 'latest-per-shapetag' | number;

export function versionsFrom(text: string): Versions {
  if (text === 'latest' || text === 'all' || text === 'latest-per-shapetag') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badParameter('version', 'Expected latest, all, latest-per-shapetag or the number of a version', text);
}

type Placeholders = 'false' | 'true' | 'all';

interface ShapeFilter {
  readonly versions: Versions;
  /** Shapes with any of the tags. Undefined: any shape. */
  readonly tags: readonly string[] | undefined;
  /** Placeholders: excluded, exclusive or included. */
  readonly placeholders: Placeholders;
}

/** Filters the shapes of an item. `latest` refers to the shapes left after the other filters. */
export function chosenShapes(shapes: readonly Shape[], { versions, tags, placeholders }: ShapeFilter): Shape[] {
  const candidates = shapes.filter(
    ({ placeholder }) => placeholders === 'all' || (placeholder === 1) === (placeholders === 'true'),
  );
  const tagged = candidates.filter((shape) => tags === undefined || shape.tags.some((tag) => tags.includes(tag)));
  if (versions === 'all') return tagged;
  if (versions === 'latest-per-shapetag') {
    const latest = new Map<string, number>();
    for (const shape of candidates) {
      for (const tag of shape.tags) latest.set(tag, Math.max(latest.get(tag) ?? 0, shape.essenceVersion));
    }
    const isLatest = (shape: Shape, tag: string) =>
      latest.get(tag) === shape.essenceVersion && (tags?.includes(tag) ?? true);
    return tagged.filter((shape) => shape.tags.some((tag) => isLatest(shape, tag)));
  }
  const wanted = versions === 'latest' ? candidates.at(-1)?.essenceVersion : versions;
  return tagged.filter(({ essenceVersion }) => essenceVersion === wanted);
}
