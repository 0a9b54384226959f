/** Query in the language of the engine. */
export type Dsl = Readonly<Record<string, unknown>>;

export const everything: Dsl = { match_all: {} };
export const nothing: Dsl = { match_none: {} };

export const either = (parts: readonly Dsl[]): Dsl =>
  parts.length === 0 ? nothing : parts.length === 1 ? parts[0]! : { bool: { should: parts } };

export const both = (parts: readonly Dsl[]): Dsl =>
  parts.length === 0 ? everything : parts.length === 1 ? parts[0]! : { bool: { filter: parts } };

/** Condition without a score. */
export const scoreless = (filter: Dsl, boost = 0): Dsl => ({ constant_score: { filter, boost } });

interface DslSize {
  /** Levels of boolean queries. */
  readonly depth: number;
  /** Queries without others inside. */
  readonly leaves: number;
}

/** Size of a query, as the limits of the engine count it. */
export function sizeOf(query: unknown): DslSize {
  let [depth, leaves] = [0, 0];
  const visit = (part: unknown, level: number): void => {
    const [kind = '', inner] = Object.entries(part as Dsl)[0] ?? [];
    depth = Math.max(depth, level);
    const { should, must, must_not: mustNot, filter, clauses } = inner as Dsl;
    const parts = [should, must, mustNot, filter, clauses].flatMap((each) => each ?? []);
    if (kind !== 'bool' && kind !== 'constant_score' && kind !== 'span_near') leaves++;
    for (const each of parts) visit(each, kind === 'bool' ? level + 1 : level);
  };
  visit(query, 0);
  return { depth, leaves };
}
