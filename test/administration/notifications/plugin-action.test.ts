import { describe, expect, it } from 'vitest';
import type { ActionOrder } from '../../../src/administration/notifications/actions/order.ts';
import { createActionPerformer } from '../../../src/administration/notifications/actions/perform.ts';
import { actionDefect, elementOf } from '../../../src/administration/notifications/actions/plugin-action.ts';
import { createDepth } from '../../../src/administration/notifications/depth.ts';
import {
  type Notification,
  notificationDocument,
} from '../../../src/administration/notifications/documents/notification.ts';
import { noMailer } from '../../../src/administration/notifications/mail/mailer.ts';
import { readJson } from '../../../src/core/documents/index.ts';
import { OutboundError } from '../../../src/core/outbound/wire.ts';
import type { ActionCall, ActionKind, NotificationAction } from '../../../src/spi/index.ts';
import { settle, testClock } from '../../support/clock.ts';
import { testRandom } from '../../support/random.ts';

const sent = (action: object): Notification =>
  readJson(notificationDocument, JSON.stringify({ action, trigger: { group: { create: {} } } }));
const ejb = (more: object = {}) =>
  sent({
    ejb: {
      bean: 'mailer',
      method: 'send',
      data: [
        { key: 'to', value: 'x' },
        { key: 'to', value: 'y' },
      ],
      ...more,
    },
  });
const sqs = sent({
  sqs: { queue: 'jobs', endpoint: 'https://sqs', accessKey: 'AK', secret: 'canary-secret', group: 'g' },
});

const orderFor = (notification: Notification): ActionOrder => ({
  notificationId: 'VX-7',
  sent: notification,
  keys: [],
  id: 'VX-7_42',
  event: 'group/create',
  fields: [['group', 'editors']],
  contentType: 'application/json',
  body: '{}',
  number: 2,
  depth: 1,
  cause: 'r',
});

const named = (name: string, action: Partial<NotificationAction>) => ({
  name,
  className: `test.${name}`,
  action: { perform: () => ({ answer: 'delivered' as const }), ...action },
});

function performing(...actions: ReturnType<typeof named>[]) {
  const clock = testClock();
  const perform = createActionPerformer({
    random: testRandom(1),
    clock,
    call: () => Promise.reject(new Error('Nobody is called')),
    fingerprint: (text) => btoa(text),
    depth: createDepth(testClock(), (text) => text),
    longest: 5_000,
    mostBytes: 1_000,
    actions: () => actions,
    mailer: noMailer,
  });
  return {
    clock,
    perform: (notification = ejb(), signal = new AbortController().signal) => perform(orderFor(notification), signal),
  };
}

