import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/administration/notifications/body.ts';
import { contentFilterValues } from '../../../src/administration/notifications/documents/notification-trigger.ts';
import type { FileState, JobState } from '../../../src/core/events/payloads.ts';
import { triggers } from '../../support/declared.ts';
import { refusal } from '../../support/thrown.ts';
import { notification, samples, stored } from './support.ts';

const plain = notification('<job><stop/></job>');
const job = (more: Partial<JobState>) =>
  stored('job/stop', { jobId: 'VX-501', type: 'TRANSCODE', status: 'FINISHED', ...more });
const told = (more: Partial<JobState>, sent = plain, attempt = 0) => fieldsOf(triggers, job(more), sent, attempt);
const own = [
  ['action', 'STOP'],
  ['jobId', 'VX-501'],
  ['status', 'FINISHED'],
  ['type', 'TRANSCODE'],
];
const first = ['sequenceNumber', '0'];

describe('keys', () => {
  it('with several values come several times, those without a value not at all', () => {
    const file = (more: Partial<FileState>) =>
      fieldsOf(triggers, stored('file/new', { fileId: 'VX-8', storageId: 'VX-3', ...more }), plain, 0);
    expect(file({ shapeId: ['VX-1', 'VX-2'], itemId: [] }).slice(3)).toEqual([
      ['shapeId', 'VX-1'],
      ['shapeId', 'VX-2'],
      first,
    ]);
    expect(file({}).slice(3)).toEqual([first]);
  });

  it('of metadata are the fields that changed, in whatever track or language', () => {
    const change = { field: 'title', start: '-INF', end: '+INF' };
    const changes = [
      { ...change, values: ['Harbour', ''] },
      { ...change, values: ['Hafen'], language: 'de' },
      { ...change, field: 'genre', values: [] },
    ];
    const event = stored('metadata/modify', { itemId: 'VX-7', changeSetId: 'VX-9', changes });
    expect(fieldsOf(triggers, event, plain, 0).slice(3)).toEqual([
      ['title', 'Harbour'],
      ['title', ''],
      ['title', 'Hafen'],
      first,
    ]);
  });

  it('are texts, also where the event has numbers, and times in UTC', () => {
    const fields = told({ totalSteps: 0, started: 0 });
    expect(fields).toEqual([...own, ['totalSteps', '0'], ['started', '1970-01-01T00:00:00.000Z'], first]);
  });

  it('say which delivery it is, and what the action was told to add', () => {
    expect(told({}, plain, 3)).toEqual([...own, ['sequenceNumber', '3']]);
    const action = '<http><url>http://hooks.example/</url><extradata>wall 4</extradata></http>';
    expect(told({}, notification('', action))).toEqual([...own, first, ['extradata', 'wall 4']]);
  });

  it('name who is affected by a change of a group, and who did it', () => {
    const event = stored('group/modify', { group: 'editors', mode: 'REMOVE', affectedGroup: 'crew' });
    expect(fieldsOf(triggers, event, plain, 0)).toEqual([
      ['action', 'MODIFY'],
      ['group', 'editors'],
      ['username', 'carol'],
      ['mode', 'REMOVE'],
      ['affectedGroup', 'crew'],
      first,
    ]);
  });

  it('of an event that fires nothing are a mistake of ours that shows', () => {
    expect(refusal(() => fieldsOf(triggers, stored('user/create', { user: 'ann' }), plain, 0)).code).toBe('internal');
  });
});

describe('the data of a job', () => {
  it('is told under its own keys, and what its caller asked to be told again', () => {
    const data = [
      ['tags', 'a'],
      ['tags', 'b'],
      ['username', 'ingest'],
    ] as const;
    expect(told({ data, notificationData: [['ticket', '4711']] })).toEqual([
      ...own,
      ...data,
      ['ticket', '4711'],
      first,
    ]);
  });

  it.each(['action', 'jobId', 'status', 'type', 'user', 'itemId', 'item', 'started', 'sequenceNumber', 'extradata'])(
    'cannot pass for "%s" of the service',
    (key) => {
      const forged = [[key, 'FORGED']] as const;
      const fields = told({ data: forged, notificationData: forged });
      expect(fields).toEqual([...own, first]);
    },
  );

  it('may have the names of what objects inherit', () => {
    const data = [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ] as const;
    expect(told({ data })).toEqual([...own, ...data, first]);
  });
});

describe('content filters', () => {
  const state = { ...samples['job/fail'], data: [...samples['job/fail'].data!, ['username', 'ingest']] } as JobState;
  const filtered = (...filters: readonly string[]) => {
    const inside = filters.map((filter) => `<contentFilter>${filter}</contentFilter>`).join('');
    return notification(`<job><fail/><contentFilters>${inside}</contentFilters></job>`);
  };
  const keys = (...filters: readonly string[]) => [
    ...new Set(fieldsOf(triggers, stored('job/fail', state), filtered(...filters), 0).map(([key]) => key)),
  ];
  const data = ['fileId', 'tags', 'x_desk', 'errorMessage-300-1-0', 'username'];

  const kept: Readonly<Record<(typeof contentFilterValues)[number], readonly string[]>> = {
    jobId: ['jobId'],
    jobState: ['status'],
    user: ['user', 'username'],
    startTime: ['started'],
    jobType: ['type'],
    jobData: data,
    errorMessage: ['errorMessage-300-1-0'],
    itemId: ['itemId', 'item'],
    totalSteps: ['totalSteps'],
    currentStep: ['currentStepNumber', 'currentStepStatus'],
  };

  it.each(contentFilterValues)('%s keeps its keys, what happened, and what the caller asked for', (filter) => {
    expect(keys(filter)).toEqual(['action', ...kept[filter], 'ticket', 'sequenceNumber']);
  });

  it('together keep what each of them keeps', () => {
    expect(keys('jobState', 'jobId', 'errorMessage')).toEqual([
      'action',
      'jobId',
      'status',
      'errorMessage-300-1-0',
      'ticket',
      'sequenceNumber',
    ]);
    expect(keys(...contentFilterValues)).toEqual(keys());
  });

  it('keep everything when there are none', () => {
    const all = fieldsOf(triggers, stored('job/fail', state), notification('<job><fail/></job>'), 0);
    expect(fieldsOf(triggers, stored('job/fail', state), filtered(), 0)).toEqual(all);
    expect(all.map(([key]) => key)).toEqual(expect.arrayContaining(Object.values(kept).flat()));
  });
});
