import { isSecretName, withoutSecrets } from '../core/lib/secret.ts';
import { storable } from '../core/lib/storable.ts';
import type { ActorRequest } from '../core/store/contract.ts';
import type { Parameters } from '../security/parameters.ts';
import type { Call } from './call.ts';

/** Request data stored with a change. */
export function actorRequestOf({ method, parameters, request: { headers }, trace, address }: Call): ActorRequest {
  const length = headers.get('content-length');
  return {
    method: method.slice(0, 16),
    path: storable(trace.path ?? '', 1000),
    ...keptParameters(parameters),
    contentType: headers.get('content-type')?.slice(0, 100) ?? null,
    contentLength: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    address,
    proof: trace.proof,
  };
}

const maxLength = 2_000;

/** The parameters of the query and those of the path, as text. */
export function keptParameters({ pairs, matrix }: Pick<Parameters, 'pairs' | 'matrix'>) {
  if (matrix === 0) return { query: masked(pairs, '&'), matrix: null };
  return { query: masked(pairs.slice(matrix), '&'), matrix: masked(pairs.slice(0, matrix), ';') };
}

/** Formats parameters for storage. Values that may be secrets are masked. */
function masked(pairs: Parameters['pairs'], between: string): string | null {
  if (pairs.length === 0) return null;
  let text = '';
  for (const [name, value] of pairs) {
    const shownValue = isSecretName(name) ? '***' : textOf(value);
    text += `${text === '' ? '' : between}${textOf(name)}=${shownValue}`;
  }
  return text.length > maxLength ? text.slice(0, maxLength) : text;
}

/** Most names and values need no look at what an address may hold. */
const textOf = (text: string): string => (simple.test(text) ? text : encodeURIComponent(withoutSecrets(text)));
const simple = /^[\w.~*!'()-]*$/;
