import { badValue } from '../../../core/documents/error.ts';
import type { AccessControl } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Guarded, Level } from '../levels.ts';
import type { EntryRow } from './store.ts';

/** Words of `appliesTo`, in the order of documents. */
const reachWords = ['self', 'item', 'collection', 'library', 'all'] as const;

type ReachWord = (typeof reachWords)[number];

/** An `appliesTo` of an entry. `recursive`: undefined if the document leaves it out. */
interface AppliesTo {
  readonly word: ReachWord;
  readonly recursive?: boolean | undefined;
}

const self = 1;
/** Bits for direct members, by kind. The next bit covers deeper members. */
const direct: Readonly<Record<Guarded, number>> = { item: 2, collection: 8, library: 32 };
const directAll = direct.item | direct.collection | direct.library;
const everything = self | directAll | (directAll << 1);

/** Bits of an entry, which SQL compares. Without words it covers the entity and everything below it. */
export function reachOf(words: readonly AppliesTo[]): number {
  if (words.length === 0) return everything;
  let bits = 0;
  for (const { word, recursive } of words) {
    const members = word === 'self' ? 0 : word === 'all' ? directAll : direct[word];
    if (word === 'self' || word === 'all') bits |= self;
    bits |= recursive ? members | (members << 1) : members;
  }
  return bits;
}

/** `appliesTo` as stored: a word, or a word with the value of `recursive`. */
const storedReach = (words: readonly AppliesTo[]): string =>
  JSON.stringify(words.map(({ word, recursive }) => (recursive === undefined ? word : [word, recursive])));

function wordsOf(stored: string): readonly AppliesTo[] {
  const list = JSON.parse(stored) as readonly (ReachWord | [ReachWord, boolean])[];
  return list.map((each) => (typeof each === 'string' ? { word: each } : { word: each[0], recursive: each[1] }));
}

/** Whether the bits cover any entity below the direct members. */
const isRecursive = (bits: number): boolean => (bits & (directAll << 1)) !== 0;

/** Entry as the document describes it, before names are resolved to ids. */
export interface EntryRequest {
  readonly grantee: { readonly user: string } | { readonly group: string };
  readonly permission: Level;
  readonly priority: number;
  readonly appliesTo: string;
  readonly reach: number;
  readonly operation: 'METADATA' | 'SHAPE' | 'URI' | null;
  readonly extradata: string | null;
}

const maxPriority = 1_000_000;
const maxLength = 500;

/** `place`: location of the entry in its document, for refusals. */
export function entryRequest(document: AccessControl, place: string): EntryRequest {
  const { permission, priority = 0 } = document;
  if (permission === undefined) throw badValue(`${place}/permission`, 'NONE, READ, WRITE or ALL');
  if (permission === 'OWNER') {
    throw badValue(`${place}/permission`, 'NONE, READ, WRITE or ALL. A call of its own sets the owner', permission);
  }
  if (Math.abs(priority) > maxPriority) {
    throw badValue(`${place}/priority`, `a number from -${maxPriority} to ${maxPriority}`, String(priority));
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
): EntryRequest['grantee'] {
  if (user !== undefined && group === undefined) return { user };
  if (group !== undefined && user === undefined) return { group };
  throw badValue(place, 'a user or a group, and not both', user && `${user}, ${group}`);
}

/** Older clients send `recursive` instead: false means the entity alone. */
function appliesToOf({ appliesTo = [], recursive }: AccessControl): readonly AppliesTo[] {
  if (appliesTo.length > 0) return appliesTo.map(({ value, recursive: deep }) => ({ word: value, recursive: deep }));
  return recursive === false ? [{ word: 'self' }] : [];
}

function operationOf({ operation }: AccessControl, place: string): Pick<EntryRequest, 'operation' | 'extradata'> {
  if (!operation) return { operation: null, extradata: null };
  const { metadata, shape, uri } = operation;
  const extradata = (metadata?.field ?? shape?.tag ?? uri?.type) || null;
  if (extradata !== null && extradata.length > maxLength) {
    throw badValue(`${place}/operation`, `at most ${maxLength} characters`, extradata);
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
