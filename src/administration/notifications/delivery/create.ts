import type { Metrics } from '../../../core/lib/metrics.ts';
import type { Measured } from '../../../core/work/work-kind.ts';
import { findEntity } from '../../../room/entities/find.ts';
import type { EntityKinds } from '../../../room/entity.ts';
import type { DeliveryResult } from '../actions/order.ts';
import { createActionPerformer, type PerformParts } from '../actions/perform.ts';
import { measureOutbox } from '../outbox-sql.ts';
import type { NotificationSettings } from '../settings.ts';
import { createAsk } from '../synchronous/ask.ts';
import { createBefore } from '../synchronous/before.ts';
import { createFilename, metadataPayload } from '../synchronous/filename.ts';
import { deliveriesKind } from './delivery-work.ts';
import { createLane, type LaneParts } from './lane.ts';
import { createOpen, type OpenParts } from './open.ts';
import { states } from './record.ts';
import type { DeliveryDecision, Patience } from './rules.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

type PatienceSettings = Pick<
  NotificationSettings,
  | 'deliveryRetries'
  | 'deliveryRetryHours'
  | 'deliveryPauseFirst'
  | 'deliveryPauseMost'
  | 'deliveryAloneMinutes'
  | 'deliveryBlockedMinutes'
  | 'pauseAfterFailures'
  | 'pauseFirst'
  | 'pauseMost'
  | 'disableAfterHours'
>;

const patienceOf = (settings: PatienceSettings): Patience => ({
  retries: settings.deliveryRetries,
  retryFor: settings.deliveryRetryHours * hour,
  pauseFirst: settings.deliveryPauseFirst,
  pauseMost: settings.deliveryPauseMost * second,
  aloneFor: settings.deliveryAloneMinutes * minute,
  blockedFor: settings.deliveryBlockedMinutes * minute,
  restAfter: settings.pauseAfterFailures,
  restFirst: settings.pauseFirst * second,
  restMost: settings.pauseMost * second,
  disableAfter: settings.disableAfterHours * hour,
});

interface DeliveriesParts
  extends Pick<LaneParts, 'store' | 'clock' | 'random' | 'log' | 'telling' | 'tellPerson'>,
    Pick<OpenParts, 'vault' | 'services'>,
    Pick<PerformParts, 'call' | 'fingerprint' | 'depth' | 'actions' | 'spans' | 'mailer'> {
  /** Owner of leases, shown to other instances. */
  readonly owner: string;
  readonly metrics: Metrics;
  readonly entities: EntityKinds;
  readonly settings: NotificationSettings;
}

/** Minimal limit for answers to synchronous notifications: a file name, or the reason of a veto. */
const leastBytes = 1_024;

/** Deliveries to receivers, synchronous during a change and asynchronous after it. */
export function createDeliveries(parts: DeliveriesParts) {
  const { store, clock, random, log, metrics, settings, telling, entities, tellPerson } = parts;
  const mayTell: LaneParts['mayTell'] = async ({ resource, entity, createdBy }) => {
    const kind = entity !== '' && Object.hasOwn(entities, resource) ? entities[resource] : undefined;
    if (!kind?.readableBy) return true;
    const row = await findEntity(store, kind, entity);
    // The deletion of an entity is delivered even though the entity is gone.
    return !row || kind.readableBy(createdBy, row);
  };
  const patience = patienceOf(settings);
  const open = createOpen({ reader: store, clock, vault: parts.vault, services: parts.services });
  const perform = createActionPerformer({
    ...parts,
    longest: settings.deliveryTimeout * second,
    mostBytes: Math.max(settings.deliveryAnswerBytes, leastBytes),
  });
  const answerBytes = settings.deliveryAnswerBytes;
  const ask = createAsk({ store, clock, random, log, telling, patience, answerBytes, open, perform });
  const metadataFor = (itemId: string, createdBy: string) =>
    metadataPayload(store, { itemId, name: createdBy, namespace: telling.namespace });
  const asking = { store, clock, log, ask, mayTell, within: settings.synchronousSeconds * second };
  const { count, lost, held } = measures(metrics);
  const measure = outboxGauges(parts);
  const lane = createLane({
    ...{ store, clock, random, log, telling, patience, settings },
    ...{ open, perform, mayTell, tellPerson, count },
  });
  const kind = deliveriesKind({
    store,
    clock,
    lane,
    lost,
    held,
    measure,
    firing: telling.triggers.names,
    owner: parts.owner,
    concurrency: settings.deliveryConcurrency,
    lease: settings.deliveryLease * second,
  });
  return { kind, before: createBefore(asking), filename: createFilename({ ...asking, metadataFor }) };
}

const bounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 30];

function measures(metrics: Metrics) {
  const outcomes = metrics.counter(
    'portico_deliveries_total',
    'Attempts to deliver, by what came of them',
    'outcome',
    'error',
  );
  const seconds = metrics.histogram('portico_delivery_seconds', 'Time that a receiver took', bounds);
  const leases = metrics.counter('portico_leases_lost_total', 'Lanes that somebody else took over');
  let lanes = 0;
  metrics.gauge('portico_lanes_held', 'Lanes that this instance delivers just now', () => lanes);
  return {
    count(step: DeliveryDecision['step'], { error = '' }: DeliveryResult, milliseconds: number) {
      outcomes(states[step], error).add();
      seconds.observe(milliseconds / second);
    },
    lost: () => leases().add(),
    held(by: number) {
      lanes += by;
    },
  };
}

const maxCounted = 100_000;

/** Measures the outbox from time to time, not for each read of the metrics. */
function outboxGauges({ store, clock, metrics }: DeliveriesParts) {
  let last: Measured = { waiting: 0 };
  const age = () => (last.oldest === undefined ? 0 : (clock.now() - last.oldest) / second);
  metrics.gauge('portico_outbox_events', `Deliveries that wait, counted up to ${maxCounted}`, () => last.waiting);
  metrics.gauge('portico_outbox_oldest_seconds', 'Age of the oldest event that waits', age);
  return async (): Promise<Measured> => {
    last = await measureOutbox(store, maxCounted, clock.now());
    return last;
  };
}
