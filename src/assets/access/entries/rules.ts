import { badValue } from '../../../core/documents/bad-value.ts';
import type { AccessControl } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Level } from '../levels.ts';
import { type AppliesTo, isRecursive, reachOf, storedReach, wordsOf } from '../reach.ts';
import type { EntryRow } from './store.ts';

/** Entry as the document describes it, before names are resolved to ids. */
export interface EntryWish {
  readonly grantee: { readonly user: string } | { readonly group: string };
  readonly permission: Level;
  readonly priority: number;
  readonly appliesTo: string;
  readonly reach: number;
  readonly operation: 'METADATA' | 'SHAPE' | 'URI' | null;
  readonly extradata: string | null;
}

const mostPriority = 1_000_000;
const longest = 500;

/** `place`: location of the entry in its document, for refusals. */
export function entryWish(document: AccessControl, place: string): EntryWish {
  const { permission, priority = 0 } = document;
  if (permission === undefined) throw badValue(`${place}/permission`, 'NONE, READ, WRITE or ALL');
  if (permission === 'OWNER') {
    throw badValue(`${place}/permission`, 'NONE, READ, WRITE or ALL. A call of its own sets the owner', permission);
  }
  if (Math.abs(priority) > mostPriority) {
    throw badValue(`${place}/priority`, `a number from -${mostPriority} to ${mostPriority}`, String(priority));
  }
  const words = appliesToOf(document);
  return {
    grantee: granteeNamed(document, place),
    permission,
    priority,
    appliesTo: storedReach(words),
    reach: reachOf(words),
    ...operationOf(document, place),
  };
}

/** Grantee of an entry, which must be one user or one group. */
export function granteeNamed(
  { user, group }: Pick<AccessControl, 'user' | 'group'>,
  place: string,
): EntryWish['grantee'] {
  if (user !== undefined && group === undefined) return { user };
  if (group !== undefined && user === undefined) return { group };
  throw badValue(place, 'a user or a group, and not both', user && `${user}, ${group}`);
}

/** Older clients send `recursive` instead: false means the entity alone. */
function appliesToOf({ appliesTo = [], recursive }: AccessControl): readonly AppliesTo[] {
  if (appliesTo.length > 0) return appliesTo.map(({ value, recursive: deep }) => ({ word: value, recursive: deep }));
  return recursive === false ? [{ word: 'self' }] : [];
}

function operationOf({ operation }: AccessControl, place: string): Pick<EntryWish, 'operation' | 'extradata'> {
  if (!operation) return { operation: null, extradata: null };
  const { metadata, shape, uri } = operation;
  const extradata = (metadata?.field ?? shape?.tag ?? uri?.type) || null;
  if (extradata !== null && extradata.length > longest) {
    throw badValue(`${place}/operation`, `at most ${longest} characters`, extradata);
  }
  return { operation: metadata ? 'METADATA' : shape ? 'SHAPE' : 'URI', extradata };
}

/** `base`: URI of the API. */
export function documentOf(row: EntryRow, base: string): AccessControl {
  const { id, entityType, entityId, permission, priority, reach, user, group, grantor } = row;
  const words = wordsOf(row.appliesTo);
  // Entities without an owner belong to the service.
  const owner = permission === 'OWNER' ? (user ?? 'system') : user;
  return {
    id,
    loc: `${base}/${entityType}/${encodeURIComponent(entityId)}/access/${encodeURIComponent(id)}`,
    ...(grantor !== null && { grantor }),
    recursive: isRecursive(reach),
    ...(words.length > 0 && {
      appliesTo: words.map(({ word, recursive }) => ({ value: word, ...(recursive !== undefined && { recursive }) })),
    }),
    permission,
    ...(owner !== null && { user: owner }),
    ...(group !== null && { group }),
    ...operationIn(row),
    priority,
  };
}

function operationIn({ operation, extradata }: EntryRow): Pick<AccessControl, 'operation'> {
  const value = extradata ?? undefined;
  if (operation === 'METADATA') return { operation: { metadata: { field: value } } };
  if (operation === 'SHAPE') return { operation: { shape: { tag: value } } };
  return operation === 'URI' ? { operation: { uri: { type: value } } } : {};
}

export const noSuchEntry = (id: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Access', id: id.slice(0, 80) });

export const ownerStays = (id: string): ServiceError =>
  new ServiceError('bad-value', {
    context: 'access',
    id,
    explanation: 'Expected another entry than that of the owner, which a call of its own changes',
  });
