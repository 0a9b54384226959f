import type { DeliveryResult } from '../actions/delivery-result.ts';
import type { Attempt } from './store.ts';

type AttemptFacts = Omit<Attempt, 'status' | 'error' | 'address' | 'answer' | 'says'>;

/** Row of the log. The answer is cut. */
export function attemptOf(
  known: AttemptFacts,
  { status, error, address, says, text = '' }: DeliveryResult,
  most: number,
): Attempt {
  const answer = storable(text.slice(0, most));
  return {
    ...known,
    status: status ?? null,
    error: error ?? null,
    address: address ?? null,
    answer: answer === '' ? null : answer,
    says: says === undefined ? null : storable(says),
  };
}

/** Replaces characters that a text of a database cannot hold. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
