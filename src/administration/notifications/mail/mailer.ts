import type { Clock } from '../../../core/lib/clock.ts';
import { Gate } from '../../../core/lib/gate.ts';
import {
  isThisMachine,
  type Mailbox,
  type MailServer,
  readMailbox,
  readMailServer,
} from '../../../core/lib/mail-address.ts';
import type { Outbound } from '../../../core/outbound/outbound.ts';
import { withTimeLimit } from '../../../core/outbound/request.ts';
import type { Services } from '../../../room/context.ts';
import { type DeliveryResult, resultOfError } from '../actions/order.ts';
import type { NotificationSettings } from '../settings.ts';
import { domainOf, type Letter, messageOf } from './message.ts';
import { SmtpRefusal, sendMail } from './smtp.ts';

interface MailerParts {
  readonly clock: Clock;
  readonly connect: Outbound['connect'];
  readonly services: { readonly secrets: Pick<Services['secrets'], 'open'> };
  readonly settings: Pick<NotificationSettings, 'smtpUrl' | 'smtpTls' | 'mailFrom'>;
  /** Milliseconds: time limit of each step. */
  readonly longest: number;
}

export interface Mailer {
  /** Why no mail leaves, as a sentence. Undefined: it does. `url`: a server other than that of the settings. */
  lack(url?: string): string | undefined;
  /** Hands a letter to a server. Rejects with the reason of the signal if aborted: the outcome is unknown then. */
  send(letter: Letter, signal: AbortSignal, url?: string): Promise<DeliveryResult>;
}

const noConnections =
  'Expected a host that opens connections: on an edge, an action http calls the API of a mail provider';

const failsHere = (says: string): DeliveryResult => ({ verdict: 'again', error: 'no-mail', says, localFault: true });

/** Mailer of a runtime that opens no connections. */
export const noMailer = { lack: () => noConnections, send: async () => failsHere(noConnections) } satisfies Mailer;

/** Connections of this process. Servers of mail refuse many from one client. */
const maxConnections = 4;
/** Steps at which a server judges the letter and its receiver, and not this side. */
const ofLetter: ReadonlySet<string> = new Set(['RCPT TO', 'DATA', 'message']);

export function createMailer({ clock, connect, services, settings, longest }: MailerParts): Mailer {
  const from = readMailbox(settings.mailFrom);
  const own = settings.smtpUrl && readMailServer(settings.smtpUrl.reveal());
  const connections = new Gate({ width: maxConnections });

  function lack(url?: string): string | undefined {
    if (!connect) return noConnections;
    if (!from) return 'Expected a sender of mail (setting mailFrom)';
    return url === undefined && !own ? 'Expected a mail server (setting smtpUrl)' : undefined;
  }

  async function loginOf({ login, alias }: MailServer): Promise<MailServer['login']> {
    if (alias === undefined) return login;
    const [user = '', password] = [
      await services.secrets.open(alias, 'username'),
      await services.secrets.open(alias, 'password'),
    ];
    if (password === undefined) throw new Error(`Expected a password in the secret "${alias}"`);
    return { user, password };
  }

  async function converse(letter: Letter, by: Mailbox, server: MailServer, trusted: boolean, signal: AbortSignal) {
    const { host, port, secure } = server;
    const login = await loginOf(server);
    const within = <T>(step: () => Promise<T>) => withTimeLimit(clock, longest, signal, step);
    const connection = await withTimeLimit(clock, longest, signal, (own) =>
      connect!({ host, port, secure, trusted }, own),
    );
    try {
      const envelope = { from: by.address, to: letter.to, message: messageOf(letter, by, clock.now()) };
      const isExposed = !secure && !isThisMachine(host);
      const requiresTls = settings.smtpTls === 'require';
      const terms = { host, name: domainOf(by), login, isExposed, requiresTls, within };
      const text = await sendMail(connection, envelope, terms);
      return { verdict: 'delivered', status: Number(text.slice(0, 3)), text, address: connection.address } as const;
    } finally {
      connection.close();
    }
  }

  return {
    lack,
    async send(letter, signal, url) {
      const says = lack(url);
      if (says !== undefined) return failsHere(says);
      const server = url === undefined ? own! : readMailServer(url);
      if (!server) return { verdict: 'refused', error: 'bad-url', says: 'Expected an address of a mail server' };
      const trusted = url === undefined;
      try {
        return await connections.run(() => converse(letter, from!, server, trusted, signal), { signal });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const outcome = error instanceof SmtpRefusal ? resultOfRefusal(error) : resultOfError(error, signal);
        // The server of the settings is a part of this side: no receiver is to blame for it.
        const isOfLetter = error instanceof SmtpRefusal && ofLetter.has(error.step);
        return trusted && !isOfLetter ? { ...outcome, localFault: true } : outcome;
      }
    },
  };
}

function resultOfRefusal({ step, code, message }: SmtpRefusal): DeliveryResult {
  const verdict = code >= 500 && ofLetter.has(step) ? 'refused' : 'again';
  return { verdict, status: code, error: 'smtp', says: message };
}
