import { after, type Maybe } from '../../lib/maybe.ts';
import type { OAuth2Configuration, OAuth2Setup } from '../../spi/index.ts';
import type { Store } from '../../store/store.ts';
import { liveDocument } from '../live-document.ts';

/** Current OAuth2 setup, for the bearer filter. */
export function createOAuth2Setup(store: Store): () => Maybe<OAuth2Setup> {
  const live = liveDocument(store, 'auth', (document) => document as OAuth2Configuration);
  return () => after(live(), ({ revision, value }) => ({ revision, configuration: value }));
}
