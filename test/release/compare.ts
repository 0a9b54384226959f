/** Facts that others rely on: a subject, a bar, and what is said of it. A subject alone says that it exists. */
export interface Surface {
  /** A later release may add to these. */
  readonly promises: readonly string[];
  /** A later release may only drop some of these: what callers have to send, and the rights that they need. */
  readonly demands: readonly string[];
}

interface Difference {
  readonly breaks: readonly string[];
  readonly additions: readonly string[];
}

const subjectOf = (fact: string): string => fact.split(' | ')[0]!;

/** Order of releases. A candidate comes before its release. */
export function byVersion(a: string, b: string): number {
  const whole = (version: string) => (version.includes('-') ? version : `${version}-z`);
  return whole(a).localeCompare(whole(b), 'en', { numeric: true });
}

/** Differences of a release to the one before. A demand on something new breaks nothing. */
export function differencesOf(before: Surface, now: Surface): Difference {
  const [promisesNow, demandsNow] = [new Set(now.promises), new Set(now.demands)];
  const [promisesBefore, demandsBefore] = [new Set(before.promises), new Set(before.demands)];
  const gone = before.promises.filter((fact) => !promisesNow.has(fact));
  const goneSubjects = new Set(gone.filter((fact) => !fact.includes(' | ')));
  const lost = gone.filter((fact) => goneSubjects.has(fact) || !goneSubjects.has(subjectOf(fact)));
  const demanded = now.demands.filter((fact) => !demandsBefore.has(fact) && promisesBefore.has(subjectOf(fact)));
  const added = now.promises.filter((fact) => !promisesBefore.has(fact));
  const newSubjects = new Set(added.filter((fact) => !fact.includes(' | ')));
  const told = added.filter((fact) => newSubjects.has(fact) || !newSubjects.has(subjectOf(fact)));
  const dropped = before.demands.filter((fact) => !demandsNow.has(fact) && promisesNow.has(subjectOf(fact)));
  return {
    breaks: [...lost.map((fact) => `gone: ${fact}`), ...demanded.map((fact) => `demanded: ${fact}`)],
    additions: [...told.map((fact) => `new: ${fact}`), ...dropped.map((fact) => `no longer demanded: ${fact}`)],
  };
}
