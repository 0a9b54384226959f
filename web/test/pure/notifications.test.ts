import { expect, it } from 'vitest';
import {
  addressOf,
  eventsOf,
  eventWords,
  newNotification,
  receiverOf,
  resourceNamed,
  wordOf,
} from '../../src/pages/notifications/notifications.ts';

const health = {
  state: 'active',
  since: '',
  lane: '',
  waiting: 0,
  parked: 0,
  delivered: 3,
  failed: 0,
  lost: 0,
  failures: 0,
} as const;

it('says first what a person has to do something about', () => {
  const words = [
    health,
    { ...health, delivered: 0 },
    { ...health, failures: 2 },
    { ...health, failures: 2, missing: 'x' },
    { ...health, state: 'paused' as const, failures: 2 },
    { ...health, state: 'disabled' as const },
    { ...health, blocked: 'Expected an address', parked: 2 },
    { ...health, delivered: 0, parked: 1 },
  ].map(wordOf);
  expect(words).toEqual(['works', 'new', 'failing', 'missing', 'paused', 'disabled', 'blocked', 'failing']);
});

it('names where a notification sends, and which events', () => {
  const document = newNotification('https://desk.example/in', [
    ['job', 'finished'],
    ['job', 'fail'],
    ['metadata', 'modify'],
  ]);
  expect(receiverOf(document)).toBe('https://desk.example/in');
  expect(eventsOf(document)).toEqual(['job finished', 'job fail', 'metadata modify']);
  expect(['job fail', 'group/create', 'quota warning'].map(eventWords)).toEqual([
    'A job failed',
    'A group was made',
    'quota warning',
  ]);
  expect(receiverOf({ action: { sqs: { queue: 'q' } as never }, trigger: {} })).toBe('sqs q');
});

it('finds each resource at its own path', () => {
  expect(addressOf(resourceNamed('file')!, 'VX-1')).toBe('/storage/file/notification/VX-1');
  expect(addressOf(resourceNamed('placeholder')!, 'a/b')).toBe('/notification/a%2Fb');
  expect(resourceNamed('nothing')).toBeUndefined();
});
