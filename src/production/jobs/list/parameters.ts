import { choice, date, flag, list, type Parameter, page, repeated } from '../../../http/parameters/index.ts';
import { jobPriorities } from '../../../room/jobs/job-type.ts';
import { type JobOrder, type Sorting, sortings } from './store.ts';

export const jobStates = [
  'READY',
  'STARTED',
  'WAITING',
  'HOLD',
  'VIDINET_JOB',
  'ABORTED_PENDING',
  'FINISHED',
  'FINISHED_WARNING',
  'FAILED_TOTAL',
  'ABORTED',
] as const;

const fields = Object.keys(sortings) as readonly Sorting[];
const directions: ReadonlyMap<string, boolean> = new Map([
  ['asc', false],
  ['desc', true],
]);

/** `startTime asc`, `priority,jobId desc`. Undefined: it is no order. */
function readOrder(text: string): readonly JobOrder[] | undefined {
  const keys = text.split(',').map((part): JobOrder | undefined => {
    const [name = '', direction = 'asc', ...more] = part.trim().split(/[\s+]+/);
    const by = fields.find((each) => each.toLowerCase() === name.toLowerCase());
    const desc = directions.get(direction.toLowerCase());
    return by === undefined || desc === undefined || more.length > 0 ? undefined : { by, desc };
  });
  const order = keys.filter((key) => key !== undefined);
  const isRepeated = new Set(order.map(({ by }) => by)).size < order.length;
  return order.length < keys.length || isRepeated ? undefined : order;
}

const sort = {
  says: `What the list is ordered by: some of ${fields.join(', ')}, each with "asc" or "desc"`,
  schema: { type: 'string', default: 'jobId desc' },
  defaultValue: [{ by: 'jobId', desc: true }],
  required: false,
  list: false,
  expected: `Expected some of ${fields.join(', ')}, with "asc" or "desc" behind each`,
  read: readOrder,
} as Parameter<readonly JobOrder[]>;

const shown = {
  metadata: flag('Adds the data of each job', false),
  field: repeated(
    'Only data with these keys, `*` for all. `itemName` is the name of the item, as far as the caller may read it',
  ),
};

export const jobView = { ...shown };

/** Whether a word is a type is for the types of all rooms to say. */
export const jobListParameters = (maxPage: number) => ({
  user: flag('Only jobs of the caller. False: jobs of everybody, for callers who may read them', true),
  state: list(choice('Only jobs in one of these states', jobStates)),
  type: repeated('Only jobs of these types'),
  priority: list(choice('Only jobs of these priorities', jobPriorities)),
  jobmetadata: repeated('Only jobs with this data: key=value, all of them'),
  'starttime-from': date('Only jobs that were started then or later'),
  'starttime-to': date('Only jobs that were started then or before'),
  'finishtime-from': date('Only jobs that ended then or later'),
  'finishtime-to': date('Only jobs that ended then or before'),
  sort,
  step: flag('Adds the step attempts of each job', false),
  idonly: flag('Only id, state, type and priority of each job', false),
  ...shown,
  ...page(maxPage, Math.min(100, maxPage)),
});
