import { describe, expect, it } from 'vitest';
import type { NotificationAction, Plugin } from '../../../src/spi/index.ts';
import { ini, make } from './try.ts';

const action = (name: string): NotificationAction => ({ perform: () => ({ answer: 'refused', reason: name }) });
const plugin: Plugin = {
  name: 'test',
  version: '1',
  contract: 1,
  actions: {
    'test.Mail': { says: 'For tests.', create: (_properties, host) => action(host.name) },
    'test.Queue': {
      says: 'For tests.',
      properties: { url: { type: 'url', required: true, says: 'Where.' } },
      create: (_properties, host) => action(host.name),
    },
  },
};
const actionsOf = async (...lines: string[]) => {
  const { parts, findings } = await make(ini(lines), [plugin]);
  return parts
    ? parts.actions.map(({ name, className }) => `${name} ${className}`).filter((text) => text.includes('test.'))
    : findings.map(({ message }) => message);
};

describe('notification actions', () => {
  it('that need nothing are there without a line, under the name of their class', async () => {
    expect(await actionsOf()).toEqual(['test.Mail test.Mail']);
  });

  it('have the names that the file gives them, in its order', async () => {
    const lines = ['b = test.Queue', 'b.url = https://queue.example.com/', 'a = test.Mail', 'c = test.Mail'];
    expect(await actionsOf(...lines)).toEqual(['b test.Queue', 'a test.Mail', 'c test.Mail']);
  });

  it('must have what they need', async () => {
    expect(await actionsOf('b = test.Queue')).toEqual([
      'Expected b.url, which test.Queue cannot do without: it is not set',
    ]);
  });

  it.each([
    [{}, 'Expected a notification action from test.Bad: something without the method perform'],
    [{ perform() {}, defect: 1 }, 'Expected a notification action from test.Bad: something whose defect is no method'],
  ])('that are none (%j) stop the start', async (junk, message) => {
    const bad = { ...plugin, actions: { 'test.Bad': { says: 'Bad.', create: () => junk as NotificationAction } } };
    expect((await make(ini([]), [bad])).findings.map((finding) => finding.message)).toEqual([message]);
  });
});