describe('an action of a plugin', () => {
  it('is called as the notification names it, with its data', async () => {
    const calls: ActionCall[] = [];
    const { perform } = performing(
      named('other', {}),
      named('mailer', {
        perform(call) {
          calls.push(call);
          return { answer: 'delivered', text: 'sent' };
        },
      }),
    );
    expect(await perform()).toEqual({ verdict: 'delivered', text: 'sent' });
    const { signal, ...call } = calls[0]!;
    expect(signal.aborted).toBe(false);
    expect(call).toEqual({
      kind: 'ejb',
      texts: { bean: 'mailer', method: 'send' },
      data: [
        ['to', 'x'],
        ['to', 'y'],
      ],
      event: 'group/create',
      fields: [['group', 'editors']],
      body: '{}',
      contentType: 'application/json',
      notification: 'VX-7',
      id: 'VX-7_42',
      attempt: 2,
      test: false,
    });
  });

  it('is found by the name of its class, too, and by its kind', async () => {
    const mailer = named('mailer', {});
    const queue = named('q', { kinds: ['sqs', 'sns'] });
    const { perform } = performing(queue, mailer);
    expect(await perform(ejb({ bean: 'test.mailer' }))).toEqual({ verdict: 'delivered' });
    expect(await perform(sqs)).toEqual({ verdict: 'delivered' });
    expect(await perform(ejb({ bean: 'q' }))).toMatchObject({ verdict: 'again', error: 'no-action', localFault: true });
  });

  it('gets secrets wrapped, and is not quoted with them', async () => {
    const element = elementOf(sqs)!;
    expect(element.texts).toEqual({ queue: 'jobs', endpoint: 'https://sqs', accessKey: 'AK' });
    expect(JSON.stringify(element)).not.toContain('canary');
    expect(element.secret!.reveal()).toBe('canary-secret');
    const { perform } = performing(
      named('q', {
        kinds: ['sqs'],
        perform: ({ secret }) => {
          throw new Error(`403 for ${secret!.reveal()}\n  at queue`);
        },
      }),
    );
    expect(await perform(sqs)).toEqual({
      verdict: 'again',
      error: 'plugin',
      says: 'Expected no error: 403 for [redacted]',
    });
  });

  it('cannot show how a secret begins by putting it where a long message is cut', async () => {
    const { perform } = performing(
      named('q', {
        kinds: ['sqs'],
        perform: ({ secret }) => ({ answer: 'refused', reason: `${'x'.repeat(295)}${secret!.reveal()}` }),
      }),
    );
    const { says, text } = await perform(sqs);
    expect(says).toMatch(/^x{295}\[reda$/);
    expect(text).toBe(says);
  });

  it.each<[unknown, object]>([
    [
      { answer: 'again', reason: 'busy', after: 7_000 },
      { verdict: 'again', error: 'plugin', says: 'busy', after: 7_000 },
    ],
    [
      { answer: 'again', reason: 'busy', after: -1 },
      { verdict: 'again', error: 'plugin', says: 'busy' },
    ],
    [
      { answer: 'refused', reason: 'no\nnever' },
      { verdict: 'refused', error: 'plugin', says: 'no', text: 'no' },
    ],
    [{ answer: 'refused' }, { verdict: 'refused', says: 'Expected a reason: none' }],
    [{ answer: 'yes' }, { verdict: 'again', error: 'junk' }],
    [undefined, { verdict: 'again', error: 'junk' }],
    [null, { verdict: 'again', error: 'junk' }],
    ['delivered', { verdict: 'again', error: 'junk' }],
    [{ answer: '__proto__' }, { verdict: 'again', error: 'junk' }],
  ])('that answers %j', async (answer, told) => {
    const { perform } = performing(named('mailer', { perform: () => answer as never }));
    expect(await perform()).toMatchObject(told);
  });

  it.each<[string, unknown, object]>([
    ['an error', new Error('lost'), { verdict: 'again', error: 'plugin', says: 'Expected no error: lost' }],
    ['nothing', undefined, { verdict: 'again', error: 'plugin' }],
    [
      'what the address policy says',
      new OutboundError('blocked', 'No'),
      { verdict: 'blocked', error: 'blocked', localFault: true },
    ],
    ['what a call came to', new OutboundError('dns', 'No name'), { verdict: 'again', error: 'dns' }],
  ])('that throws %s', async (_what, error, told) => {
    const { perform } = performing(
      named('mailer', {
        perform: () => {
          throw error;
        },
      }),
    );
    expect(await perform()).toMatchObject(told);
  });

  it('that hangs is told to stop, and not waited for', async () => {
    let signal: AbortSignal | undefined;
    const { clock, perform } = performing(
      named('mailer', {
        perform(call) {
          signal = call.signal;
          return new Promise(() => undefined);
        },
      }),
    );
    const told = perform();
    await settle();
    await clock.advance(5_000);
    expect(await told).toMatchObject({ verdict: 'again', error: 'timeout' });
    expect(signal!.aborted).toBe(true);
    const stop = new AbortController();
    const second = perform(ejb(), stop.signal);
    await settle();
    stop.abort(new Error('The service stops'));
    await expect(second).rejects.toThrow('The service stops');
  });
});

describe('what a notification names', () => {
  const defect = (notification: Notification, ...actions: ReturnType<typeof named>[]) =>
    actionDefect(actions, elementOf(notification)!);

  it('must be there', () => {
    expect(defect(ejb())).toEqual({
      field: 'bean',
      expected: 'a bean that a plugin brings among its "actions"',
      found: 'mailer',
    });
    expect(defect(ejb(), named('mailers', {}))?.expected).toBe(
      'a bean that a plugin brings among its "actions", such as "mailers"',
    );
    expect(defect(ejb(), named('mailer', {}))).toBeUndefined();
    const kinds: [ActionKind, Notification][] = [
      ['sqs', sqs],
      ['jms', sent({ jms: { queue: 'q', queueFactory: 'f' } })],
      ['sns', sent({ sns: {} })],
    ];
    for (const [kind, notification] of kinds) {
      expect(defect(notification, named('mailer', {}))).toEqual({
        field: undefined,
        expected: 'a kind of action that a plugin brings among its "actions"',
        found: kind,
      });
      expect(defect(notification, named('x', { kinds: [kind] }))).toBeUndefined();
    }
  });

  it('must have the method, and be as the action wants it', () => {
    expect(defect(ejb(), named('mailer', { methods: ['post', 'put'] }))).toEqual({
      field: 'method',
      expected: 'one of "post", "put"',
      found: 'send',
    });
    const fussy = named('mailer', {
      defect: ({ data }) => (data.length > 1 ? 'Expected one pair of data' : undefined),
    });
    expect(defect(ejb(), fussy)).toEqual({ field: undefined, expected: 'one pair of data', found: 'ejb' });
  });
});
