import { badValue } from '../../core/documents/error.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Retention } from '../../room/context.ts';
import type { DatabasePurging, PathAliasConfiguration } from './documents.ts';
import { configurationEvent } from './events.ts';
import { setDocument } from './live-document.ts';
import { documentAtRevision, valueInDocument } from './store.ts';

/** Merges the stored and the new document. */
export type Merge<T> = (before: T | undefined, document: T) => T;

const maxLength = 1_000_000;

/** Stores or deletes a document. Fails if another administrator has changed it since it was read. */
export function changeStored(name: string, revision: number, value: object | undefined): CommitPlan {
  const size = value === undefined ? 0 : JSON.stringify(value).length;
  if (size > maxLength) throw badValue('body', `at most ${maxLength} characters`, String(size));
  return {
    changes: [
      documentAtRevision({ name, revision }, changedMeanwhile('Configuration', name)),
      setDocument(name, value),
    ],
    events: [configurationEvent('configuration/modify', name, { name })],
  };
}

/** The private key of a client is a secret that nothing here uses. */
export const withoutKey = <T extends { readonly clientKey?: string | undefined }>({
  clientKey: _clientKey,
  ...rest
}: T): Omit<T, 'clientKey'> & T => rest as Omit<T, 'clientKey'> & T;

const named = /^[\w.-]+(?:\([\w.-]+(?:,\s*[\w.-]+)*\))?\s*=\s*\S/;
const max = 1000;

export function checkAliases(configuration: PathAliasConfiguration): PathAliasConfiguration {
  const { alias = [] } = configuration;
  const place = '/PathAliasConfigurationDocument/alias';
  if (alias.length > max) throw badValue(place, `at most ${max} aliases`, String(alias.length));
  const bad = alias.find((text) => !named.test(text.trim()));
  if (bad !== undefined) throw badValue(place, 'NAME=PATH', bad);
  return configuration;
}

const place = '/DatabasePurgingConfigurationDocument';
const categories = ['auditTrail', 'changeLog', 'job', 'transferLog'] as const;
const maxAge = 36_500;

type Category = { readonly age?: number | undefined; readonly uri?: string | undefined };

/** A category that is absent stays, and an empty one goes. */
export function mergePurging(before: DatabasePurging = {}, document: DatabasePurging): DatabasePurging {
  const merged: Record<string, object> = {};
  for (const name of categories) {
    const said = document[name] === undefined ? before[name] : check(name, document[name]);
    if (said && Object.values(said).some((value) => value !== undefined)) merged[name] = said;
  }
  return merged;
}

function check<T extends Category>(name: string, said: T): T {
  const { age, uri = '' } = said;
  if (age !== undefined && !(age >= 1 && age <= maxAge)) {
    throw badValue(`${place}/${name}/age`, `days from 1 to ${maxAge}`, String(age));
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
