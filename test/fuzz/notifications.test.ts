import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOf, checkContentType, fieldsOf } from '../../src/administration/notifications/body.ts';
import {
  type Notification,
  notificationDocument,
} from '../../src/administration/notifications/documents/notification.ts';
import { checkTrigger } from '../../src/administration/notifications/trigger/check.ts';
import { compileFilter, matches } from '../../src/administration/notifications/trigger/filter.ts';
import { selectorsOfEvent, subscriptionsOf } from '../../src/administration/notifications/trigger/subscriptions.ts';
import { readJson, readXml, simpleMetadataDocument, writeXml } from '../../src/core/documents/index.ts';
import type { JobState, MetadataChange } from '../../src/core/events/payloads.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { storable } from '../../src/core/lib/storable.ts';
import { samples, stored } from '../administration/notifications/support.ts';
import { valuesOf } from '../core/documents/arbitrary.ts';
import {
  type EventName,
  type Happening,
  happened,
  type TriggerEvent,
  triggerEvents,
  triggers,
} from '../support/declared.ts';
import { fuzzSeconds as seconds } from '../support/long.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);
const settings = {
  seed,
  ...(seconds === 0
    ? { numRuns: 150 }
    : {
        numRuns: Number.POSITIVE_INFINITY,
        interruptAfterTimeLimit: seconds * 1000,
        markInterruptAsFailure: false,
      }),
};
const timeout = (seconds + 180) * 1000;

const word = fc.constantFrom(
  '',
  'title',
  'genre',
  'A1',
  'A2-4',
  'en',
  'en*',
  '*',
  'all',
  'generic',
  'none',
  '10-20@PAL',
  'IMPORT',
  'VX-3',
  '__proto__',
  '😀',
);
const words = fc.array(word, { maxLength: 4 }).map((each) => each.join(','));
const regex = fc
  .array(
    fc.constantFrom(
      'a',
      '.',
      '*',
      '+',
      '?',
      '(',
      ')',
      '[',
      ']',
      '|',
      '{2}',
      '{0,9}',
      '\\d',
      '\\',
      '^',
      '$',
      '(?i)',
      '(?=',
      '\\1',
      '&&',
      '\\pL',
      '\ud800',
      '😀',
    ),
    { maxLength: 12 },
  )
  .map((each) => each.join(''));

type Parameters = NonNullable<Notification['trigger']['metadata']>['modify'];
const modify: fc.Arbitrary<Parameters> = fc.record(
  { field: words, language: words, track: words, interval: words },
  { requiredKeys: [] },
);
const half = (name: string) => fc.oneof(fc.record({ [name]: word }), fc.record({ [`${name}-regex`]: regex }));
const jobdata = fc
  .tuple(half('key'), fc.option(half('value'), { nil: {} }))
  .map(([key, value]) => ({ ...key, ...value }));
const filter = fc.record({ type: fc.array(words, { maxLength: 3 }), step: fc.nat(5), jobdata }, { requiredKeys: [] });

/** Documents of any shape, and such as somebody would write. */
const notifications = fc.oneof(
  valuesOf(notificationDocument.structure),
  fc.record({
    action: fc.constant({ http: { url: 'http://hooks.example/' } }),
    trigger: fc.oneof(
      modify.map((each) => ({ metadata: { modify: each } })),
      modify.map((each) => ({ collection: { create: true, metadata: { modify: each } } })),
      fc
        .record({ stop: fc.constant(true), placeholder: fc.boolean(), filter }, { requiredKeys: ['stop'] })
        .map((job) => ({ job })),
      word.map((storage) => ({ file: { new: true, storage } })),
    ),
  }),
) as fc.Arbitrary<Notification>;

const text = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 8 }));
const optional = { requiredKeys: [] };
const change = fc
  .record({ language: text, track: text }, optional)
  .chain((more) =>
    fc
      .record({ field: text, values: fc.array(text, { maxLength: 3 }), start: text, end: text })
      .map((each) => ({ ...each, ...more })),
  ) as fc.Arbitrary<MetadataChange>;
const job = fc
  .record(
    { data: fc.array(fc.tuple(text, text), { maxLength: 4 }), step: fc.nat(5), notification: text, itemId: text },
    optional,
  )
  .map((more) => ({ jobId: 'VX-1', type: 'IMPORT', status: 'READY', ...more })) as fc.Arbitrary<JobState>;

