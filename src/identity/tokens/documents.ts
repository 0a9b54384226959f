import type { AuthenticationTokenList } from '../documents/token.ts';
import type { TokenRow } from './store.ts';

export const tokenListOf = (rows: readonly TokenRow[]): AuthenticationTokenList => ({
  token: rows.map(({ id, createdAt, expiresAt, autoRefresh, key, actor }) => ({
    id,
    created: createdAt,
    expires: expiresAt,
    autoRefresh: autoRefresh === 1,
    accessKey: key ?? undefined,
    actor: actor ?? undefined,
  })),
});
