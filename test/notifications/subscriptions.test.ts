import { describe, expect, it } from 'vitest';
import { type Happening, happened } from '../../src/events/catalogue.ts';
import { type TriggerEvent, triggerEvents } from '../../src/events/triggers.ts';
import { subscriptionsOf } from '../../src/notifications/trigger/subscriptions.ts';
import { samples } from './samples.ts';
import { fires, notification } from './support.ts';

const sample = (name: TriggerEvent): Happening => happened(name, 'VX-1', samples[name]);

/** The elements of an event, each around the next. */
const xmlOf = (name: TriggerEvent): string =>
  name.split('/').reduceRight((inside, element) => `<${element}>${inside}</${element}>`, '');

describe('N2 N4 N5 N6 N7 N8 N12 N13 N14 N15 a trigger', () => {
  it.each(triggerEvents)('%s waits for its event and for no other', (name) => {
    const sent = notification(xmlOf(name));
    expect(subscriptionsOf(sent)).toEqual([{ event: name, selectors: [''], filter: undefined }]);
    expect(triggerEvents.filter((other) => fires(sent, sample(other)))).toEqual([name]);
  });

  it('with several events waits for any of them', () => {
    const sent = notification('<group><create/><delete/></group>');
    expect(subscriptionsOf(sent).map(({ event }) => event)).toEqual(['group/create', 'group/delete']);
    expect(triggerEvents.filter((other) => fires(sent, sample(other)))).toEqual(['group/create', 'group/delete']);
  });
});
