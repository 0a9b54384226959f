import type { Sent, World } from './matrix.ts';
import { asking, done, json } from './requests.ts';
import { librarian, viewer } from './world.ts';

/** Files of storages and the jobs that move them. */

const ask = asking(librarian);

/** Registers a file of VX-1. */
export const register = (path: string, more: Readonly<Record<string, string>> = {}, storage = 'VX-1'): Sent =>
  ask(`POST /API/storage/${storage}/file?${new URLSearchParams({ path, ...more })}`);

/** So many files, one behind the other: their ids are VX-1, VX-2, … */
export const registered = (...paths: readonly string[]): readonly Sent[] =>
  paths.map((path) => register(path, { state: 'CLOSED' }));

/** Adds uses of a file by components: items make such rows. */
export async function useFile({ service }: Pick<World, 'service'>, file: string, ...uses: readonly string[]) {
  const changes = uses.map((use) => {
    const [item, shape, component] = use.split(' ');
    return {
      sql: 'INSERT INTO file_use (file_id, item_id, shape_id, component_id) VALUES (?, ?, ?, ?)',
      args: [file, item!, shape!, component!],
    };
  });
  await service.store.commit({ changes, events: [] }, { user: 'test' });
}

export const upload = (path: string, body: string, storage = 'VX-1'): Sent => ({
  as: librarian,
  headers: { ...json, 'content-type': 'application/octet-stream' },
  request: `POST /API/storage/${storage}/file/data?path=${encodeURIComponent(path)}`,
  body,
});

export interface JobSeen {
  readonly jobId: string;
  readonly status: string;
  readonly type: string;
  readonly user?: string;
  readonly waiting?: { readonly resourceType: string; readonly resourceId: string; readonly requirement: string };
  readonly currentStep?: { readonly number: number; readonly description: string; readonly status: string };
  readonly data?: readonly { readonly key: string; readonly value: string }[];
  readonly log?: {
    readonly task: readonly {
      readonly step: number;
      readonly attempts: number;
      readonly status: string;
      readonly description: string;
      readonly errorMessage?: string;
      readonly progress?: { readonly value: number; readonly total: number; readonly unit: string };
      readonly subStep?: readonly { readonly description: string }[];
    }[];
  };
}

export const jobOf = (world: World, id: string): Promise<JobSeen> =>
  done(world, ask(`GET /API/job/${id}`, undefined, viewer));

/** Lets work go on, and time pass for what waits, until the job has ended. */
export async function ended(world: World, id: string, seconds = 600): Promise<JobSeen> {
  for (let passed = 0; ; passed += 5) {
    await world.service.tick();
    const job = await jobOf(world, id);
    if (/^(FINISHED|FAILED|ABORTED$)/.test(job.status)) return job;
    if (passed >= seconds) throw new Error(`Expected ${id} to end: ${JSON.stringify(job)}`);
    await world.clock.advance(5_000);
  }
}

/** Events as `name entity`, those of the file or the job that is named. */
export const told = async (world: World, after = 0, pattern = /^(file|job)\//): Promise<readonly string[]> =>
  (await world.events(after)).filter(({ name }) => pattern.test(name)).map(({ name, entity }) => `${name} ${entity}`);
