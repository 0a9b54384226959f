import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import type { UsageDocument } from './documents.ts';
import { usageEvent } from './events.ts';
import { deleteTerms, nextDue, putTerms, type TermsRow } from './store.ts';

/** Characters of a reason. */
const maxReason = 1_000;
/** Characters of a reason in a refusal. */
const maxReasonInRefusal = 200;

type Terms = Pick<TermsRow, 'usableFrom' | 'usableUntil' | 'reason'>;

/** Result of all terms that count for an entity. Use needs all of them. */
export interface Usage {
  readonly state: 'later' | 'usable' | 'ended';
  /** The latest begin. */
  readonly usableFrom: number | undefined;
  /** The earliest end. */
  readonly usableUntil: number | undefined;
  /** Reason of the terms that decide. */
  readonly reason: string | undefined;
}

export function usageOf(terms: readonly Terms[], now: number): Usage {
  const [last] = terms.filter(({ usableFrom }) => usableFrom !== null).sort((a, b) => b.usableFrom! - a.usableFrom!);
  const [first] = terms
    .filter(({ usableUntil }) => usableUntil !== null)
    .sort((a, b) => a.usableUntil! - b.usableUntil!);
  const [usableFrom, usableUntil] = [last?.usableFrom ?? undefined, first?.usableUntil ?? undefined];
  const hasEnded = usableUntil !== undefined && usableUntil <= now;
  const state = hasEnded ? 'ended' : usableFrom !== undefined && usableFrom > now ? 'later' : 'usable';
  const deciding = state === 'later' ? last : (first ?? last);
  return { state, usableFrom, usableUntil, reason: deciding?.reason ?? undefined };
}

/** Refusal of media that terms close now. `noun`: of what was asked for. */
export function notUsable(noun: string, id: string, { state, usableFrom, usableUntil, reason }: Usage): ServiceError {
  const time =
    state === 'ended'
      ? `before ${new Date(usableUntil!).toISOString()}, when its rights ended`
      : `from ${new Date(usableFrom!).toISOString()} on, when its rights begin`;
  const why = reason === undefined ? '' : `: "${reason.slice(0, maxReasonInRefusal)}"`;
  return new ServiceError('not-usable', { type: noun, id, explanation: `Expected a use ${time}${why}` });
}

function tell(word: 'modify' | 'delete' | 'begins' | 'ends', row: TermsRow) {
  const { entityType, entityId, usableFrom, usableUntil, reason } = row;
  const terms = {
    ...(usableFrom !== null && { usableFrom }),
    ...(usableUntil !== null && { usableUntil }),
    ...(reason !== null && { reason }),
  };
  if (entityType === 'collection')
    return usageEvent(`collection/usage/${word}`, entityId, { collectionId: entityId, ...terms });
  const itemId = row.itemId ?? entityId;
  return usageEvent(`usage/${word}`, itemId, {
    itemId,
    ...(entityType === 'shape' && { shapeId: entityId }),
    ...terms,
  });
}

const place = (name: string) => `/UsageDocument/${name}`;

/** Terms that a document sets: all of them anew. */
export function termsFrom({ usableFrom, usableUntil, reason = '' }: UsageDocument): Terms {
  if (usableFrom === undefined && usableUntil === undefined)
    throw badValue(place('usableUntil'), 'a time here, in "usableFrom", or in both');
  if (usableFrom !== undefined && usableUntil !== undefined && usableUntil <= usableFrom)
    throw badValue(place('usableUntil'), 'a time after "usableFrom"', new Date(usableUntil).toISOString());
  if (reason.length > maxReason)
    throw badValue(place('reason'), `at most ${maxReason} characters`, String(reason.length));
  return { usableFrom: usableFrom ?? null, usableUntil: usableUntil ?? null, reason: reason.trim() || null };
}

/** Time of the next event. An end that is past is told, unless it was before. */
function dueOf({ usableFrom, usableUntil }: Terms, before: Terms | undefined, now: number): number | null {
  if (usableFrom !== null && usableFrom > now) return usableFrom;
  const hadEnded = before !== undefined && before.usableUntil !== null && before.usableUntil <= now;
  return usableUntil !== null && usableUntil <= now && hadEnded ? null : usableUntil;
}

/** Sets the terms of an entity. */
export function setTerms(before: TermsRow | undefined, row: Omit<TermsRow, 'due'>, now: number): CommitPlan {
  const terms = { ...row, due: dueOf(row, before, now) };
  return { changes: [putTerms(terms)], events: [tell('modify', terms)] };
}

export const removeTerms = (row: TermsRow): CommitPlan => ({
  changes: [deleteTerms(row)],
  events: [tell('delete', row)],
});

/** Events of terms whose time has come, in order. `still`: guard that no other instance has sent them. */
export function tellDue(row: TermsRow, now: number, still: Statement): CommitPlan {
  const { entityType, entityId, due, usableFrom, usableUntil } = row;
  const begins = due === usableFrom;
  const ends = usableUntil !== null && usableUntil <= now;
  const next = ends ? null : usableUntil;
  return {
    changes: [still, nextDue({ entityType, entityId, next })],
    events: [...(begins ? [tell('begins', row)] : []), ...(ends ? [tell('ends', row)] : [])],
  };
}

export const noSuchTerms = (id: string): ServiceError => noSuchEntity({ noun: 'Usage' }, id);
