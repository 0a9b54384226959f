import { setDocument } from '../../src/identity/api-settings/live-document.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { OAuth2Configuration, Plugin } from '../../src/spi/index.ts';
import type { Sent, World } from './matrix.ts';

/** The built-in security.ini with these statements at the end of `[main]`. */
export function bearerIni(statements: readonly string[], plugins: readonly Plugin[] = []): SecurityInput {
  return {
    text: defaultIni.replace(/^\[urls\]$/m, () => `${statements.join('\n')}\n[urls]`),
    file: 'security.ini',
    plugins,
  };
}

/** Stores a configuration of bearer tokens, or takes it away, whatever the API would say to it. */
export async function storeOAuth2({ service }: World, configuration: OAuth2Configuration | null): Promise<void> {
  const changes = [setDocument('auth', configuration ?? undefined)];
  await service.store.commit({ changes, events: [] }, { user: 'admin' });
}

export const withToken = (token: string): Sent => ({
  request: 'GET /API/whoami',
  headers: { authorization: `Bearer ${token}` },
});

/** Status and body, or status and reason. */
export async function toldOf(world: World, token: string): Promise<string> {
  const { status, body } = await world.send(withToken(token));
  const line = world.lines.findLast(({ event }) => event === 'request');
  return `${status} ${status === 200 ? body : line?.['reason']}`;
}
