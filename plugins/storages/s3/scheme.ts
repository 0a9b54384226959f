import type { Component, PropertyTable, StorageScheme } from '../../../src/spi/index.ts';
import { fault } from '../faults.ts';
import { bucketFolder } from './address.ts';
import { openBucket } from './driver.ts';

interface Properties {
  readonly answerWithin: number;
  readonly completeWithin: number;
  readonly idle: number;
  readonly conditionalWrites: boolean;
  readonly leastPart: number;
}

const mebibyte = 1024 * 1024;

const properties: PropertyTable = {
  answerWithin: { type: 'duration', fallback: 30_000, says: 'Maximum time until the store answers.' },
  completeWithin: {
    type: 'duration',
    fallback: 600_000,
    says: 'Maximum time to assemble the parts of a file.',
  },
  idle: { type: 'duration', fallback: 60_000, says: 'Maximum time between two bytes, in either direction.' },
  conditionalWrites: {
    type: 'boolean',
    fallback: true,
    says: 'False for stores without If-None-Match. A file that another program writes at the same time may then be lost.',
  },
  leastPart: {
    type: 'integer',
    fallback: 5 * mebibyte,
    says: 'Minimum size in bytes of each part of an upload except the last, as the store requires.',
    check: (bytes: number) => (bytes >= 1 ? undefined : 'Expected at least one byte'),
  },
};

/** Keeps files in buckets of S3 and of stores that speak as it does. */
export const bucketStorage: Component<StorageScheme> = {
  says: 'Stores files in buckets of S3 and compatible stores. Methods: s3://KEY:SECRET@bucket/folder/.',
  properties,
  create: ({ conditionalWrites, ...limits }: Properties, host): StorageScheme => ({
    schemes: ['s3'],
    hosts: ['server', 'edge'],
    defect(address) {
      const place = bucketFolder(address);
      return 'defect' in place ? place.defect : undefined;
    },
    open(address) {
      const place = bucketFolder(address);
      if ('defect' in place) throw fault('offline', place.defect);
      return openBucket(host, place, { ...limits, conditional: conditionalWrites });
    },
  }),
};
