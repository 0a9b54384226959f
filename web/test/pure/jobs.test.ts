import { describe, expect, it } from 'vitest';
import {
  complaintOf,
  durationText,
  filterFrom,
  jobName,
  jobPercent,
  jobQuery,
  placeOfProblem,
  plainReason,
  reasonOf,
  stepPercent,
  subjectOf,
} from '../../src/pages/jobs/jobs.ts';

const job = { jobId: 'VX-1', type: 'TRANSCODE', priority: 'MEDIUM', status: 'STARTED' };
const step = (number: number, status: string) => ({ number, status, description: '' });
const task = (status: string, value: number) => ({
  step: 1,
  attempts: 0,
  status,
  progress: { value, total: 200, unit: 'bytes' },
});

describe('how far a job is', () => {
  it('counts the steps behind it, and the part of the one that runs', () => {
    const log = { task: [task('FINISHED', 200), task('STARTED', 100)] };
    expect(stepPercent({ ...job, log })).toBe(50);
    expect(jobPercent({ ...job, log, totalSteps: 4, currentStep: step(2, 'STARTED') })).toBe(37);
    expect(jobPercent({ ...job, totalSteps: 4, currentStep: step(2, 'FINISHED') })).toBe(50);
    expect(jobPercent({ ...job, totalSteps: 2, currentStep: step(1, 'STARTED') })).toBe(25);
  });

  it('is whole only at its end, and nothing before its beginning', () => {
    expect(jobPercent({ ...job, totalSteps: 1, currentStep: step(1, 'FINISHED') })).toBe(99);
    expect(jobPercent({ ...job, status: 'FINISHED' })).toBe(100);
    expect(jobPercent({ ...job, status: 'READY' })).toBe(0);
  });

  it('takes the progress of a transcode before that of its step', () => {
    expect(stepPercent({ ...job, data: [{ key: 'transcodeProgress', value: '22.4' }] })).toBe(22);
    expect(stepPercent({ ...job, data: [{ key: 'transcodeProgress', value: 'x' }] })).toBeUndefined();
  });
});

describe('the list of jobs', () => {
  it('keeps its filter in the address, and takes an unknown one as all', () => {
    expect(filterFrom(Object.fromEntries(new URLSearchParams('state=failed&type=EXPORT&mine=true&page=3')))).toEqual({
      group: 'failed',
      type: 'EXPORT',
      all: false,
      item: '',
      page: 3,
    });
    expect(filterFrom(Object.fromEntries(new URLSearchParams('state=nonsense&page=-1')))).toMatchObject({
      group: 'all',
      page: 1,
    });
  });

  it('asks for the own jobs of a caller who may not read those of others', () => {
    const filter = filterFrom(Object.fromEntries(new URLSearchParams('state=open&item=VX-7')));
    expect(jobQuery(filter, false)).toMatchObject({ user: 'true', jobmetadata: 'itemId=VX-7', first: '1' });
    expect(jobQuery({ ...filter, page: 2 }, true)).toMatchObject({ user: 'false', first: '51' });
    expect(jobQuery(filter, true)['state']).toBe('READY,STARTED,WAITING,HOLD,ABORTED_PENDING');
  });
});

it('names what a job is about: a file name, or the end of an address', () => {
  expect(subjectOf({ data: [{ key: 'uri', value: 'file:///in/a%20b.mov' }] })).toBe('a%20b.mov');
  expect(subjectOf({ data: [{ key: 'originalFilename', value: 'a.mov' }] })).toBe('a.mov');
  expect(subjectOf({})).toBeUndefined();
});

it('is named after its type, and what it is about as the service names it', () => {
  const data = [
    { key: 'originalFilename', value: 'a.mov' },
    { key: 'itemName', value: 'Trailer.mp4' },
  ];
  expect(jobName({ type: 'PLACEHOLDER_IMPORT', data })).toBe('Import of Trailer.mp4');
  expect(jobName({ type: 'LIST_ITEMS' })).toBe('List of items');
});

it('tells times as people read them', () => {
  expect([400, 59_400, 61_000, 3_723_000].map(durationText)).toEqual(['0 s', '59 s', '1:01', '1:02:03']);
});

it('leads from a problem to what it is about', () => {
  expect(placeOfProblem({ id: 1, type: 'StorageFull', data: [{ key: 'storageId', value: 'VX-1' }] })).toBe(
    '/storage/VX-1',
  );
  expect(placeOfProblem({ id: 1, type: 'NoTranscoder' })).toBeUndefined();
});

describe('what a job complains of', () => {
  const said = (status: string, errorMessage?: string) => ({
    ...job,
    status,
    log: { task: [{ ...task('FINISHED', 200), ...(errorMessage !== undefined && { errorMessage }) }] },
  });

  it('is the last message of its attempts', () => {
    expect(reasonOf(said('FAILED_TOTAL', 'Expected a whole file'))).toBe('Expected a whole file');
    expect(reasonOf(job)).toBeUndefined();
  });

  it('is in words for people where a quota is full', () => {
    const reason = 'The group editor may have 1.5 GB, and has 1 GB. An administrator can change this quota rule: VX-1';
    expect(plainReason(reason)).toBe('The group editor may have 1.5 GB, and has 1 GB. Ask an administrator for more.');
    expect(plainReason('Expected a whole number')).toBe('Expected a whole number');
    expect(plainReason('Expected a folder: VX-1')).toBe('Expected a folder');
  });

  it('counts where it failed, and where it warns of something that it names', () => {
    const [failed, warned] = [said('FAILED_TOTAL'), said('FINISHED_WARNING', 'it is cut')];
    expect(complaintOf([said('FINISHED'), warned, failed])).toBe(warned);
    expect(complaintOf([said('FINISHED_WARNING'), failed])).toBe(failed);
    expect(complaintOf([said('FINISHED', 'tried twice'), said('FINISHED_WARNING')])).toBeUndefined();
  });
});
