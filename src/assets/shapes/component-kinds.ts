/** Kinds of components, in the order of documents. */
export const componentKinds = ['binary', 'container', 'descriptor', 'audio', 'video', 'subtitle'] as const;
export type ComponentKind = (typeof componentKinds)[number];

/** Kinds that a placeholder can expect. */
export const expectedKinds = ['container', 'video', 'audio', 'binary', 'subtitle'] as const;
export type ExpectedKind = (typeof expectedKinds)[number];

export type ExpectedCounts = { readonly [K in ExpectedKind]?: number | undefined };

/** Prefixes of tracks, numbered per kind: V1, V2, A1. Other kinds have no tracks. */
const letters: Readonly<Partial<Record<ComponentKind, string>>> = { video: 'V', audio: 'A', subtitle: 'S' };

/** The first free track of a kind. Undefined: the kind has no tracks. */
function nextTrack(kind: ComponentKind, taken: ReadonlySet<string>): string | undefined {
  const letter = letters[kind];
  if (letter === undefined) return undefined;
  let number = 1;
  while (taken.has(`${letter}${number}`)) number++;
  return `${letter}${number}`;
}

/** Adds a track to the properties, and marks it as taken. A given track stays. */
export function numbered<P extends Readonly<Record<string, unknown>>>(
  kind: ComponentKind,
  properties: P,
  taken: Set<string>,
): P & { readonly itemTrack?: string } {
  if (properties['itemTrack'] !== undefined) return properties;
  const itemTrack = nextTrack(kind, taken);
  if (itemTrack === undefined) return properties;
  taken.add(itemTrack);
  return { ...properties, itemTrack };
}

/** Tracks named in properties of components. */
export const tracksIn = (all: Iterable<Readonly<Record<string, unknown>>>): Set<string> =>
  new Set(Array.from(all, ({ itemTrack }) => itemTrack).filter((track): track is string => typeof track === 'string'));
