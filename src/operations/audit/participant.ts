import type { Call } from '../../http/call.ts';
import type { ActorRequest, Committing, Participant } from '../../store/contract.ts';
import { maskedParameters } from './masked.ts';
import { insertEntry } from './store.ts';

/** The entry of a change is a row of its own commit: no change is without its entry. */
export const auditParticipant: Participant = {
  name: 'audit',
  concerns: ['request'],
  after: ({ actor: { user, runAs, requestId, request }, now }: Committing) =>
    request
      ? [
          insertEntry({
            at: now,
            user,
            runAs: runAs ?? null,
            method: request.method,
            path: request.path,
            query: request.query,
            contentType: request.contentType,
            contentLength: request.contentLength,
            status: 200,
            reason: request.proof ?? null,
            address: request.address ?? null,
            requestId: requestId ?? null,
            count: 1,
          }),
        ]
      : [],
};

/** What the audit log keeps of the request behind a change. */
export function requestOf({ method, parameters, request: { headers }, trace, address }: Call): ActorRequest {
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
