import { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { preferencesWithin } from './store.ts';

/** Beginning of the keys of preferences of the web page. */
export const preferences = 'portico.ui.';

/** Form of a preference's key. It has no wildcard, which would reach other keys. */
const form = /^portico\.ui\.[\w.-]{1,100}$/;

export const isPreference = (key: string | undefined): boolean => key !== undefined && form.test(key);

const mostBytes = 16_384;

/** Guard: the preferences of a user are small, because no role limits who has them. */
export const preferencesFit = ({ id }: { readonly id: string }): Statement => {
  const explanation = `Expected at most ${mostBytes} bytes of keys below ${preferences} and their values`;
  return preferencesWithin({ id, most: mostBytes }, new ServiceError('bad-value', { context: 'body', explanation }));
};
