import { badValue } from '../../../core/documents/bad-value.ts';
import type { Retention } from '../../../room/context.ts';
import type { DatabasePurging } from '../documents/stored.ts';
import { valueInDocument } from '../store.ts';

const place = '/DatabasePurgingConfigurationDocument';
const categories = ['auditTrail', 'changeLog', 'job', 'transferLog'] as const;
const longestAge = 36_500;

type Category = { readonly age?: number | undefined; readonly uri?: string | undefined };

/** A category that is absent stays, and an empty one goes. */
export function mergePurging(before: DatabasePurging = {}, given: DatabasePurging): DatabasePurging {
  const merged: Record<string, object> = {};
  for (const name of categories) {
    const said = given[name] === undefined ? before[name] : check(name, given[name]);
    if (said && Object.values(said).some((value) => value !== undefined)) merged[name] = said;
  }
  return merged;
}

function check<T extends Category>(name: string, said: T): T {
  const { age, uri = '' } = said;
  if (age !== undefined && !(age >= 1 && age <= longestAge)) {
    throw badValue(`${place}/${name}/age`, `days from 1 to ${longestAge}`, String(age));
  }
  // Refused, since an operator who wants an archive must not lose entries without one.
  if (uri.trim() !== '') throw badValue(`${place}/${name}/uri`, 'no address: entries are deleted and not written', uri);
  return said;
}

/** Retention times for the sweepers of the rooms. */
export const retentionOf = ({ auditTrail, job }: DatabasePurging): Retention => ({
  auditDays: auditTrail?.age,
  jobDays: job?.age,
});

export const purgingName = 'purging';
/** Retention times of audit entries and jobs as SQL expressions, for queries of due times. */
export const retentionDays = {
  auditDays: valueInDocument(purgingName, '$.auditTrail.age'),
  jobDays: valueInDocument(purgingName, '$.job.age'),
} as const;
