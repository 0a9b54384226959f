import { expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { clientNow, clientOf, keptClients, lostCalls } from './client.ts';

it.each(keptClients)('programs with the typed client of %s compile with this one', (version) => {
  expect(lostCalls(clientOf(version))).toBe('');
});

// The compiler takes half a minute to find words for it.
it.runIf(isLong)('a call that is gone, and an answer that says more than before, break programs', () => {
  const [calls, types] = clientNow() as [string, string];
  const before = [
    calls.replace("'GET /whoami':", "'GET /callers':"),
    types.replace("migrations?: 'done' | 'pending'", "migrations?: 'done'"),
  ];
  const words = lostCalls(before);
  for (const call of ['GET /callers', 'GET /health']) expect(words).toContain(`"${call}"`);
  expect(words).not.toContain('GET /item');
});
