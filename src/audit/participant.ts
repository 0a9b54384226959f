import type { Committing, Participant } from '../store/contract.ts';
import { insertChange } from './store.ts';

/** The entry of a change is a row of its own commit: no change is without its entry. */
export const auditParticipant: Participant = {
  name: 'audit',
  concerns: ['request'],
  after: ({ actor: { user, runAs, requestId, request }, now }: Committing) =>
    request
      ? [
          insertChange({
            at: now,
            user,
            runAs: runAs ?? null,
            method: request.method,
            path: request.path,
            query: request.query,
            matrix: request.matrix,
            contentType: request.contentType,
            contentLength: request.contentLength,
            reason: request.proof ?? null,
            address: request.address ?? null,
            requestId: requestId ?? null,
          }),
        ]
      : [],
};
