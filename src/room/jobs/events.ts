import { action, emitterOf, firing } from '../../core/events/event-kinds.ts';
import type { JobState } from '../../core/events/payloads.ts';

const tells = [
  ...(['jobId', 'status', 'type', 'user', 'totalSteps', 'currentStepNumber', 'currentStepStatus'] as const),
  { key: 'started', time: 'started' },
  'itemId',
  { key: 'item', of: 'itemId' },
  { pairs: 'data' },
  { pairs: 'notificationData' },
] as const;
const ofJob = (word: string) => ({ resource: '/job', says: action(word), tells }) as const;

const created = {
  jobId: 'VX-501',
  type: 'PLACEHOLDER_IMPORT',
  status: 'READY',
  user: 'ingest',
  started: Date.UTC(2024, 2, 5, 10, 30, 42, 376),
};
const running = {
  ...created,
  status: 'STARTED',
  totalSteps: 6,
  currentStepNumber: 2,
  currentStepStatus: 'STARTED',
  step: 200,
  itemId: 'VX-7',
  data: [
    ['fileId', 'VX-88'],
    ['tags', 'lowres'],
    ['tags', 'web'],
    ['x_desk', 'Harbour'],
  ],
  notification: 'VX-40',
  notificationData: [['ticket', '4711']],
} as const;
const ended = { ...running, status: 'FINISHED', currentStepNumber: 6, currentStepStatus: 'FINISHED', step: 600 };
const failed = {
  ...ended,
  status: 'FAILED_TOTAL',
  currentStepNumber: 3,
  currentStepStatus: 'FAILED_TOTAL',
  step: 300,
  data: [...running.data, ['errorMessage-300-1-0', 'No space left:\nVX-3']],
} as const;

export const jobEvents = {
  'job/create': firing<JobState>(ofJob('CREATE'), created),
  /** Change of status or step, including the last one. */
  'job/update': firing<JobState>({ ...ofJob('UPDATE'), fact: true }, running),
  /** Ended, well or badly. One of the next two comes with it. */
  'job/stop': firing<JobState>({ ...ofJob('STOP'), fact: true }, ended),
  'job/finished': firing<JobState>({ ...ofJob('FINISHED'), fact: true }, ended),
  'job/fail': firing<JobState>({ ...ofJob('FAIL'), fact: true }, failed),
};

export const jobEvent = emitterOf(jobEvents);
