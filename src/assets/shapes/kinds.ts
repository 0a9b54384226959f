/** The kinds of components, in the order in which documents tell them. */
export const componentKinds = ['binary', 'container', 'descriptor', 'audio', 'video', 'subtitle'] as const;
export type ComponentKind = (typeof componentKinds)[number];

/** Those that a placeholder can expect. */
export const expectedKinds = ['container', 'video', 'audio', 'binary', 'subtitle'] as const;
export type ExpectedKind = (typeof expectedKinds)[number];

export type ExpectedCounts = { readonly [K in ExpectedKind]?: number | undefined };

/** Tracks are counted per kind: V1, V2, A1. Kinds without a letter are no tracks. */
const letters: Readonly<Partial<Record<ComponentKind, string>>> = { video: 'V', audio: 'A', subtitle: 'S' };

/** The first track of a kind that no other component has. Undefined: components of the kind are no tracks. */
export function nextTrack(kind: ComponentKind, taken: ReadonlySet<string>): string | undefined {
  const letter = letters[kind];
  if (letter === undefined) return undefined;
  let number = 1;
  while (taken.has(`${letter}${number}`)) number++;
  return `${letter}${number}`;
}

/** The properties of a component with its track, which is taken from then on. A track that they name stays. */
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

/** The tracks that properties of components name. */
export const tracksIn = (all: Iterable<Readonly<Record<string, unknown>>>): Set<string> =>
  new Set(Array.from(all, ({ itemTrack }) => itemTrack).filter((track): track is string => typeof track === 'string'));
