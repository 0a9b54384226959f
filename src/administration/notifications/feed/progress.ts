import { writeJson } from '../../../core/documents/index.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { eventDocument, feedEventOf } from './documents.ts';
import { type EventRow, type Progress, progressOf } from './store.ts';

/** Event that is sent without being stored: it has no number that a client could go on from. */
const progressEvent = 'job/progress';

interface Follower {
  readonly user: string;
  /** Last message of each running job. */
  known: ReadonlyMap<string, string>;
  isWanted(row: EventRow): boolean;
  /** Messages that were not read yet, one for each job. */
  readonly news: Map<string, string>;
  wake(): void;
}

/** Progress of the running jobs of a user, as events. */
export const progressNow = async (store: Reader, user: string, now: number): Promise<readonly EventRow[]> =>
  (await progressOf(store, { users: JSON.stringify([user]) })).map((row) => eventOf(row, now));

/** Progress of running jobs, looked up once for all streams of a process. */
export function createProgress(store: Reader, now: () => number) {
  const followers = new Set<Follower>();

  return {
    get isFollowed() {
      return followers.size > 0;
    },

    /** Follows the jobs of a user. `wake`: called when there is something to take. */
    follow(user: string, isWanted: Follower['isWanted'], wake: () => void) {
      const follower: Follower = { user, isWanted, wake, known: new Map(), news: new Map() };
      followers.add(follower);
      return {
        take(): string {
          const text = [...follower.news.values()].join('');
          follower.news.clear();
          return text;
        },
        end: () => void followers.delete(follower),
      };
    },

    async look(): Promise<void> {
      const users = [...new Set([...followers].map(({ user }) => user))];
      const rows = await progressOf(store, { users: JSON.stringify(users) });
      for (const follower of followers) tell(follower, rows, now());
    },
  };
}

function tell(follower: Follower, rows: readonly Progress[], now: number): void {
  const payloads = new Map<string, string>();
  for (const row of rows) {
    if (row.user !== follower.user) continue;
    const event = eventOf(row, now);
    payloads.set(row.jobId, event.payload);
    if (follower.known.get(row.jobId) === event.payload || !follower.isWanted(event)) continue;
    follower.news.set(row.jobId, messageOf(event));
  }
  follower.known = payloads;
  if (follower.news.size > 0) follower.wake();
}

const eventOf = ({ jobId, user, ...state }: Progress, at: number): EventRow => ({
  sequence: 0,
  name: progressEvent,
  entityType: 'job',
  entityId: jobId,
  payload: JSON.stringify({ jobId, ...state }),
  user,
  runAs: null,
  requestId: null,
  at,
});

const messageOf = (row: EventRow): string =>
  `event: ${row.name}\ndata: ${writeJson(eventDocument, feedEventOf(row))}\n\n`;
