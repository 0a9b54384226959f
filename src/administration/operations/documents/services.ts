import {
  boolean,
  dateTime,
  decimal,
  document,
  element,
  list,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';

/** A kind of work that goes on beside requests. */
const service = structure('VidispineServiceType', {
  id: element(string),
  name: element(string),
  class: element(string).says('Description of the work.'),
  arguments: element(string),
  isEnabled: element(boolean).says('False: an administrator switched it off on all instances.'),
  isRunning: element(boolean).says('As isEnabled, because enabled work is always ready to run.'),
  exception: element(string).says('Last failure in this instance.'),
  exceptionTimestamp: element(dateTime),
  thread: element(string),
  threadStatus: element(string).says('RUNNING: this instance is doing some of it. Otherwise WAITING.'),
  load5: element(decimal),
  load60: element(decimal),
});

export const vidispineServiceListDocument = document('VidispineServiceListDocument', { service: list(service) });
export type VidispineServiceList = Value<typeof vidispineServiceListDocument>;
