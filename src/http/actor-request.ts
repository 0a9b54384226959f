import type { ActorRequest } from '../store/contract.ts';
import type { Call } from './call.ts';
import { maskedParameters } from './masked-parameters.ts';

/** What is kept of the request behind a change. */
export function actorRequestOf({ method, parameters, request: { headers }, trace, address }: Call): ActorRequest {
  const length = headers.get('content-length');
  return {
    method: method.slice(0, 16),
    path: (trace.path ?? '').slice(0, 1000),
    query: maskedParameters(parameters),
    contentType: headers.get('content-type')?.slice(0, 100) ?? null,
    contentLength: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
    address,
    proof: trace.proof,
  };
}
