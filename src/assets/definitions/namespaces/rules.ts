import { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { checkName } from '../../../identity/public-reading.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import type { Namespace } from './documents.ts';
import { mostNamespaces, namespaceMatcher } from './give.ts';
import {
  idIsSomewhere,
  type NamespaceRow,
  namespacesFit,
  namespaceThere,
  putNamespaceRow,
  removeIdEverywhere,
  removeNamespace,
} from './store.ts';

/** Creates or changes a namespace. Existing external ids stay, even if the new pattern does not match them. */
export function putNamespace(
  name: string,
  { pattern, priority = 0 }: Namespace,
): { row: NamespaceRow; work: CommitPlan } {
  checkName(name, 'path');
  namespaceMatcher(pattern);
  const row = { name, pattern, priority };
  const changes = [putNamespaceRow(row), namespacesFit({ most: mostNamespaces }, tooMany(name))];
  return { row, work: { changes, events: [] } };
}

const tooMany = (id: string): ServiceError =>
  new ServiceError('bad-value', { context: 'path', id, explanation: `Expected at most ${mostNamespaces} namespaces` });

export const deleteNamespace = (name: string): CommitPlan =>
  changing(namespaceThere({ name }, noSuchNamespace(name)), ...removeNamespace.map((statement) => statement({ name })));

/** Removes an external id from all entities. */
export const deleteId = (externalId: string): CommitPlan =>
  changing(
    idIsSomewhere({ externalId }, noSuchEntity({ noun: 'ExternalId' }, externalId)),
    removeIdEverywhere({ externalId }),
  );

export const noSuchNamespace = (name: string): ServiceError =>
  noSuchEntity({ noun: 'ExternalIdentifierNamespace' }, name);
