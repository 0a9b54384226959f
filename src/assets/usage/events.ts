import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';

/** Terms as they are after the change, or as they were. */
type Terms = { readonly usableFrom?: number; readonly usableUntil?: number; readonly reason?: string };

/** `shapeId`: the terms are those of a shape. Otherwise they are those of the item. */
type TermsOfItem = Terms & { readonly itemId: string; readonly shapeId?: string };
type TermsOfCollection = Terms & { readonly collectionId: string };

const times = [
  { key: 'usableFrom', time: 'usableFrom' },
  { key: 'usableUntil', time: 'usableUntil' },
] as const;
const sample = { usableFrom: 1_800_000_000_000, usableUntil: 1_900_000_000_000, reason: 'Licence of the agency' };

const ofItem = (trigger: string) =>
  ({
    resource: '/item',
    says: about('usage', trigger),
    tells: ['itemId', 'shapeId', ...times, 'reason'],
  }) as const;
const ofCollection = (trigger: string) =>
  ({
    resource: '/collection',
    says: about('usage', trigger),
    tells: ['collectionId', ...times, 'reason'],
  }) as const;

/** Sent by the schedule, so nobody can refuse it. */
const fact = { fact: true } as const;
const item = { itemId: 'VX-7', shapeId: 'VX-9', ...sample };
const collection = { collectionId: 'VX-5', ...sample };

export const usageEvents = {
  'usage/modify': firing<TermsOfItem>(ofItem('MODIFY'), item),
  'usage/delete': firing<TermsOfItem>(ofItem('DELETE'), item),
  'usage/begins': firing<TermsOfItem>({ ...ofItem('BEGINS'), ...fact }, item),
  'usage/ends': firing<TermsOfItem>({ ...ofItem('ENDS'), ...fact }, item),
  'collection/usage/modify': firing<TermsOfCollection>(ofCollection('MODIFY'), collection),
  'collection/usage/delete': firing<TermsOfCollection>(ofCollection('DELETE'), collection),
  'collection/usage/begins': firing<TermsOfCollection>({ ...ofCollection('BEGINS'), ...fact }, collection),
  'collection/usage/ends': firing<TermsOfCollection>({ ...ofCollection('ENDS'), ...fact }, collection),
};

export const usageEvent = emitterOf(usageEvents);