/** Events with what a filter looks at left to chance. */
const events: fc.Arbitrary<Happening> = fc.oneof(
  fc.constantFrom(...triggerEvents).map((name) => happened<EventName>(name, 'VX-1', samples[name])),
  fc
    .array(change, { maxLength: 3 })
    .map((changes) => happened('metadata/modify', 'VX-7', { itemId: 'VX-7', changeSetId: 'VX-9', changes })),
  job.map((state) => happened('job/stop', 'VX-1', state)),
);

const resources = [...new Set(triggerEvents.map((name) => triggers.of(name).resource))];

/** Where it is taken; what it is refused with elsewhere is checked on the way. */
function homeOf(notification: Notification): string | undefined {
  return resources.find((resource) => {
    try {
      checkTrigger(triggers, notification, resource);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      expect(error.code).toBe('bad-value');
      expect(error.detail.context).toMatch(/^\/NotificationDocument\/trigger/);
      expect(error.detail.explanation).toMatch(/^Expected [\s\S]*: (?:none|"[\s\S]*")$/);
      expect((error.detail.value ?? '').length).toBeLessThanOrEqual(80);
      return false;
    }
  });
}

describe(`fuzz: notifications, seed ${seed}`, () => {
  it(
    'a trigger waits for something that can be asked, or is refused by name',
    () => {
      const outcomes = { taken: 0, refused: 0 };
      fc.assert(
        fc.property(notifications, (notification) => {
          if (homeOf(notification) === undefined) {
            outcomes.refused++;
            return;
          }
          outcomes.taken++;
          const subscriptions = subscriptionsOf(triggers, notification, 'VX-40');
          expect(subscriptions.length).toBeGreaterThan(0);
          for (const { selectors, filter: source } of subscriptions) {
            expect(selectors.length).toBeGreaterThan(0);
            // Filters are stored as JSON between making and asking.
            if (source) compileFilter(JSON.parse(JSON.stringify(source)));
          }
        }),
        settings,
      );
      expect(outcomes.taken).toBeGreaterThan(0);
      expect(outcomes.refused).toBeGreaterThan(0);
    },
    timeout,
  );

  it(
    'an index by selectors loses no event that a filter would let through',
    () => {
      const outcomes = { fires: 0, silent: 0 };
      fc.assert(
        fc.property(notifications, fc.array(events, { minLength: 1, maxLength: 5 }), (notification, happenings) => {
          if (homeOf(notification) === undefined) return;
          for (const { event: name, selectors, filter: source } of subscriptionsOf(triggers, notification, 'title')) {
            const compiled = source && compileFilter(source);
            for (const event of happenings.filter((each) => each.name === name)) {
              const fires = matches(compiled, event);
              outcomes[fires ? 'fires' : 'silent']++;
              const asked = selectorsOfEvent(event);
              if (fires) expect(selectors.some((selector) => asked.includes(selector))).toBe(true);
            }
          }
        }),
        settings,
      );
      expect(outcomes.fires).toBeGreaterThan(0);
      expect(outcomes.silent).toBeGreaterThan(0);
    },
    timeout,
  );

  it(
    'a body is a document that is read back, with the same fields in every form',
    () => {
      fc.assert(
        fc.property(notifications, events, fc.nat(9), (notification, event, attempt) => {
          const fields = fieldsOf(
            triggers,
            stored(event.name as TriggerEvent, event.payload as never),
            notification,
            attempt,
          ).map(([key, value]) => [storable(key), storable(value)] as const);
          expect(fields.filter(([key]) => key === 'sequenceNumber')).toEqual([['sequenceNumber', String(attempt)]]);
          const json = readJson(simpleMetadataDocument, bodyOf('application/json', fields, 'urn:x').body);
          expect(json.field).toEqual(fields.map(([key, value]) => ({ key, value: { value } })));
          const xml = bodyOf('application/xml', fields, 'urn:x').body;
          expect(writeXml(simpleMetadataDocument, readXml(simpleMetadataDocument, xml), 'urn:x')).toBe(xml);
          expect(bodyOf(undefined, fields, 'urn:x').body).toMatch(/^\{[\s\S]*\}$/);
        }),
        settings,
      );
    },
    timeout,
  );

  it('a content type is written, or refused by name', () => {
    fc.assert(
      fc.property(notifications, (notification) => {
        try {
          checkContentType(notification);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          expect(error.detail.context).toMatch(/^\/NotificationDocument\/action\/\w+\/contentType$/);
        }
      }),
      settings,
    );
  });
});
