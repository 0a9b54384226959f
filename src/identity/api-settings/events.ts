import { emitterOf, event } from '../../core/events/event-kinds.ts';

export const configurationEvents = {
  'configuration/modify': event<{ readonly name: string; readonly key?: string }>(),
};

export const configurationEvent = emitterOf(configurationEvents);
