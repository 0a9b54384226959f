import { createWaker } from '../../core/lib/clock.ts';
import { createVault, requireKey } from '../../core/lib/vault.ts';
import { type Participant, systemActor, tableConcern } from '../../core/store/contract.ts';
import { callerTables } from '../../identity/public-reading.ts';
import type { RoomContext } from '../../room/context.ts';
import { createOperator } from './commands.ts';
import { createDeliveries } from './delivery/create.ts';
import { createDepth } from './depth.ts';
import { createEventStreams } from './feed/streams.ts';
import { createMailboxes } from './mail/mailboxes.ts';
import { createMailer, noMailer } from './mail/mailer.ts';
import { createTellPerson } from './mail/people.ts';
import { noMailboxes } from './mail/routes.ts';
import type { MailReader } from './mail/store.ts';
import { createMatching } from './matching/participant.ts';
import { createReplays } from './replay/replays.ts';
import { retentionKind } from './retention.ts';
import type { NotificationSettings } from './settings.ts';

type EngineParts = RoomContext<NotificationSettings>;

/** Parts between a commit and its receivers: matching, deliveries, feed and retention. */
export function createEngine(context: EngineParts) {
  const { store, clock, random, log, settings, secretKey, sharesWork, digest, fingerprint, triggers } = context;
  const [waker, callers] = [createWaker(clock), createWaker(clock)];
  const vault = secretKey && createVault(secretKey, random);
  const depth = createDepth(clock, (text) => (secretKey ? fingerprint(`${secretKey.reveal()} ${text}`) : digest(text)));
  const streams = createEventStreams({ store, clock, log, waker, callers, settings, sharesWork });
  const replays = createReplays({ store, clock, log, triggers, actor: systemActor });
  const mailer = globalThis.isEdgeModule
    ? noMailer
    : createMailer({ ...context, longest: settings.deliveryTimeout * 1000 });
  const codeOf = ({ userId, address, addressedAt }: Pick<MailReader, 'userId' | 'address' | 'addressedAt'>): string =>
    fingerprint(
      `${requireKey(secretKey, 'confirm addresses of mail under').reveal()} ${userId} ${addressedAt} ${address}`,
    )
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 16);
  const deliveries = createDeliveries({
    ...context,
    mailer,
    tellPerson: globalThis.isEdgeModule
      ? async () => noMailer.send()
      : createTellPerson({ store, mailer, settings, codeOf }),
    vault,
    depth,
    telling: { triggers, namespace: settings.schemaNamespace },
    owner: context.instanceId,
    actions: context.security.actions,
  });
  const matching = createMatching({
    reader: store,
    log,
    triggers,
    settings,
    before: deliveries.before,
    committed() {
      // On the edge requests must not wake each other.
      if (sharesWork) waker.wake();
    },
  });
  const watching: Participant = {
    name: 'callers of event streams',
    concerns: sharesWork ? callerTables.map(tableConcern) : [],
    committed: callers.wake,
  };
  const operator = createOperator({ store, clock, actor: systemActor, replays });
  const retention = retentionKind({ store, clock, settings, actor: systemActor });
  return {
    vault,
    depth,
    streams,
    replays,
    deliveries,
    waker,
    operator,
    mailer,
    mailboxes: globalThis.isEdgeModule ? noMailboxes : createMailboxes({ ...context, mailer, codeOf }),
    participants: [matching, watching],
    // An instance that does not deliver leaves all of it to others.
    workers: settings.deliver ? [deliveries.kind, replays.kind, retention] : [],
  };
}
