import { describe, expect, it } from 'vitest';
import { selectorsOfEvent, subscriptionsOf } from '../../../src/administration/notifications/trigger/subscriptions.ts';
import type { FileState } from '../../../src/core/events/payloads.ts';
import { type Happening, happened, type TriggerEvent, triggerEvents, triggers } from '../../support/declared.ts';
import { elementsOf, fires, notification, samples } from './support.ts';

const sample = (name: TriggerEvent): Happening => happened(name, 'VX-1', samples[name]);

describe('a trigger', () => {
  it.each(triggerEvents)('%s waits for its event and for no other', (name) => {
    const sent = notification(elementsOf(name));
    expect(subscriptionsOf(triggers, sent)).toEqual([{ event: name, selectors: [''], filter: undefined }]);
    expect(triggerEvents.filter((other) => fires(sent, sample(other)))).toEqual([name]);
  });

  it('with several events waits for any of them', () => {
    const sent = notification('<group><create/><delete/></group>');
    expect(subscriptionsOf(triggers, sent).map(({ event }) => event)).toEqual(['group/create', 'group/delete']);
    expect(triggerEvents.filter((other) => fires(sent, sample(other)))).toEqual(['group/create', 'group/delete']);
  });

  it('of a collection waits for its content and its metadata side by side, each with what restricts it', () => {
    const sent = notification(
      '<collection><modify/><metadata><modify><field>title</field></modify></metadata></collection>',
    );
    expect(subscriptionsOf(triggers, sent).map(({ event, selectors }) => [event, selectors])).toEqual([
      ['collection/modify', ['']],
      ['collection/metadata/modify', ['title']],
    ]);
  });
});

describe('a trigger of files', () => {
  const file = (storageId: string): Happening =>
    happened('file/new', 'VX-1', { fileId: 'VX-1', storageId } as FileState);

  it('may ask for one storage, and is found by it', () => {
    const sent = notification('<file><new/><storage> VX-3 </storage></file>');
    expect(subscriptionsOf(triggers, sent)[0]?.selectors).toEqual(['VX-3']);
    expect([fires(sent, file('VX-3')), fires(sent, file('VX-30'))]).toEqual([true, false]);
  });

  it('means all storages when the element is blank', () => {
    expect(fires(notification('<file><new/><storage/></file>'), file('VX-4'))).toBe(true);
  });
});

describe('an event looks for subscriptions', () => {
  it.each<[string, Happening, readonly string[]]>([
    ['of groups under nothing', sample('group/modify'), ['']],
    ['of events without a trigger under nothing', happened('user/create', 'ann', { user: 'ann' }), ['']],
    ['of jobs under its type', sample('job/create'), ['', 'PLACEHOLDER_IMPORT']],
    ['of jobs under its placeholder', sample('job/stop'), ['', 'PLACEHOLDER_IMPORT', 'notification=VX-40']],
    ['of metadata under each field that changed', sample('metadata/modify'), ['', 'title', 'x_speaker', 'x_rights']],
    ['of files under their storage', sample('file/close'), ['', 'VX-3']],
  ])('%s', (_title, event, selectors) => {
    expect(selectorsOfEvent(event)).toEqual(selectors);
  });

  it('once for a field that changed in several places', () => {
    const change = { field: 'title', values: ['x'], start: '-INF', end: '+INF' };
    const payload = { itemId: 'VX-7', changeSetId: 'VX-9', changes: [change, { ...change, language: 'en' }] };
    expect(selectorsOfEvent({ name: 'metadata/modify', payload })).toEqual(['', 'title']);
  });
});
