/** End of a part that others rely on: see `VERSIONING.md`. Days are such as "2027-01-31". */
export interface Ends {
  /** Day of the release that deprecated it. */
  readonly since: string;
  /** Earliest day of the major version without it. */
  readonly on: string;
  /** Replacement: a name of the same kind. Of a route: a path, whose segments have the names of those of the route. */
  readonly instead: string;
}

/** Sentence for operators. */
export const endOf = (name: string, { since, on, instead }: Ends): string =>
  `Expected ${instead} in the place of ${name}, which is deprecated since ${since} and ends on ${on}`;

/** Description with the end, for the reference. */
export const withEnd = (says: string, ends: Ends | undefined): string =>
  ends
    ? `${says.replace(/[^.]$/, '$&.')} Deprecated since ${ends.since}, ends on ${ends.on}: use ${ends.instead}.`
    : says;
