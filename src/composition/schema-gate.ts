import { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { Decision, PipelineRequest } from '../security/pipeline.ts';
import type { Store } from '../store/store.ts';

type Decide = (request: PipelineRequest) => Maybe<Decision>;

/** Delays the first requests on the edge until the schema is checked. */
export function onlyWithSchema(store: Store, decide: Decide): Decide {
  let fits = false;
  return async (request) => {
    if (!fits && !request.path.startsWith('/health')) {
      await check(store);
      fits = true;
    }
    return decide(request);
  };
}

async function check(store: Store): Promise<void> {
  try {
    await store.checkSchema();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('store-unavailable', {
      explanation: error instanceof Error ? error.message : String(error),
    });
  }
}
