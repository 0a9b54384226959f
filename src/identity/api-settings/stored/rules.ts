import { badValue } from '../../../core/documents/bad-value.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { PathAliasConfiguration } from '../documents/stored.ts';
import { happened } from '../events.ts';
import { setDocument } from '../live-document.ts';
import { documentAtRevision } from '../store.ts';

/** Merges the stored and the new document. */
export type Merge<T> = (before: T | undefined, given: T) => T;

const longest = 1_000_000;

/** Stores or deletes a document. Fails if another administrator has changed it since it was read. */
export function changeStored(name: string, revision: number, value: object | undefined): CommitPlan {
  const size = value === undefined ? 0 : JSON.stringify(value).length;
  if (size > longest) throw badValue('body', `at most ${longest} characters`, String(size));
  return {
    changes: [
      documentAtRevision({ name, revision }, changedMeanwhile('Configuration', name)),
      setDocument(name, value),
    ],
    events: [happened('configuration/modify', name, { name })],
  };
}

/** The private key of a client is a secret that nothing here uses. */
export const withoutKey = <T extends { readonly clientKey?: string | undefined }>({
  clientKey: _clientKey,
  ...rest
}: T): Omit<T, 'clientKey'> & T => rest as Omit<T, 'clientKey'> & T;

const named = /^[\w.-]+(?:\([\w.-]+(?:,\s*[\w.-]+)*\))?\s*=\s*\S/;
const most = 1000;

export function checkAliases(given: PathAliasConfiguration): PathAliasConfiguration {
  const { alias = [] } = given;
  const place = '/PathAliasConfigurationDocument/alias';
  if (alias.length > most) throw badValue(place, `at most ${most} aliases`, String(alias.length));
  const bad = alias.find((text) => !named.test(text.trim()));
  if (bad !== undefined) throw badValue(place, 'NAME=PATH', bad);
  return given;
}
