import { describe, expect, it } from 'vitest';
import { actorName } from '../../../src/administration/notifications/body.ts';
import { notificationTrigger } from '../../../src/administration/notifications/documents/notification-trigger.ts';
import type { Structure } from '../../../src/core/documents/index.ts';
import type { Trigger } from '../../../src/core/events/event-kinds.ts';
import { samples, stored } from '../../administration/notifications/support.ts';
import { type EventName, events, happened, triggerEvents, triggers } from '../../support/declared.ts';

/** Every path of the trigger language that could name an event: its markers, and the parameters of metadata. */
function paths({ fields }: Structure, above = ''): string[] {
  return Object.entries(fields).flatMap(([key, { data }]) => {
    const path = `${above}${key}`;
    if (data.type.kind === 'marker' || path.endsWith('metadata/modify')) return [path];
    return data.type.kind === 'structure' ? paths(data.type, `${path}/`) : [];
  });
}

describe('the catalogue', () => {
  it('has an event for every element of the trigger language, but those that nothing can fire', () => {
    const named = paths(notificationTrigger);
    const ours: readonly string[] = triggerEvents;
    expect(ours.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !ours.includes(name))).toEqual([
      'item/modify',
      'collection/item/create',
      'collection/item/delete',
      'collection/item/modify',
    ]);
  });

  it('gives each kind of trigger one resource', () => {
    const homes = new Map(triggerEvents.map((name) => [name.split('/')[0], triggers.of(name).resource]));
    for (const name of triggerEvents) expect(triggers.of(name).resource, name).toBe(homes.get(name.split('/')[0]!));
    expect(Object.fromEntries(homes)).toEqual({
      item: '/item',
      metadata: '/item',
      access: '/item',
      shape: '/item',
      collection: '/collection',
      group: '/group',
      job: '/job',
      storage: '/storage',
      file: '/storage/file',
      notification: '/notification',
      quota: '/quota',
      document: '/document',
      deletionLock: '/deletion-lock',
      login: '/session',
      share: '/share',
      annotation: '/item',
      approval: '/item',
      usage: '/item',
    });
  });

  it.each([
    ['metadata/modify', 'item'],
    ['access/create', 'item'],
    ['shape/delete', 'item'],
    ['collection/metadata/modify', 'collection'],
    ['file/new', 'file'],
    ['storage/filename', 'storage'],
    ['job/finished', 'job'],
    ['group/modify', 'group'],
  ] as const)('%s is an event of the entity whose notifications it can fire: %s', (name, type) => {
    expect(happened(name, 'VX-7', samples[name])).toMatchObject({ name, entityType: type, entityId: 'VX-7' });
  });

  it('names an entity for events that fire nothing, too', () => {
    expect(happened('user/create', 'ann', { user: 'ann' }).entityType).toBe('user');
  });

  it('takes the user whose rights counted for the one who did it', () => {
    const event = { ...stored('group/create', { group: 'editors' }), user: 'portal', runAs: 'ann' };
    expect(actorName(event)).toBe('ann');
  });
});

/** Compiles only because each marked line is wrong in the way that its `@ts-expect-error` says. */
describe('the compiler refuses', () => {
  it('an event that is not declared, the payload of another event, a trigger at a place that does not exist', () => {
    // @ts-expect-error: no such event
    const unknown: EventName = 'item/rename';
    // @ts-expect-error: no such event
    expect(() => happened('item/rename', 'VX-7', { itemId: 'VX-7' }).name).toThrow();
    expect(Object.hasOwn(events, unknown)).toBe(false);
    // @ts-expect-error: a group has no item
    happened('group/create', 'editors', { itemId: 'VX-7' });
    // @ts-expect-error: the key is missing
    happened('shape/create', 'VX-7', { itemId: 'VX-7' });
    // @ts-expect-error: no such place to register at
    const trigger: Trigger = { resource: '/library', says: {}, tells: [] };
    expect(trigger.tells).toEqual([]);
  });
});
