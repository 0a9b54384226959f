import { describe, expect, it } from 'vitest';
import { checkAction } from '../../../src/kit/testing/index.ts';
import type { ActionAnswer, Host, NotificationAction } from '../../../src/spi/index.ts';
import { broken, explained } from './failing.ts';

type Perform = (
  host: Host,
  ...given: Parameters<NotificationAction['perform']>
) => ReturnType<NotificationAction['perform']>;

const url = 'https://queue.example.com/';
const ok = () => new Response(null, { status: 204 });
const delivered: ActionAnswer = { answer: 'delivered' };

const good: Perform = async (host, { body, signal }) => {
  const { status } = await host.call({
    url,
    method: 'POST',
    body,
    signal,
    timeout: 5_000,
    mostBytes: 100,
    longer: 'cut',
  });
  return status === 204 ? delivered : { answer: 'again', reason: `Expected 204: ${status}` };
};

const tried = (perform: Perform, more: Partial<NotificationAction> = {}) =>
  checkAction({
    make: (host) => ({ perform: (call) => perform(host, call), ...more }),
    backend: ok,
    patience: 300,
  });

describe('checkAction', () => {
  it('finds nothing wrong with a good one', async () => {
    expect(explained(await tried(good))).toEqual([]);
    expect(explained(await tried(() => delivered))).toEqual([]);
  });

  it.each<[string, Perform, Partial<NotificationAction>?]>([
    [
      'delivers what a notification tells',
      (host, call) => (call.attempt > 1 ? { answer: 'refused', reason: 'seen' } : good(host, call)),
    ],
    [
      'delivers several events at the same time',
      (host, call) => (call.id.endsWith('_7') ? { answer: 'again', reason: 'busy' } : good(host, call)),
    ],
    [
      'copes with events of any content',
      (host, call) => (call.fields[0]![0] === '' ? good(host, call) : good(host, call)),
    ],
    [
      'says "again" when its receiver answers 500',
      async (host, call) =>
        (await good(host, call)).answer === 'delivered' ? delivered : { answer: 'refused', reason: 'no' },
    ],
    [
      'says "again" when its receiver cannot be reached',
      (host, call) => Promise.resolve(good(host, call)).catch(() => delivered),
    ],
    [
      'leaves what it is told as it is',
      (host, call) => {
        (call.fields as unknown[]).length = 0;
        return good(host, call);
      },
    ],
    [
      'tells no secret to logs, errors and reasons',
      (host, call) => {
        host.log('info', 'sending', { with: call.secret?.reveal() });
        return good(host, call);
      },
    ],
    [
      'takes the elements that it is for, and refuses others with a sentence',
      good,
      { defect: () => 'Expected a queue' },
    ],
  ])('finds that one breaks: %s', async (promise, perform, more) => {
    expect(broken(await tried(perform, more))).toContain(promise);
  });

  it('finds one that does not end with its signal', async () => {
    const results = await tried((host, { body }) => host.fetch(url, { method: 'POST', body }).then(() => delivered));
    expect(broken(results)).toContain('ends when its signal is aborted');
  });

  it('finds junk among the answers', async () => {
    const junk = [
      undefined,
      null,
      'delivered',
      {},
      { answer: 'maybe' },
      { answer: 'again' },
      { answer: 'again', reason: 'x', after: -1 },
    ];
    for (const answer of junk) {
      expect(broken(await tried(() => answer as ActionAnswer)), JSON.stringify(answer)).toContain(
        'copes with events of any content',
      );
    }
  });
});
