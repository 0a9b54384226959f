import { loginComponents } from '../../../filters/oidc/index.ts';
import { describeError } from '../../core/lib/log.ts';
import { createVault } from '../../core/lib/vault.ts';
import { below } from '../../http/route-group.ts';
import { sessionEndHook } from '../../identity/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { loginCheckKind } from './check-work.ts';
import * as documents from './documents.ts';
import { type LoginContext, type LoginParts, purposeOf, within } from './parts.ts';
import { loginRoutes } from './routes.ts';
import { findSession, loginSchema } from './store.ts';
import * as tables from './tables.ts';

/** Logins of the web page by way of providers. */
export const logins = defineRoom({
  name: 'logins',
  extension: { says: 'Logins of the web page through OpenID Connect and other providers.' },
  components: { logins: loginComponents },
  tables,
  schema: globalThis.isEdgeModule ? [] : loginSchema(),
  documents: [documents],
  open(context: LoginContext) {
    const { secretKey, random, store, security } = context;
    const parts: LoginParts = { ...context, vault: secretKey && createVault(secretKey, random) };
    return {
      routes: [below('APInoauth', () => loginRoutes(parts))],
      workers: [loginCheckKind(parts)],
      hooks: [
        hooked(sessionEndHook, async (id, back) => {
          const row = await findSession(store, { id });
          const named = row && security.logins().find(({ name }) => name === row.provider);
          if (!row?.kept || !named?.login.end || !parts.vault) return undefined;
          const secrets = await parts.vault.open(row.kept, purposeOf(row.provider));
          return within(parts, row.provider, () => named.login.end!(secrets, back)).catch((error) => {
            context.log.write('warn', 'login-not-ended', { provider: row.provider, ...describeError(error) });
            return undefined;
          });
        }),
      ],
    };
  },
});
