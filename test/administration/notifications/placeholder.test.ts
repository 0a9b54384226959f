import { describe, expect, it } from 'vitest';
import {
  checkPlaceholder,
  notificationDataFrom,
} from '../../../src/administration/notifications/registration/placeholder.ts';
import { openWorld } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { refusal } from '../../support/thrown.ts';
import { newNotification } from './support.ts';

describe('the placeholder that a job is started with', () => {
  it('is one of either kind, and is there', async () => {
    const world = await openWorld('fetch');
    const { store } = world.service;
    await prepare(world, [
      newNotification(undefined, {}, ''),
      newNotification({ job: { stop: '', placeholder: true } }, {}, '/job'),
      newNotification({ job: { stop: '' } }, {}, '/job'),
    ]);
    await checkPlaceholder(store, 'VX-1');
    await checkPlaceholder(store, 'VX-2');
    await expect(checkPlaceholder(store, 'VX-3')).rejects.toMatchObject({ status: 400 });
    await expect(checkPlaceholder(store, 'VX-4')).rejects.toMatchObject({ status: 404 });
  });
});

describe('what is told of a job besides', () => {
  const data = (...texts: string[]) => notificationDataFrom(texts);

  it('is a list of pairs, in which a key may come again', () => {
    expect(data('ticket=4711', 'url=http://a/?b=c', 'ticket=')).toEqual([
      ['ticket', '4711'],
      ['url', 'http://a/?b=c'],
      ['ticket', ''],
    ]);
  });

  it.each([[['ticket']], [['=4711']], [['k='.padEnd(4_097, 'x')]], [Array.from({ length: 101 }, () => 'k=v')]])(
    'is not %#',
    (texts) => {
      expect(refusal(() => data(...texts)).detail.id).toBe('notificationData');
    },
  );
});
