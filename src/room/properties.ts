/** Configuration property with an effect in the service. Any other is only stored. */
export interface KnownProperty<T = unknown> {
  readonly fallback: T;
  readonly expected: string;
  readonly says: string;
  read(text: string): T | undefined;
}

/** By key. Administrators set them at `/configuration/properties`. */
export type KnownProperties = Readonly<Record<string, KnownProperty>>;

/** Flag property. 1 means true. */
export const flagProperty = (fallback: 0 | 1, says: string): KnownProperty<number> => ({
  fallback,
  says,
  expected: '"true" or "false"',
  read: (text) => ({ true: 1, false: 0 })[text.trim().toLowerCase() as 'true' | 'false'],
});

export const wholeProperty = (fallback: number, least: number, says: string): KnownProperty<number> => ({
  fallback,
  says,
  expected: `a whole number of at least ${least}`,
  read: (text) => (/^\d{1,12}$/.test(text.trim()) && Number(text) >= least ? Number(text) : undefined),
});
