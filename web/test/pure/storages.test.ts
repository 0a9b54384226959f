import { describe, expect, it } from 'vitest';
import {
  addressOfFolder,
  crumbsOf,
  failureOf,
  freeFolder,
  isFailing,
  lastScan,
  nameOf,
  placeWords,
  usageOf,
  waitsForApproval,
} from '../../src/pages/storages/storages.ts';

const uri = 'file:///srv/';
const [early, late] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];

it.each([
  ['/etc', 'file:///etc/'],
  ['file:///etc', 'file:///etc/'],
  [' file:///srv/media/ ', 'file:///srv/media/'],
  ['s3://films/raw', 's3://films/raw/'],
])('takes %s for the address %s', (typed, address) => {
  expect(addressOfFolder(typed)).toBe(address);
});

it.each([
  ['file:///srv/media/', '/srv/media/'],
  ['file:///srv/Fr%C3%BChling%202/', '/srv/Frühling 2/'],
  ['file:///srv/50%/', '/srv/50%/'],
  ['s3://films/raw/', 's3://films/raw/'],
  ['ftp://ann:secret@host/in/', 'ftp://host/in/'],
])('shows %s as %s', (uri, words) => {
  expect(placeWords(uri)).toBe(words);
});

it('proposes a folder below which no other storage lies', () => {
  const at = (...uris: readonly string[]) => uris.map((each) => ({ method: [{ uri: each }] }));
  expect(freeFolder(['file:///srv/', 'file:///other/'], at('file:///srv/sample/'))).toBe('file:///other/');
  expect(freeFolder(['file:///srv/'], at('file:///srv/sample/'))).toBe('file:///srv/files-1/');
  expect(freeFolder(['file:///srv/'], at('file:///srv/sample/', 'file:///srv/files-1/'))).toBe('file:///srv/files-2/');
  expect(freeFolder([], at())).toBe('');
});

it('is named as the service says, and never by its id', () => {
  expect(nameOf({ id: 'VX-1', name: 'Films' })).toBe('Films');
  expect(nameOf({ id: 'VX-1' })).toBe('Storage');
});

it('fails in the words of the service once none of its methods works', () => {
  const method = [{ uri, lastFailure: late, failureMessage: 'Expected a folder' }];
  expect(failureOf({ state: 'OFFLINE', method })).toBe('Expected a folder');
  expect(failureOf({ state: 'NONE', method })).toBeUndefined();
});

it('tells how full a storage is, and looks worse from its watermarks on', () => {
  const at = (freeCapacity: number) =>
    usageOf({ capacity: 100, freeCapacity, lowWatermarkPercentage: 70, highWatermarkPercentage: 90 });
  expect([at(40), at(30), at(5)].map((each) => [each?.percent, each?.tone])).toEqual([
    [60, undefined],
    [70, 'warn'],
    [95, 'bad'],
  ]);
  expect(usageOf({ capacity: 0 })).toBeUndefined();
});

describe('a method', () => {
  it('fails while its last failure is newer than its last success', () => {
    expect(isFailing({ uri, lastSuccess: early, lastFailure: late })).toBe(true);
    expect(isFailing({ uri, lastSuccess: late, lastFailure: early })).toBe(false);
    expect([isFailing({ uri }), isFailing({ uri, lastFailure: late })]).toEqual([false, true]);
  });

  it('whose scan found too little waits for a person', () => {
    const failureMessage = 'Expected the files of the storage: … POST /storage/VX-1/rescan?confirm=true';
    expect(waitsForApproval({ method: [{ uri, lastFailure: late, failureMessage }] })).toBe(true);
    expect(waitsForApproval({ method: [{ uri, lastSuccess: late, lastFailure: early, failureMessage }] })).toBe(false);
  });

  it('was looked at last when the newest look worked', () => {
    expect(lastScan({ method: [{ uri, lastSuccess: late }, { uri, lastSuccess: early }, { uri }] })).toBe(late);
  });
});

it('leads from a folder to each one above it', () => {
  expect(crumbsOf('in/day 1/')).toEqual([
    { name: 'in', path: 'in/' },
    { name: 'day 1', path: 'in/day 1/' },
  ]);
  expect(crumbsOf('/')).toEqual([]);
});
