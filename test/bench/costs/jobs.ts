import { ask, askJson, authorization } from '../item-root.ts';
import type { Started } from '../runtimes.ts';
import { until } from './world.ts';

/** Waits for the end of a job. Throws where it ends without success. */
export const finished = (server: Started, id: string): Promise<void> =>
  until(async () => {
    const { status = '' } = await askJson(server, `GET /API/job/${id}`);
    if (/^(?:FAILED|ABORTED)/.test(status)) throw new Error(`Expected job ${id} to end well: ${status}`);
    return status.startsWith('FINISHED');
  });

/** Imports a file by its bytes. Gives the id of its item. */
export async function importFile(server: Started, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/API/import/raw?filename=${name}`, {
    method: 'POST',
    headers: { authorization, accept: 'application/json', 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  const { jobId } = (await answer.json()) as { readonly jobId: string };
  await finished(server, jobId);
  return itemOf(server, jobId);
}

/** The item that a job made. */
export async function itemOf(server: Started, job: string): Promise<string> {
  const { data } = JSON.parse(await ask(server, `GET /API/job/${job}`)) as {
    readonly data: readonly { readonly key: string; readonly value: string }[];
  };
  return data.find(({ key }) => key === 'itemId')!.value;
}
