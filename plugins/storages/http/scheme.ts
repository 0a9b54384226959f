import type { Component, PropertyTable, StorageScheme } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { webFolder } from './address.ts';
import { openWeb, type WebLimits } from './driver.ts';

const properties: PropertyTable = {
  answerWithin: { type: 'duration', fallback: 30_000, says: 'Maximum time until the server answers.' },
  idle: { type: 'duration', fallback: 60_000, says: 'Maximum time between two bytes of an answer.' },
};

/** Reads files of web servers. What a redirect leads to is never read. */
export const webStorage: Component<StorageScheme> = {
  says: 'Reads files of web servers. Methods: https://files.example.com/media/.',
  properties,
  create: (limits: WebLimits, host): StorageScheme => ({
    schemes: ['http', 'https'],
    hosts: ['server', 'edge'],
    defect(address) {
      const place = webFolder(address);
      return 'defect' in place ? place.defect : undefined;
    },
    open(address) {
      const place = webFolder(address);
      if ('defect' in place) throw fault('offline', place.defect);
      return openWeb(host, place, limits);
    },
  }),
};
