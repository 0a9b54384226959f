import { JobFails } from '../../../room/jobs/job-type.ts';
import type { ExportParts } from '../parts.ts';

/** A folder of a web server that takes files by PUT. */
export interface WebDestination {
  /** False where the server says that it has nothing of that name. */
  has(name: string): Promise<boolean>;
  /** False: a file has the name. */
  put(name: string, body: ReadableStream<Uint8Array>, size: number | undefined, replaces: boolean): Promise<boolean>;
}

const limits = { answerWithin: 30_000, idle: 60_000 };

export function openWebDestination({ stream }: Pick<ExportParts, 'stream'>, folder: string): WebDestination {
  const urlOf = (name: string): string => folder + name.split('/').map(encodeURIComponent).join('/');

  async function ask(given: Parameters<ExportParts['stream']>[0]): Promise<number> {
    const { status, body } = await stream(given).catch((error: unknown) => {
      // Blocked by the settings: a retry would not help.
      if ((error as { kind?: unknown })?.kind === 'blocked') throw new JobFails((error as Error).message);
      throw error;
    });
    await body.cancel().catch(() => undefined);
    return status;
  }

  return {
    async has(name) {
      const status = await ask({ url: urlOf(name), method: 'HEAD', ...limits });
      return status === 200 || status === 204;
    },
    async put(name, body, size, replaces) {
      const headers = {
        'content-type': 'application/octet-stream',
        ...(!replaces && { 'if-none-match': '*' }),
      };
      const status = await ask({
        url: urlOf(name),
        method: 'PUT',
        headers,
        body,
        ...(size !== undefined && { length: size }),
        ...limits,
      });
      if (status === 412) return false;
      if (status >= 200 && status < 300) return true;
      const sentence = `Expected a server that takes the file: ${status}`;
      // A permanent refusal fails the job. Other statuses are retried.
      throw status < 500 && status !== 408 && status !== 429 ? new JobFails(sentence) : new Error(sentence);
    },
  };
}
