/** The kinds of components, in the order in which documents tell them. */
export const componentKinds = ['binary', 'container', 'descriptor', 'audio', 'video', 'subtitle'] as const;
export type ComponentKind = (typeof componentKinds)[number];

/** Those that a placeholder can expect. */
export const expectedKinds = ['container', 'video', 'audio', 'binary', 'subtitle'] as const;
export type ExpectedKind = (typeof expectedKinds)[number];

export type ExpectedCounts = Readonly<Partial<Record<ExpectedKind, number>>>;

/** Tracks are counted per kind: V1, V2, A1. Kinds without a letter are no tracks. */
const letters: Readonly<Partial<Record<ComponentKind, string>>> = { video: 'V', audio: 'A', subtitle: 'S' };

/** The track of the component at a place among those of its kind, counted from 0. */
export function trackAt(kind: ComponentKind, position: number): string | undefined {
  const letter = letters[kind];
  return letter && `${letter}${position + 1}`;
}
