import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../step-back.ts';
import { systemCode } from './disk.ts';
import type { FromFolders, PageQuestion, ToFolders } from './folder-messages.ts';
import { hashFiles } from './hash-files.ts';
import type { WalkPage } from './stored-files.ts';
import { FolderWalk } from './walk.ts';

/** A thread that walks and hashes places. It keeps some walks that may go on, by the place and the path where they rest. */
const port = parentPort!;
const resting = new Map<string, { readonly walk: FolderWalk; readonly since: number }>();
const max = 8;
/** Milliseconds. What was read of a folder longer ago is read again. */
const maxLength = 60_000;

function pageOf({ root, holding, after, limit }: PageQuestion): WalkPage {
  const key = `${root}\n${after}`;
  const now = performance.now();
  const rested = resting.get(key);
  resting.delete(key);
  const walk = rested && now - rested.since < maxLength ? rested.walk : new FolderWalk(root, holding, after);
  const page = walk.page(limit);
  if (page.next !== undefined) resting.set(`${root}\n${page.next}`, { walk, since: now });
  for (const oldest of resting.keys()) if (resting.size > max) resting.delete(oldest);
  return page;
}

if (workerData?.stepsBack) stepBack();

port.on('message', (message: ToFolders) => {
  const { number } = message;
  try {
    if ('page' in message) {
      const answer = pageOf(message.page);
      port.postMessage({ number, answer } satisfies FromFolders, [answer.numbers.buffer]);
    } else port.postMessage({ number, answer: hashFiles(message.hash, message.stop) } satisfies FromFolders);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    port.postMessage({ number, code: systemCode(error), message: reason } satisfies FromFolders);
  }
});
