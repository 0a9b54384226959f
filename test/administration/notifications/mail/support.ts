import { Secret } from '../../../../src/core/lib/secret.ts';
import { people } from '../../../extensions/review/support.ts';
import { type MailServer, type MailServerOptions, openMailServer } from '../../../support/mail-server.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { by } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import type { ServiceOptions } from '../../../support/service.ts';

export const mailSettings = (port: number) => ({
  smtpUrl: new Secret(`smtp://127.0.0.1:${port}`),
  mailFrom: 'Portico <portico@example.com>',
  publicUrl: 'https://media.example.com/',
});

export const mailOf = (user: string, body: object = {}) =>
  by(`PUT /API/user/${user}/mail`, { address: `${user}@example.com`, ...body });

export interface MailWorld {
  readonly world: World;
  readonly server: MailServer;
  /** Time goes on until messages of now are due, and the service delivers. */
  pass(milliseconds?: number): Promise<void>;
  /** Receivers and subjects of all mail. */
  subjects(): readonly string[];
}

/** People of the review with addresses, and a server of mail. */
export async function openMail(options: MailServerOptions = {}, more: ServiceOptions = {}): Promise<MailWorld> {
  const server = await openMailServer(options);
  const world = await openWorld('fetch', { ...more, settings: { ...mailSettings(server.port), ...more.settings } });
  await prepare(world, [...people, ...['ann', 'ben', 'cat', 'dan'].map((user) => mailOf(user))]);
  return {
    world,
    server,
    async pass(milliseconds = 10_000) {
      await world.clock.advance(milliseconds);
      await world.service.tick();
    },
    subjects: () => server.received.map(({ to, headers }) => `${to}: ${headers.get('subject')}`),
  };
}
