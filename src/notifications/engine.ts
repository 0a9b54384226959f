import type { NamedAction } from '../config/security-parts.ts';
import type { Settings } from '../config/settings.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Random } from '../lib/random.ts';
import type { Secret } from '../lib/secret.ts';
import { createVault } from '../lib/vault.ts';
import { createWaker } from '../lib/waker.ts';
import type { OutboundAnswer, OutboundCall } from '../spi/index.ts';
import { type Companion, systemActor } from '../store/contract.ts';
import type { Reader } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import { createDeliveries } from './delivery/create.ts';
import { createDepth } from './depth.ts';
import { createEventStreams } from './feed/streams.ts';
import { createMatching } from './matching/companion.ts';
import { createOperator } from './operator.ts';
import { createReplays } from './replay/replays.ts';
import { createSweeper } from './retention/sweeper.ts';

export interface EngineParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: Settings;
  readonly reader: Reader;
  /** Opens the store whose commits this goes with. */
  open(companion: Companion): Store;
  readonly secretKey: Secret | undefined;
  readonly sharesWork: boolean;
  readonly instanceId: string;
  digest(text: string): string;
  fingerprint(text: string): string;
  call(call: OutboundCall): Promise<OutboundAnswer>;
  /** A piece of what other rooms do beside requests. Gives the milliseconds until the next one is due. */
  housekeep(): Promise<number>;
  /** Those of the configuration that runs now. */
  actions(): readonly NamedAction[];
}

/** What is between a commit and its receivers: matching, deliveries, the feed, and what keeps their tables small. */
export function createEngine(parts: EngineParts) {
  const { clock, random, log, settings, reader, secretKey, sharesWork, digest, fingerprint } = parts;
  const waker = createWaker(clock);
  const store = parts.open(
    createMatching({
      reader,
      log,
      settings,
      before: (foreseen) => deliveries.before(foreseen),
      committed() {
        // On an edge no request may wake another one.
        if (!sharesWork) return;
        waker.wake();
        deliveries.wake();
      },
    }),
  );
  const vault = secretKey && createVault(secretKey, random);
  const depth = createDepth(clock, (text) => (secretKey ? fingerprint(`${secretKey.reveal()} ${text}`) : digest(text)));
  const streams = createEventStreams({ store, clock, log, waker, settings, sharesWork });
  const replays = createReplays({ store, clock, log, actor: systemActor });
  const sweeper = createSweeper({ store, clock, settings, actor: systemActor });
  const housekeep = async () =>
    Math.min((await replays.work()) ?? Number.POSITIVE_INFINITY, await sweeper.work(), await parts.housekeep());
  const deliveries = createDeliveries({
    ...parts,
    store,
    vault,
    depth,
    namespace: settings.schemaNamespace,
    owner: parts.instanceId,
    housekeep,
  });
  const operator = createOperator({ store, clock, actor: systemActor, housekeep });
  return { store, vault, depth, streams, replays, deliveries, waker, housekeep, operator };
}
