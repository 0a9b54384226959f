import {
  careful,
  dateTime,
  document,
  element,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';
import type { TermsSeen } from './store.ts';

const terms = {
  usableFrom: element(dateTime).says('The media may leave the service from then on. Left out: since ever.'),
  usableUntil: element(dateTime).says('They may no longer from then on. Left out: for ever.'),
  reason: element(string).says('Reason of up to 1,000 characters, which refusals quote.'),
  user: element(string).outputOnly.says('Who set the terms.'),
  modified: element(dateTime).outputOnly,
};

const state = element(oneOf('later', 'usable', 'ended')).outputOnly;

const termsOfEntity = structure('UsageTermsType', {
  entityType: element(oneOf('Item', 'Collection', 'Shape')).outputOnly,
  entityId: element(string).outputOnly.says('Left out: the caller may not read the collection.'),
  item: element(string).outputOnly.says('Item of the shape.'),
  ...terms,
});

/** Terms of use of one entity, and those of what holds it. */
export const usageDocument = careful(
  document('UsageDocument', {
    ...terms,
    state: state.says('By all terms that count for the entity. Left out: there are none.'),
    inherited: list(termsOfEntity).outputOnly.says('Terms of the item of a shape, and of collections above.'),
  }),
);
export type UsageDocument = Value<typeof usageDocument>;

export const usageListDocument = document('UsageListDocument', { usage: list(termsOfEntity) });

/** Result of all terms that count for an item, in its document. */
export const usageState = structure('UsageStateType', {
  state,
  usableFrom: element(dateTime).outputOnly.says('The latest begin of all terms that count.'),
  usableUntil: element(dateTime).outputOnly.says('The earliest end of all terms that count.'),
  reason: element(string).outputOnly.says('Reason of the terms that decide.'),
});

const nouns = { item: 'Item', collection: 'Collection', shape: 'Shape' } as const;

const orNone = <T>(value: T | null): T | undefined => value ?? undefined;

const timesOf = ({ usableFrom, usableUntil, reason, user, modifiedAt }: TermsSeen) => ({
  usableFrom: orNone(usableFrom),
  usableUntil: orNone(usableUntil),
  reason: orNone(reason),
  user,
  modified: modifiedAt,
});

/** `isOpen`: whether the caller may read the entity. */
export const termsOf = (row: TermsSeen, isOpen = true): Value<typeof termsOfEntity> => ({
  entityType: nouns[row.entityType],
  entityId: isOpen ? row.entityId : undefined,
  item: orNone(row.itemId),
  ...timesOf(row),
});

/** `own`: the terms of the entity itself. */
export const usageFrom = (
  own: TermsSeen | undefined,
  inherited: UsageDocument['inherited'],
  state: UsageDocument['state'],
): UsageDocument => ({ ...(own && timesOf(own)), state, inherited });
